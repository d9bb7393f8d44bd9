import type { Chance } from './chance.js';
import type { FaultCount, FaultRates } from './faults.js';
import type { VirtualTime } from './virtual-time.js';

/** The answer of a store was lost; whether its work was done cannot be told from here. */
export class AnswerLost extends Error {
  override readonly name = 'AnswerLost';
}

export interface ProcessWorld {
  readonly time: VirtualTime;
  readonly chance: Chance;
  readonly faults: FaultCount;
  /** The rates now; they fall to none when a world is to come to rest. */
  rates(): FaultRates;
}

/**
 * A process that may die or be stopped at every await. What a dead one was doing never goes on: its
 * promises are never resolved. A stopped one goes on later as if nothing had been, with everything
 * it believed before. `start` is its main function and runs anew in each of its lives.
 */
export class SimProcess {
  private life = 0;
  private stoppedUntilMs = 0;

  constructor(
    private readonly world: ProcessWorld,
    private readonly start: (process: SimProcess) => void,
  ) {
    start(this);
  }

  /** An object whose methods are calls over a wire. The CRM's have their own faults. */
  port<T extends object>(target: T, kind: 'store' | 'crm'): T {
    return new Proxy(target, {
      get: (of, name) => {
        const member: unknown = Reflect.get(of, name);
        if (typeof member !== 'function') return member;
        return (...args: unknown[]) => this.call(kind, () => Reflect.apply(member, of, args) as T);
      },
    });
  }

  /** Resolves after so long, in this life only, and not while the process stands still. */
  async sleep(ms: number): Promise<void> {
    const { life } = this;
    await this.world.time.sleep(ms);
    await this.goOn(life);
  }

  private async call<T>(kind: 'store' | 'crm', effect: () => T | Promise<T>): Promise<T> {
    // Between the last check and the first byte there is no await, so there is none here.
    if (kind === 'store') await this.hop();
    const { life } = this;
    const result = await effect();
    await this.goOn(life);
    if (kind === 'store' && this.isHit('lostCommit')) throw new AnswerLost('the answer was lost');
    await this.hop();
    return result;
  }

  private async hop(): Promise<void> {
    const { life } = this;
    const { chance, time } = this.world;
    if (this.isHit('crash')) {
      this.life += 1;
      this.stoppedUntilMs = 0;
      const next = this.life;
      time.after(chance.between(200, 20_000), () => {
        if (this.life === next) this.start(this);
      });
      return never();
    }
    if (this.isHit('pause'))
      this.stoppedUntilMs = time.nowMs() + 100 * Math.exp(chance.between(0, Math.log(900)));
    await time.sleep(chance.between(0.2, 3));
    return this.goOn(life);
  }

  private async goOn(life: number): Promise<void> {
    const { time } = this.world;
    while (life === this.life && this.stoppedUntilMs > time.nowMs())
      await time.sleep(this.stoppedUntilMs - time.nowMs());
    if (life !== this.life) await never();
  }

  private isHit(fault: 'crash' | 'pause' | 'lostCommit'): boolean {
    if (!this.world.chance.happens(this.world.rates()[fault])) return false;
    this.world.faults.add(fault);
    return true;
  }
}

const never = (): Promise<never> => new Promise(() => undefined);
