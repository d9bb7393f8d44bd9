import type { ErrorObject } from 'ajv';

export type Path = readonly (string | number)[];

/** One mistake, before it is given its line. */
export interface ShapeFault {
  readonly path: Path;
  readonly message: string;
}

/** The checker's errors as sentences a newcomer can act on; `data` resolves array positions. */
export function shapeFaults(errors: readonly ErrorObject[]): readonly ShapeFault[] {
  return errors.filter((error) => error.keyword !== 'if').map(faultOf);
}

function faultOf(error: ErrorObject): ShapeFault {
  const path = pathOf(error.instancePath);
  const params: Readonly<Record<string, unknown>> = error.params;
  switch (error.keyword) {
    case 'additionalProperties': {
      const key = String(params['additionalProperty']);
      return { path: [...path, key], message: `unknown key '${key}'${knownHere(error)}` };
    }
    case 'required':
      return { path, message: `'${String(params['missingProperty'])}' is missing` };
    case 'dependencies':
      return { path, message: `'${String(params['missingProperty'])}' is missing: say what for` };
    case 'enum':
      return { path, message: `must be one of: ${listOf(params['allowedValues'])}` };
    default:
      return { path, message: error.message ?? error.keyword };
  }
}

function knownHere(error: ErrorObject): string {
  const parent: unknown = error.parentSchema?.['properties'];
  if (typeof parent !== 'object' || parent === null) return '';
  return `; known here: ${Object.keys(parent).join(', ')}`;
}

const listOf = (values: unknown): string => (Array.isArray(values) ? values.join(', ') : '');

/** `/steps/0/push` → `['steps', 0, 'push']`. */
const pathOf = (pointer: string): Path =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part));

export const pathText = (path: Path): string =>
  path.reduce<string>(
    (text, part) =>
      typeof part === 'number' ? `${text}[${part}]` : text === '' ? part : `${text}.${part}`,
    '',
  );
