import type { CallMatch, CallsCheck } from '../format/checks.js';
import type { CrmCall, Mark } from './evidence.js';
import { countOk, countText } from './matching.js';
import type { Finding } from './verdict.js';

/** Calls that may change a record or a link. */
const writeKinds: ReadonlySet<string> = new Set([
  'create',
  'update',
  'associate',
  'delete',
  'merge',
]);

/** `write` is every call that may change something; unset or `any` is every call. */
export function callMatches(match: CallMatch, call: CrmCall): boolean {
  const { kind = 'any' } = match;
  if (kind === 'write' && !writeKinds.has(call.kind)) return false;
  if (kind !== 'write' && kind !== 'any' && kind !== call.kind) return false;
  if (match.path !== undefined && !call.path.includes(match.path)) return false;
  if (match.status !== undefined && match.status !== call.status) return false;
  return match.fault === undefined || match.fault === call.fault;
}

/** Counts the calls a check speaks of; `source` picks the call numbers of its marks. */
export function checkCalls(
  check: CallsCheck,
  source: string,
  calls: readonly CrmCall[],
  marks: ReadonlyMap<string, Mark>,
): Finding {
  const span = spanOf(check, calls);
  const expected = `${countText(check.count)} ${describe(check)}`;
  if (span === undefined)
    return { expected, measured: `no call with ${matchText(check.after ?? {})}`, ok: false };
  const from = numberAt(check.since, source, marks, 0);
  const until = numberAt(check.until, source, marks, Infinity);
  const inside = calls.filter(
    (call) =>
      callMatches(check, call) &&
      call.n > from &&
      call.n <= until &&
      call.atMs > span.fromMs &&
      call.atMs < span.untilMs,
  );
  const measured = check.busiestMs === undefined ? inside.length : busiest(inside, check.busiestMs);
  return { expected, measured: String(measured), ok: countOk(check.count, measured) };
}

interface Span {
  readonly fromMs: number;
  readonly untilMs: number;
}

/** From the answer of the call named by `after`; undefined when there was no such call. */
function spanOf(check: CallsCheck, calls: readonly CrmCall[]): Span | undefined {
  const { after } = check;
  if (after === undefined) return { fromMs: -Infinity, untilMs: Infinity };
  const anchor = calls.filter((call) => callMatches(after, call))[(after.nth ?? 1) - 1];
  if (!anchor) return undefined;
  const anchorMs = anchor.answeredAtMs ?? anchor.atMs;
  return {
    fromMs: anchorMs + (check.graceMs ?? 0),
    untilMs: check.forMs === undefined ? Infinity : anchorMs + check.forMs,
  };
}

const numberAt = (
  name: string | undefined,
  source: string,
  marks: ReadonlyMap<string, Mark>,
  otherwise: number,
): number => (name === undefined ? otherwise : (marks.get(name)?.callNumbers[source] ?? otherwise));

/** The largest number of calls that began within any span of this length. */
function busiest(calls: readonly CrmCall[], lengthMs: number): number {
  let first = 0;
  let most = 0;
  calls.forEach((call, last) => {
    while ((calls[first]?.atMs ?? 0) <= call.atMs - lengthMs) first += 1;
    most = Math.max(most, last - first + 1);
  });
  return most;
}

function describe(check: CallsCheck): string {
  const parts = [matchText(check)];
  if (check.since !== undefined) parts.push(`since '${check.since}'`);
  if (check.until !== undefined) parts.push(`until '${check.until}'`);
  if (check.after !== undefined) {
    const span = check.forMs === undefined ? '' : ` for ${check.forMs} ms`;
    parts.push(`after ${matchText(check.after)}${span}`);
  }
  if (check.busiestMs !== undefined) parts.push(`in the busiest ${check.busiestMs} ms`);
  return parts.join(', ');
}

function matchText(match: CallMatch): string {
  const { kind = 'any', path, status, fault } = match;
  const words = [kind === 'any' ? 'calls' : `${kind} calls`];
  if (path !== undefined) words.push(`to ${path}`);
  if (status !== undefined) words.push(`answered ${status}`);
  if (fault !== undefined) words.push(`with fault ${fault}`);
  return words.join(' ');
}
