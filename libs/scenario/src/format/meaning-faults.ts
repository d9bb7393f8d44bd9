import { serviceOrders } from './steps.js';
import type { Check } from './checks.js';
import type { Scenario } from './scenario.js';
import type { Step } from './steps.js';
import type { Path, ShapeFault } from './shape-faults.js';

/** Faults no schema can see: verbs missing or doubled, names that point nowhere, shared ground. */
export function meaningFaults(scenario: Scenario): readonly ShapeFault[] {
  const steps = walkSteps(scenario.steps, ['steps']);
  const checks = [
    ...scenario.then.map((check, index) => ({ check, path: ['then', index] })),
    ...steps.flatMap(({ step, path }) => checksInside(step, path)),
  ];
  const tenants = Object.keys(scenario.given?.tenants ?? { main: {} });
  const marks = new Set(steps.flatMap(({ step }) => (step.mark ? [step.mark] : [])));
  return [
    ...steps.flatMap(({ step, path }) => stepFaults(step, path, scenario.exclusive === true)),
    ...checks.flatMap(({ check, path }) => checkFaults(check, path, marks)),
    ...steps.flatMap(({ step, path }) => tenantFaults(step, path, tenants)),
    ...checks.flatMap(({ check, path }) => tenantFaults(check, path, tenants)),
  ];
}

interface PlacedStep {
  readonly step: Step;
  readonly path: Path;
}
interface PlacedCheck {
  readonly check: Check;
  readonly path: Path;
}

function walkSteps(steps: readonly Step[], base: Path): readonly PlacedStep[] {
  return steps.flatMap((step, index) => {
    const path = [...base, index];
    return [
      { step, path },
      ...walkSteps(step.parallel ?? [], [...path, 'parallel']),
      ...walkSteps(step.sequence ?? [], [...path, 'sequence']),
    ];
  });
}

function checksInside(step: Step, path: Path): readonly PlacedCheck[] {
  const found: PlacedCheck[] = [];
  if (step.service?.at) found.push({ check: step.service.at, path: [...path, 'service', 'at'] });
  if (typeof step.wait === 'object' && step.wait.until)
    found.push({ check: step.wait.until, path: [...path, 'wait', 'until'] });
  return found;
}

const keysBut = (thing: object, label: string): readonly string[] =>
  Object.keys(thing).filter((key) => key !== label);

function stepFaults(step: Step, path: Path, exclusive: boolean): readonly ShapeFault[] {
  const faults: ShapeFault[] = [];
  const verbs = keysBut(step, 'say');
  if (verbs.length !== 1)
    faults.push({
      path,
      message: `a step does one thing; this one names: ${verbs.join(', ') || 'nothing'}`,
    });
  if (step.push && (step.push.changes === undefined) === (step.push.body === undefined))
    faults.push({ path: [...path, 'push'], message: "needs either 'changes' or 'body'" });
  if (step.service) {
    const orders = Object.keys(step.service).filter((key) => key !== 'at' && key !== 'withinMs');
    if (orders.length !== 1)
      faults.push({
        path: [...path, 'service'],
        message: `needs one of ${serviceOrders.join(', ')}`,
      });
  }
  if (typeof step.wait === 'object') {
    const kinds = ['settled', 'until', 'forMs'].filter((key) => key in Object(step.wait));
    if (kinds.length !== 1)
      faults.push({ path: [...path, 'wait'], message: 'needs one of settled, until, forMs' });
  }
  if ((step.service || step.infra) && !exclusive)
    faults.push({
      path,
      message: "touches what other scenarios share: write 'exclusive: true' at the top",
    });
  return faults;
}

function checkFaults(check: Check, path: Path, marks: ReadonlySet<string>): readonly ShapeFault[] {
  const kinds = keysBut(check, 'name');
  if (kinds.length !== 1)
    return [
      {
        path,
        message: `a check looks at one thing; this one names: ${kinds.join(', ') || 'nothing'}`,
      },
    ];
  const used = [check.calls?.since, check.calls?.until, check.messages?.since];
  return used
    .filter((mark) => mark !== undefined && !marks.has(mark))
    .map((mark) => ({ path, message: `no step sets the mark '${mark}'` }));
}

function tenantFaults(
  thing: Step | Check,
  path: Path,
  tenants: readonly string[],
): readonly ShapeFault[] {
  return Object.entries(thing).flatMap(([key, value]) => {
    const tenant = tenantOf(value);
    if (tenant === undefined || tenants.includes(tenant)) return [];
    const message = `this scenario has no tenant '${tenant}'; it has: ${tenants.join(', ')}`;
    return [{ path: [...path, key, 'tenant'], message }];
  });
}

const tenantOf = (value: unknown): string | undefined =>
  typeof value === 'object' && value !== null && 'tenant' in value
    ? String(value.tenant)
    : undefined;
