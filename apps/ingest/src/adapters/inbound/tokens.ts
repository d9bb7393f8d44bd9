export const INGEST_PORTS = Symbol('ingest-ports');
export const PUBLIC_URL = Symbol('public-url');
export const OPERATOR_READS = Symbol('operator-reads');
export const KEEP_CLAIMS = Symbol('keep-claims');
export const KEEP_REGISTRY = Symbol('keep-registry');
