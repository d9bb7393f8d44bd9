const codeOf = (error: unknown): string => {
  const coded = typeof error === 'object' && error !== null && 'code' in error;
  return coded && typeof error.code === 'string' ? error.code : '';
};

const unsentCodes: Readonly<Record<string, string>> = {
  'private-address': 'private-address',
  ENOTFOUND: 'dns',
  EAI_AGAIN: 'dns',
  EAI_FAIL: 'dns',
  ECONNREFUSED: 'connect-refused',
  UND_ERR_CONNECT_TIMEOUT: 'connect-timeout',
  ETIMEDOUT: 'connect-timeout',
  UND_ERR_INVALID_ARG: 'invalid-request',
};

/** OpenSSL and Node name their certificate faults in these ways. */
const TLS = /^(ERR_TLS_|ERR_SSL_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|EPROTO$)/;

/** Stable code of a failure before the request was handed to a connected socket. */
export function unsentCode(error: unknown): string {
  const code = codeOf(error);
  return unsentCodes[code] ?? (TLS.test(code) ? 'tls' : 'connect-failed');
}

/** Stable code of a failure after that, when the peer may have run the request. */
export function unknownCode(error: unknown): string {
  const unreadable =
    codeOf(error) === 'UND_ERR_HEADERS_OVERFLOW' ||
    (error instanceof Error && error.name === 'HTTPParserError');
  return unreadable ? 'answer-invalid' : 'connection-lost';
}
