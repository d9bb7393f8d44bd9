import { ok, refuse, type Result } from '../answers/answer.js';
import { invalidInput, invalidValues, type ValueFault } from '../answers/errors.js';
import { isObject } from '../answers/json.js';
import { applyTransforms } from '../behaviour/transforms.js';
import type { Portal } from '../portals/portal.js';
import type { PropertyDefinition } from '../properties/definition.js';
import { canonicalValue } from '../properties/values.js';
import type { ObjectType } from './object-types.js';

/**
 * Brings the `properties` of a write to stored form, all faults at once (400): unknown and read-only
 * properties, values of the wrong type. Then rewrites them the way the portal's behaviour says.
 */
export function prepareValues(
  portal: Portal,
  type: ObjectType,
  input: unknown,
): Result<ReadonlyMap<string, string>> {
  if (!isObject(input)) return refuse(invalidInput('properties must be an object'));
  const faults: ValueFault[] = [];
  const values = new Map<string, string>();
  for (const [name, raw] of Object.entries(input)) {
    const property = portal.properties.find(type, name);
    const problem = nameFault(property, name);
    const canonical = property && !problem ? canonicalValue(property, raw) : undefined;
    if (problem) faults.push(problem);
    else if (canonical && 'fault' in canonical) faults.push(canonical.fault);
    else if (canonical) values.set(name, rewritten(portal, name, canonical.value));
  }
  return faults.length > 0 ? refuse(invalidValues(portal.spec.portalId, faults)) : ok(values);
}

function nameFault(property: PropertyDefinition | undefined, name: string): ValueFault | undefined {
  if (!property) {
    const message = `Property "${name}" does not exist`;
    return { name, error: 'PROPERTY_DOESNT_EXIST', message };
  }
  if (property.readOnly) {
    const message = `"${name}" is a read only property; its value cannot be set.`;
    return { name, error: 'READ_ONLY_VALUE', message };
  }
  return undefined;
}

/** Silent rewriting: first the format, then the cut. */
function rewritten(portal: Portal, name: string, value: string): string {
  const { reformat, truncate } = portal.behaviour;
  const text = applyTransforms(value, reformat[name] ?? []);
  const max = truncate[name];
  return max === undefined ? text : text.slice(0, max);
}
