import type {
  AnswersCheck,
  CasesCheck,
  GateCheck,
  MappingsCheck,
  MessagesCheck,
  OperationsCheck,
} from '../format/checks.js';
import type { JsonObject } from '../format/json.js';
import type { GateDecision, Mark, SeenMessage, SeenOperation } from './evidence.js';
import { conditionText, countOk, countText, holds } from './matching.js';
import type { Finding } from './verdict.js';

/** Operations by their newest outcome; measured also tells which outcomes there were. */
export function checkOperations(
  check: OperationsCheck,
  operations: readonly SeenOperation[],
): Finding {
  const wanted = check.outcome === undefined ? undefined : [check.outcome].flat();
  const concerned = operations.filter(
    (operation) =>
      (check.type === undefined || check.type === operation.recordType) &&
      holds(check.where ?? {}, operation),
  );
  const found = concerned.filter(({ outcome }) => wanted === undefined || wanted.includes(outcome));
  const type = check.type === undefined ? '' : `${check.type} `;
  return {
    expected: `${countText(check.count)} ${type}operations ${wanted?.join(' or ') ?? ''}`.trimEnd(),
    measured: `${found.length}${tally(concerned.map(({ outcome }) => outcome))}`,
    ok: countOk(check.count, found.length),
  };
}

/** Public messages since a mark that hold a condition. */
export function checkMessages(
  check: MessagesCheck,
  messages: readonly SeenMessage[],
  marks: ReadonlyMap<string, Mark>,
): Finding {
  const from = check.since === undefined ? -1 : (marks.get(check.since)?.position ?? -1);
  const found = messages.filter(
    ({ topic, position, value }) =>
      topic === check.topic && position > from && holds(check.where ?? {}, value),
  );
  const parts = [`${countText(check.count)} on ${check.topic}`];
  if (check.where) parts.push(conditionText(check.where));
  if (check.since !== undefined) parts.push(`since '${check.since}'`);
  return {
    expected: parts.join(', '),
    measured: String(found.length),
    ok: countOk(check.count, found.length),
  };
}

/** Newest mapping of each record: how many, and at how many entities they point. */
export function checkMappings(check: MappingsCheck, mappings: readonly object[]): Finding {
  const where: JsonObject = {
    ...(check.source === undefined ? {} : { sourceId: check.source }),
    ...(check.type === undefined ? {} : { recordType: check.type }),
    ...(check.status === undefined ? {} : { status: check.status }),
    ...(check.origin === undefined ? {} : { origin: check.origin }),
  };
  const found = mappings.filter((mapping) => holds(where, mapping));
  const entities = new Set(found.map((mapping) => String(Reflect.get(mapping, 'entityId')))).size;
  const parts = [];
  if (check.count !== undefined) parts.push(`${countText(check.count)} mappings`);
  if (check.entities !== undefined) parts.push(`${countText(check.entities)} entities`);
  return {
    expected: `${parts.join(' of ')} (${conditionText(where) || 'any'})`,
    measured: `${found.length} mappings of ${entities} entities`,
    ok: countOk(check.count ?? {}, found.length) && countOk(check.entities ?? {}, entities),
  };
}

export function checkCases(check: CasesCheck, cases: readonly object[]): Finding {
  const state = check.state ?? 'open';
  const ofClass = (one: object): boolean =>
    check.class === undefined || holds({ class: check.class }, one);
  const found = cases.filter((one) => holds({ state }, one) && ofClass(one));
  const classes = found.map((one) => String(Reflect.get(one, 'class')));
  return {
    expected: `${countText(check.count)} ${state} cases ${check.class ?? ''}`.trimEnd(),
    measured: `${found.length}${tally(classes)}`,
    ok: countOk(check.count, found.length),
  };
}

export function checkGate(check: GateCheck, decisions: readonly GateDecision[]): Finding {
  const concerned = decisions.filter(
    (decision) =>
      (check.source === undefined || check.source === decision.sourceId) &&
      (check.type === undefined || check.type === decision.recordType),
  );
  const found = concerned.filter(({ outcome }) => outcome === check.outcome);
  return {
    expected: `${countText(check.count)} events ${check.outcome}`,
    measured: `${found.length}${tally(concerned.map(({ outcome }) => outcome))}`,
    ok: countOk(check.count, found.length),
  };
}

export function checkAnswers(check: AnswersCheck, statuses: readonly number[]): Finding {
  const found = statuses.filter((status) => status === check.status).length;
  return {
    expected: `${countText(check.count)} answers ${check.status}`,
    measured: `${found}${tally(statuses.map(String))}`,
    ok: countOk(check.count, found),
  };
}

/** ` (applied 3, stale 1)`; empty when there is nothing. */
function tally(words: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  const text = [...counts].map(([word, count]) => `${word} ${count}`).join(', ');
  return text === '' ? '' : ` (${text})`;
}
