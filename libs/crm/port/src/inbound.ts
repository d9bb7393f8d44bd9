import type {
  ChangeKind,
  ExternalId,
  Fields,
  MergeStatement,
  Origin,
  RecordType,
  Shape,
  SourceId,
  TenantId,
} from '@counterpart/sync-model';
import type { RecordMap } from './connection.js';

/** An HTTP delivery at our door, over the raw bytes. */
export interface InboundRequest {
  readonly method: string;
  /** The public URL as the provider called it, from configuration and path, never from `Host`. */
  readonly url: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Uint8Array;
  readonly receivedAtMs: number;
}

/** What the verification side keeps of a source. */
export interface InboundSource {
  readonly tenantId: TenantId;
  readonly sourceId: SourceId;
  /** The provider's id of the instance, e.g. HubSpot's portal id. */
  readonly instanceId: string;
  /** Our own marker at that provider, e.g. HubSpot's app id (`sourceId` of webhooks we caused). */
  readonly ownMarker: string;
  readonly records: readonly RecordMap[];
}

/** Where a source receives, in the provider's own ids. */
export type InstancePlace = Pick<InboundSource, 'instanceId' | 'ownMarker'>;

export type VerifyVerdict = { readonly ok: true } | { readonly ok: false; readonly code: string };

/** One event of a delivery, for one source. `identity` is the canonical text the event key is hashed from. */
export interface RawChange {
  readonly instanceId: string;
  readonly identity: string;
  readonly recordType: RecordType;
  readonly externalId: ExternalId;
  readonly kind: ChangeKind;
  readonly shape: Shape;
  readonly fields: Fields;
  readonly revision: string | null;
  readonly occurredAtMs: number;
  readonly origin: Origin;
  readonly originDetail: string;
  readonly merge: MergeStatement | null;
}

/** Items that cannot be read are named one by one; they never take their neighbours with them. */
export interface DecodeResult {
  readonly changes: readonly RawChange[];
  readonly refused: readonly {
    /** Place in the delivery; −1 when the delivery as a whole could not be read. */
    readonly index: number;
    readonly code: string;
    readonly detail: string;
  }[];
  /** Well-formed events of no interest: unmapped property or record type. */
  readonly ignored: number;
}

/** The receiving half of a provider: pure, no network. */
export interface CrmInbound {
  readonly provider: string;
  /** Which instance a source's settings name, and our own marker there. Empty text: none named. */
  placeOf(settings: Readonly<Record<string, unknown>>): InstancePlace;
  verify(request: InboundRequest, secrets: readonly string[]): VerifyVerdict;
  /** `sourceOf` finds the source of an instance id at this endpoint, undefined when unknown. */
  decode(
    request: InboundRequest,
    sourceOf: (instanceId: string) => InboundSource | undefined,
  ): DecodeResult;
}
