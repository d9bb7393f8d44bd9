/**
 * The field names a log line may carry. A payload is never logged, so a field that is not on this
 * list is dropped; to log something new, add its name here and be sure that it holds no field
 * value of a record, no address and no secret.
 */
export const logFieldNames = [
  'tenantId',
  'sourceId',
  'provider',
  'recordType',
  'entityId',
  'operationId',
  'operationVersion',
  'eventKey',
  'messageId',
  'caseId',
  'caseClass',
  'topic',
  'partition',
  'offset',
  'groupId',
  'topics',
  'subject',
  'schemaId',
  'service',
  'instanceId',
  'planVersion',
  'outcome',
  'reason',
  'code',
  'codes',
  'decision',
  'evidence',
  'verdict',
  'state',
  'stage',
  'kind',
  'action',
  'attemptNumber',
  'attemptsMax',
  'count',
  'counts',
  'accepted',
  'duplicates',
  'refused',
  'pending',
  'bucket',
  'buckets',
  'epoch',
  'lagMs',
  'waitMs',
  'tookMs',
  'delayMs',
  'dueAtMs',
  'retryAtMs',
  'atMs',
  'method',
  'route',
  'status',
  'url',
  'port',
  'host',
  'version',
  'signal',
  'migration',
  'schema',
  'database',
  'detail',
  'bytes',
] as const;

export type LogFieldName = (typeof logFieldNames)[number];
export type LogValue = string | number | boolean | null | undefined | readonly (string | number)[];
/** Fields of one line, plus the error it is about. */
export type LogFields = Readonly<Partial<Record<LogFieldName, LogValue>>> & {
  readonly error?: unknown;
};

const allowed: ReadonlySet<string> = new Set(logFieldNames);
const textCharsMax = 500;
const itemsMax = 50;
const framesMax = 8;

function plainValue(value: unknown): unknown {
  if (typeof value === 'string') return value.slice(0, textCharsMax);
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return value;
  if (Array.isArray(value)) return value.slice(0, itemsMax).map(String);
  return undefined;
}

/** Libraries quote the input in their messages, so quoted parts and addresses are masked. */
export function maskText(text: string): string {
  return text
    .slice(0, textCharsMax)
    .replace(/"[^"]*"?|'[^']*'|`[^`]*`/g, '"…"')
    .replace(/[^\s@<>"]+@[^\s@<>"]+/g, '…@…');
}

/** Name, code, masked message and the first stack frames of an error, with its cause's likewise. */
export function describeError(error: unknown, depth = 0): Record<string, unknown> {
  if (!(error instanceof Error)) return { name: typeof error };
  const code: unknown = 'code' in error ? error.code : undefined;
  const frames = (error.stack ?? '')
    .split('\n')
    .filter((line) => line.startsWith('    at '))
    .slice(0, framesMax)
    .map((line) => line.trim());
  return {
    name: error.name,
    ...(typeof code === 'string' || typeof code === 'number' ? { code } : {}),
    message: maskText(error.message),
    frames,
    ...(error.cause !== undefined && depth < 2
      ? { cause: describeError(error.cause, depth + 1) }
      : {}),
  };
}

/** The fields that may be written, with values cut to plain, short ones. */
export function keepLogFields(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) {
    if (name === 'error') kept['error'] = describeError(value);
    else if (allowed.has(name)) {
      const plain = plainValue(value);
      if (plain !== undefined) kept[name] = plain;
    }
  }
  return kept;
}
