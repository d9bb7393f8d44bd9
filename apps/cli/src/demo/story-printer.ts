import type { ScenarioResult } from '@counterpart/scenario';
import type { Act } from './acts.js';

/**
 * Acts are played side by side but told one after another: the lines of the first act that is not
 * over are printed as they come, those of later acts wait for their turn.
 */
export class StoryPrinter {
  private readonly waiting: Map<Act, string[]>;
  private readonly over = new Set<Act>();
  private current = -1;

  constructor(
    private readonly acts: readonly Act[],
    private readonly print: (line: string) => void,
  ) {
    this.waiting = new Map(acts.map((act) => [act, []]));
    this.next();
  }

  line(act: Act, text: string): void {
    this.tell(act, `   ${text}`);
  }

  done(act: Act, result: ScenarioResult): void {
    const good = result.rows.filter(({ ok }) => ok).length;
    const seconds = (result.tookMs / 1000).toFixed(1);
    const verdict = result.ok ? 'ok' : 'NO';
    this.tell(act, `   ${verdict}: ${good} of ${result.rows.length} checks, ${seconds} s`);
    this.over.add(act);
    while (this.currentAct && this.over.has(this.currentAct)) this.next();
  }

  private get currentAct(): Act | undefined {
    return this.acts[this.current];
  }

  private tell(act: Act, text: string): void {
    if (act === this.currentAct) this.print(text);
    else this.waiting.get(act)?.push(text);
  }

  private next(): void {
    this.current += 1;
    const act = this.currentAct;
    if (!act) return;
    this.print(`Act ${act.number}: ${act.loaded.scenario.name}`);
    for (const text of this.waiting.get(act) ?? []) this.print(text);
  }
}
