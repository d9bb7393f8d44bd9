import type { ChangeOrigin, CrmRecord } from '../objects/record.js';
import { isLive } from '../objects/record.js';
import { updateRecord } from '../objects/write-record.js';
import type { Cancel } from '../portals/clock.js';
import type { Portal } from '../portals/portal.js';
import type { Automation } from './behaviour.js';
import { applyTransforms } from './transforms.js';

/** Automations that set each other off stop after so many steps. */
const DEPTH_MAX = 5;

/** A tenant's workflows: they edit a record after somebody wrote it, under a name of their own. */
export class AutomationRunner {
  private readonly planned = new Set<Cancel>();
  private runs = 0;

  constructor(private readonly portal: Portal) {}

  /** Plans what the portal's automations do about a write. */
  afterWrite(
    record: CrmRecord,
    kind: 'create' | 'update',
    changed: readonly string[],
    origin: ChangeOrigin,
  ): void {
    if (origin.depth >= DEPTH_MAX) return;
    for (const automation of this.portal.behaviour.automations) {
      if (this.portal.type(automation.type) !== record.type) continue;
      if (automation.when !== 'write' && automation.when !== kind) continue;
      if (automation.after === 'api' && origin.source !== 'INTEGRATION') continue;
      if (automation.properties && !automation.properties.some((name) => changed.includes(name)))
        continue;
      this.plan(automation, record, origin);
    }
  }

  stop(): void {
    this.planned.forEach((cancel) => cancel());
    this.planned.clear();
  }

  private plan(automation: Automation, record: CrmRecord, cause: ChangeOrigin): void {
    const cancel = this.portal.clock.after(automation.afterMs, () => {
      this.planned.delete(cancel);
      if (isLive(record)) this.run(automation, record, cause);
    });
    this.planned.add(cancel);
  }

  private run(automation: Automation, record: CrmRecord, cause: ChangeOrigin): void {
    this.runs += 1;
    const origin: ChangeOrigin = {
      source: 'AUTOMATION_PLATFORM',
      sourceId: `workflowId:${automation.id};enrollmentId:${this.runs};actionExecutionIndex:0`,
      userId: null,
      depth: cause.depth + 1,
    };
    const values = Object.entries(automation.set).map(([name, value]) => [
      name,
      this.valueOf(value, record),
    ]);
    // A refused edit (unknown property, taken address) is the workflow's own failure; nobody is told.
    updateRecord(this.portal, record, Object.fromEntries(values), origin);
  }

  private valueOf(value: Automation['set'][string], record: CrmRecord): string {
    if (typeof value === 'string') return value;
    if ('counter' in value) return `${value.counter}${this.runs}`;
    return applyTransforms(record.properties.get(value.copy) ?? '', value.apply);
  }
}
