import { conditionText } from '../domain/matching.js';
import { infraOrders, serviceOrders } from '../format/steps.js';
import type { FaultStep, HumanStep, PushStep, Step } from '../format/steps.js';

/** A step as a line of progress; undefined for steps nobody needs to see. */
export function describeStep(step: Step): string | undefined {
  if (step.say !== undefined) return step.say;
  if (step.push) return describePush(step.push);
  if (step.human) return describeHuman(step.human);
  if (step.automation)
    return `a workflow edits ${step.automation.type} after every ${step.automation.when}`;
  if (step.behaviour) return `the CRM now behaves: ${conditionText(step.behaviour.set)}`;
  if (step.fault) return describeFault(step.fault);
  if (step.clearFaults) return 'the CRM behaves again';
  if (step.releaseAnswers) return 'held answers arrive';
  if (step.webhooks) return `webhooks: ${step.webhooks.do}`;
  if (step.plan) return 'the plan changes';
  if (step.service) return orderText(step.service, serviceOrders);
  if (step.infra) return orderText(step.infra, [...infraOrders, 'flush']);
  if (step.wait === 'settled') return 'waiting until everything is settled';
  if (step.wait) return step.wait.because ?? 'waiting';
  return undefined;
}

const orderText = (orders: object, names: readonly string[]): string =>
  names
    .filter((name) => name in orders)
    .map((name) => `${name} ${String(Reflect.get(orders, name))}`)
    .join(', ');

function describePush(step: PushStep): string {
  if (step.body !== undefined) return 'the app sends a body of its own making';
  const count = (step.changes?.length ?? 0) * (step.repeat ?? 1);
  const types = [...new Set(step.changes?.map(({ type }) => type))].join(' and ');
  const words = [`the app pushes ${count} ${types} ${count === 1 ? 'change' : 'changes'}`];
  if ((step.clients ?? 1) > 1) words.push(`by ${step.clients} clients`);
  if ((step.deliveries ?? 1) > 1) words.push(`each delivered ${step.deliveries} times`);
  if (step.signature !== undefined) words.push(`signature ${step.signature}`);
  return words.join(', ');
}

function describeHuman({ action, type, where, properties }: HumanStep): string {
  const which = where ? ` (${conditionText(where)})` : '';
  const what = properties ? `: ${conditionText(properties)}` : '';
  return `a human: ${action} ${type}${which}${what}`;
}

function describeFault({ match, every, nth, fault }: FaultStep): string {
  const when =
    every === undefined ? (nth === undefined ? 'every' : `number ${nth} of`) : `every ${every}th`;
  const call = typeof match?.['kind'] === 'string' ? `${match['kind']} call` : 'call';
  return `the CRM misbehaves at ${when} ${call}: ${String(fault['type'])}`;
}
