import { checkPlan } from './check-plan.js';
import type { PlanPermissions } from './check-plan.js';
import { entriesOf, memberOf } from './own.js';
import type { PlanFault, SyncPlan } from './plan.js';
import { appSourceSchema, crmSourceSchema, planSchema } from './plan-schema.js';
import { toPlan } from './to-plan.js';
import { planDocumentOf } from './plan-json.js';
import { pathText, readYaml } from './read-yaml.js';
import type { YamlText } from './read-yaml.js';
import { shapeFaults } from './shape-faults.js';
import type { ShapeFault } from './shape-faults.js';

export type PlanResult =
  | { readonly ok: true; readonly plan: SyncPlan; readonly planJson: string }
  | { readonly ok: false; readonly faults: readonly PlanFault[] };

/**
 * Reads a plan's YAML. Either the plan, with the canonical JSON that goes into the registry, or
 * every fault at once in the order of the text. A fault never repeats a value of the file.
 */
export function parseSyncPlan(text: string, permissions: PlanPermissions): PlanResult {
  const yaml = readYaml(text);
  if (yaml.data === undefined && yaml.faults.length > 0) return { ok: false, faults: yaml.faults };
  const found = [...schemaFaults(yaml.data), ...checkPlan(yaml.data, permissions)];
  const faults = inOrder([...yaml.faults, ...found.map((fault) => placed(fault, yaml))]);
  if (faults.length > 0) return { ok: false, faults };
  const document = planDocumentOf(yaml.data);
  return { ok: true, plan: toPlan(document), planJson: JSON.stringify(document) };
}

function schemaFaults(data: unknown): readonly ShapeFault[] {
  const whole = planSchema.safeParse(data);
  const sources = entriesOf(memberOf(data, 'sources')).flatMap(([id, source]) => {
    const provider = memberOf(source, 'provider');
    if (typeof provider !== 'string') return [];
    const schema = provider === 'app' ? appSourceSchema : crmSourceSchema;
    const { error } = schema.safeParse(source);
    return error ? shapeFaults(error, ['sources', id]) : [];
  });
  return [...(whole.error ? shapeFaults(whole.error) : []), ...sources];
}

const placed = ({ path, code, message }: ShapeFault, yaml: YamlText): PlanFault => ({
  ...yaml.placeOf(path),
  path: pathText(path),
  code,
  message,
});

/** In the order of the text; what two checks found is told once. */
function inOrder(faults: readonly PlanFault[]): readonly PlanFault[] {
  const once = new Map(faults.map((fault) => [`${fault.path} ${fault.code}`, fault]));
  return [...once.values()].sort((a, b) => a.line - b.line || a.column - b.column);
}
