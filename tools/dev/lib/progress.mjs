/** Prints one progress line. @callback Say @param {string} text */

/**
 * A printer of progress lines, each starting with the seconds since it was made: `[  3.2 s] text`.
 * @returns {Say}
 */
export function createProgress(write = (line) => process.stdout.write(line)) {
  const startedAtMs = Date.now();
  return (text) => write(`[${secondsSince(startedAtMs).padStart(6)} s] ${text}\n`);
}

/** Seconds since a `Date.now()` value, with one decimal. */
export function secondsSince(startedAtMs) {
  return ((Date.now() - startedAtMs) / 1000).toFixed(1);
}
