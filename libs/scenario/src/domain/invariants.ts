import type { InvariantName } from '../format/scenario.js';
import type { AcceptedChange, CrmRecord, GateDecision, SeenOperation } from './evidence.js';
import type { Finding } from './verdict.js';

/** All that the standing invariants look at, of one tenant, after the last step has settled. */
export interface InvariantEvidence {
  readonly accepted: readonly AcceptedChange[];
  readonly decisions: readonly GateDecision[];
  readonly operations: readonly SeenOperation[];
  readonly portals: readonly PortalEvidence[];
  /** Who still has work; empty when everything is settled. */
  readonly busy: readonly string[];
}

export interface PortalEvidence {
  readonly source: string;
  readonly types: readonly TypeEvidence[];
  /** Records the scenario itself made or merged, by hand or as given. */
  readonly madeByHand: ReadonlySet<string>;
  /** Records a human edited, and whether automations edit as they like. */
  readonly editedByHand: ReadonlySet<string>;
  readonly automated: boolean;
}

export interface TypeEvidence {
  readonly type: string;
  /** Properties that hold the match keys of the plan, each with its kind. */
  readonly matchProperties: readonly { readonly property: string; readonly kind: string }[];
  readonly live: readonly CrmRecord[];
}

/** What must be true of every story, whatever it tells. */
export function checkInvariant(name: InvariantName, evidence: InvariantEvidence): Finding {
  switch (name) {
    case 'one-record-per-match-key':
      return finding('0 doubles', duplicatesOf(evidence.portals));
    case 'accepted-is-accounted-for':
      return finding('0 lost', lostChanges(evidence));
    case 'no-write-from-an-echo':
      return finding('0 writes', echoWrites(evidence));
    case 'associated-once':
      return finding('0 doubled links', doubledLinks(evidence.portals));
    case 'nothing-pending':
      return finding('0 pending', evidence.busy);
    default:
      return name satisfies never;
  }
}

function finding(expected: string, violations: readonly string[]): Finding {
  const shown = violations.slice(0, 3).join('; ');
  return {
    expected,
    measured: violations.length === 0 ? '0' : `${violations.length}: ${shown}`,
    ok: violations.length === 0,
  };
}

function duplicatesOf(portals: readonly PortalEvidence[]): readonly string[] {
  return portals.flatMap((portal) =>
    portal.types.flatMap((type) =>
      [...byMatchKey(type)]
        .filter(([, records]) => doubledByUs(records, portal.madeByHand))
        .map(([key, records]) => `${type.type} ${key}: ${records.map(({ id }) => id).join(', ')}`),
    ),
  );
}

/** We made two, or one beside an older one that a human had made. What humans double is theirs. */
function doubledByUs(records: readonly CrmRecord[], madeByHand: ReadonlySet<string>): boolean {
  const ours = records.filter(({ id }) => !madeByHand.has(id));
  const first = Math.min(...ours.map(({ createdAtMs }) => createdAtMs));
  const older = records.filter(({ id, createdAtMs }) => madeByHand.has(id) && createdAtMs < first);
  return ours.length > 1 || (ours.length === 1 && older.length > 0);
}

function byMatchKey(type: TypeEvidence): ReadonlyMap<string, readonly CrmRecord[]> {
  const groups = new Map<string, CrmRecord[]>();
  for (const record of type.live)
    for (const key of new Set(matchKeysOf(type, record)))
      groups.set(key, [...(groups.get(key) ?? []), record]);
  return groups;
}

/** Deliberately not the product's own normalisation: the judge must not share the accused's eyes. */
function matchKeysOf(type: TypeEvidence, record: CrmRecord): readonly string[] {
  return type.matchProperties.flatMap(({ property, kind }) => {
    const values = [record.properties[property] ?? ''];
    if (kind === 'email')
      values.push(...(record.properties['hs_additional_emails'] ?? '').split(';'));
    return values
      .map((value) => value.trim().normalize('NFC').toLowerCase())
      .map((value) =>
        kind === 'domain' ? value.replace(/^(https?:\/\/)?(www\.)?|\/.*$/g, '') : value,
      )
      .filter((value) => value !== '')
      .map((value) => `${property} ${value}`);
  });
}

const settledAtGate: ReadonlySet<string> = new Set([
  'duplicate',
  'stale',
  'echo',
  'no-op',
  'superseded',
  'conflict',
  'held',
  'quarantined',
]);

/** Accepted, but neither settled at the gate nor found among the results of operations. */
function lostChanges(evidence: InvariantEvidence): readonly string[] {
  const decided = new Set(
    evidence.decisions
      .filter(({ outcome }) => settledAtGate.has(outcome))
      .map(({ eventKey }) => eventKey),
  );
  const settled = new Set(evidence.operations.map(({ eventKey }) => eventKey));
  return evidence.accepted
    .filter(({ eventKey }) => !decided.has(eventKey) && !settled.has(eventKey))
    .map(({ changeId }) => changeId);
}

const written: ReadonlySet<string> = new Set(['applied', 'reconciled']);

/** Writes whose event the gate itself called an echo, or that went back where the event came from. */
function echoWrites(evidence: InvariantEvidence): readonly string[] {
  const echoes = new Set(
    evidence.decisions.filter(({ outcome }) => outcome === 'echo').map(({ eventKey }) => eventKey),
  );
  return evidence.operations
    .filter(({ outcome, attempts }) => written.has(outcome) && attempts > 0)
    .filter((operation) => echoes.has(operation.eventKey) || wentBack(operation, evidence.portals))
    .map(({ recordType, externalId, operationId }) => `${recordType} ${externalId ?? operationId}`);
}

/** Into the CRM that the event came from, though nobody had edited that record there. */
function wentBack(operation: SeenOperation, portals: readonly PortalEvidence[]): boolean {
  if (operation.originSourceId !== operation.targetSourceId) return false;
  const portal = portals.find(({ source }) => source === operation.targetSourceId);
  if (!portal || portal.automated) return false;
  return !portal.editedByHand.has(operation.externalId ?? '');
}

function doubledLinks(portals: readonly PortalEvidence[]): readonly string[] {
  return portals.flatMap(({ types }) =>
    types.flatMap(({ type, live }) =>
      live.flatMap((record) => {
        const links = record.associations.map(
          ({ toType, toId, kind }) => `${toType} ${toId} (${kind})`,
        );
        const doubled = links.filter((link, at) => links.indexOf(link) !== at);
        return doubled.map((link) => `${type} ${record.id} → ${link}`);
      }),
    ),
  );
}
