import { inspect } from 'node:util';

/** A value that never prints itself. Ask for it by name at the one place that needs it. */
export class Secret {
  readonly #value: string;
  constructor(value: string) {
    this.#value = value;
  }
  reveal(): string {
    return this.#value;
  }
  toString(): string {
    return '***';
  }
  toJSON(): string {
    return '***';
  }
  [inspect.custom](): string {
    return '***';
  }
}

export const secret = (value: string): Secret => new Secret(value);
