/** True when a GET of `url` answers 2xx within a second; false or a throw otherwise. */
export async function answersHttp(url) {
  const response = await fetch(url, { signal: AbortSignal.timeout(1000) });
  await response.body?.cancel();
  return response.ok;
}
