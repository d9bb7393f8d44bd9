import { httpService } from '../testing/http-service.js';
import { runCli } from '../testing/run-cli.js';

const one = {
  caseId: '0193-1',
  class: 'unknown-outcome',
  state: 'open',
  assignee: null,
  code: 'readback-ambiguous',
  detail: 'Two records carry the key: merge them.',
  openedAt: '2026-03-02T09:00:00.000Z',
};
/** The options of an installation elsewhere: only the reconciler is asked. */
const at = (url: string): string[] => [
  ...['--kafka', '127.0.0.1:1', '--registry', 'http://127.0.0.1:1'],
  ...['--services', `reconciler=${url}`],
];

test('cases of one tenant, as a table that lines up', async () => {
  const reconciler = await httpService(() => ({ body: { cases: [one] } }));
  const { code, out } = await runCli('cases', '--tenant', 'acme', ...at(reconciler.url));
  expect(code).toBe(0);
  expect(out.split('\n')).toEqual([
    'CASE    CLASS            STATE  OWNER  OPENED                    CODE                WHAT TO DO',
    '0193-1  unknown-outcome  open   -      2026-03-02T09:00:00.000Z  readback-ambiguous  Two records carry the key: merge them.',
    '',
  ]);
  expect(reconciler.asked).toEqual(['/operator/cases?tenant=acme']);
  await reconciler.close();
});

test('none, and JSON for programs', async () => {
  const reconciler = await httpService((path) => ({
    body: { cases: path.includes('state=settled') ? [one] : [] },
  }));
  const ask = (...more: string[]) =>
    runCli('cases', '--tenant', 'a b', ...at(reconciler.url), ...more);
  expect((await ask()).out).toBe('no cases\n');
  expect(JSON.parse((await ask('--json', '--state', 'settled')).out)).toEqual([one]);
  expect(reconciler.asked[0]).toBe('/operator/cases?tenant=a+b');
  await reconciler.close();
});

test.each([
  ['an answer that is none', 500, /the reconciler answered 500/],
  ['no tenant of that name', 400, /the reconciler answered 400/],
])('%s ends with 1 and one sentence', async (_name, status, says) => {
  const reconciler = await httpService(() => ({ status, body: {} }));
  const { code, err } = await runCli('cases', '--tenant', 'acme', ...at(reconciler.url));
  expect([code, err]).toEqual([1, expect.stringMatching(says)]);
  await reconciler.close();
});

test.each([
  ['nobody there', at('http://127.0.0.1:1'), /does not answer at http:\/\/127\.0\.0\.1:1/],
  ['no address given', [...at('x').slice(0, 4), '--services', 'ingest=http://x'], /reconciler=/],
])('%s', async (_name, flags, says) => {
  const { code, err } = await runCli('cases', '--tenant', 'acme', ...flags);
  expect([code, err]).toEqual([1, expect.stringMatching(says)]);
});

test.each(['reconciler', 'reconciler=', 'reconcilr=http://x', '=http://x', ''])(
  '%j names no service',
  async (services) => {
    const { code, err } = await runCli('cases', '--tenant', 'acme', '--services', services);
    expect([code, err]).toEqual([2, expect.stringContaining('name=url')]);
  },
);
