import { httpService } from '../testing/http-service.js';
import { planFile } from '../testing/plan-file.js';
import { runCli } from '../testing/run-cli.js';

/** Nothing listens on port 1 of this machine. */
const deadUrl = 'http://127.0.0.1:1';
const allowed = '    allowPrivateAddress: true\n';
const check = (file: string, ...more: string[]) => runCli('apply', '--check', '-f', file, ...more);

test('every fault of a plan is told with its line and code, and nothing is published', async () => {
  const file = planFile({
    tenant: 'Acme',
    baseUrl: 'http://10.0.0.7/secret-path',
    more: '    colour: red\n',
  });
  const { code, out, err } = await runCli('apply', '-f', file);
  expect(code).toBe(2);
  expect(out).toBe('');
  expect(err.split('\n').map((line) => line.replace(`${file}:`, ''))).toEqual([
    expect.stringMatching(/^2:1: bad-name: tenant: /),
    expect.stringMatching(/^8:5: bad-base-url: sources\.crm\.baseUrl: /),
    expect.stringMatching(/^11:5: unknown-key: sources\.crm\.colour: /),
    '3 faults; nothing was published',
    '',
  ]);
  expect(err).not.toContain('secret-path');
});

test('a CRM address where nothing answers is a fault, unless nobody asks', async () => {
  const file = planFile({ baseUrl: deadUrl, more: allowed });
  const flags = ['--allow-private-addresses'];
  expect(await check(file, ...flags)).toMatchObject({
    code: 2,
    err: `${file}: unreachable: source crm: nothing answers at ${deadUrl}\n`,
  });
  expect(await check(file, ...flags, '--no-reach')).toMatchObject({ code: 0, err: '' });
});

test('any answer of a CRM will do; this is no login', async () => {
  const crm = await httpService(() => ({ status: 401, body: {} }));
  const file = planFile({ baseUrl: crm.url, more: allowed });
  expect(await check(file, '--allow-private-addresses')).toEqual({
    code: 0,
    err: '',
    out: `${file}: the plan of acme is well formed\n`,
  });
  expect(crm.asked).toHaveLength(1);
  await crm.close();
});

test('a private address is refused before anything is asked there', async () => {
  const crm = await httpService(() => ({ body: {} }));
  const { code, err } = await check(planFile({ baseUrl: crm.url, more: allowed }));
  expect([code, crm.asked]).toEqual([2, []]);
  expect(err).toContain('private-address');
  await crm.close();
});

test.each([
  ['a file that is not there', ['apply', '-f', '/nowhere/plan.yaml'], /cannot be read/],
  ['no file', ['apply'], /required option/],
  ['an option that is not there', ['apply', '-f', 'x', '--fast'], /unknown option '--fast'/],
  ['a word for a number', ['apply', '-f', 'x', '--wait-seconds', 'long'], /wait-seconds/],
  ['a command that is not there', ['aply'], /unknown command/],
])('a wrong call ends with 2 and says why: %s', async (_name, args, says) => {
  const { code, err } = await runCli(...args);
  expect([code, err]).toEqual([2, expect.stringMatching(says)]);
});

test('help is no error', async () => {
  const { code, out } = await runCli('apply', '--help');
  expect([code, out]).toEqual([0, expect.stringContaining('--no-reach')]);
});

test('a stack that is not there ends with 1 and says how to start it', async () => {
  const { code, err } = await runCli('apply', '-f', planFile(), '--no-reach', '--stack', 'no-such');
  expect([code, err]).toEqual([1, expect.stringContaining('npm run dev -- --stack no-such')]);
});
