import type { Random } from '@counterpart/sync-model';

/**
 * All chance of one world, from its seed: the same seed is the same world. (sfc32, the small fast
 * counter generator of PractRand; its quality is more than a choice of faults needs.)
 */
export class Chance implements Random {
  private a = 0x9e3779b9;
  private b = 0x243f6a88;
  private c = 0xb7e15162;
  private d: number;

  constructor(seed: number) {
    this.d = seed | 0;
    for (let warmUp = 0; warmUp < 16; warmUp += 1) this.next();
  }

  readonly fraction = (): number => this.next() / 4294967296;

  readonly uuid = (): string => {
    const hex = Array.from({ length: 4 }, () => this.next().toString(16).padStart(8, '0')).join('');
    return [
      hex.slice(0, 8),
      hex.slice(8, 12),
      hex.slice(12, 16),
      hex.slice(16, 20),
      hex.slice(20),
    ].join('-');
  };

  /** True in that part of all cases. */
  happens(part: number): boolean {
    return this.fraction() < part;
  }

  between(low: number, high: number): number {
    return low + this.fraction() * (high - low);
  }

  whole(low: number, high: number): number {
    return Math.floor(this.between(low, high + 1));
  }

  oneOf<T>(items: readonly T[]): T {
    const item = items[Math.floor(this.fraction() * items.length)];
    if (item === undefined) throw new RangeError('nothing to choose from');
    return item;
  }

  private next(): number {
    const t = (((this.a + this.b) | 0) + this.d) | 0;
    this.d = (this.d + 1) | 0;
    this.a = this.b ^ (this.b >>> 9);
    this.b = (this.c + (this.c << 3)) | 0;
    this.c = (this.c << 21) | (this.c >>> 11);
    this.c = (this.c + t) | 0;
    return t >>> 0;
  }
}
