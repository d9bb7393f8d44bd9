import { entriesOf, memberOf } from './own.js';
import { isPrivateHost } from './private-host.js';
import type { PlanPermissions, Report } from './check-plan.js';

/** An unknown outcome keeps one record waiting this long at most. */
const settleMaxMs = 900_000;

/** Base URL, timing and quota of one CRM source. */
export function checkConnection(
  id: string,
  source: unknown,
  permissions: PlanPermissions,
  report: Report,
): void {
  const allowed = memberOf(source, 'allowPrivateAddress') === true;
  if (allowed && !permissions.allowPrivateAddresses)
    report(
      ['sources', id, 'allowPrivateAddress'],
      'private-address',
      'private addresses are for development; this installation does not permit them',
    );
  const baseUrl = memberOf(source, 'baseUrl');
  const fault = typeof baseUrl === 'string' ? baseUrlFault(baseUrl, allowed) : undefined;
  if (fault) report(['sources', id, 'baseUrl'], fault.code, fault.message);
  checkTiming(id, memberOf(source, 'timing'), report);
  checkQuota(id, memberOf(source, 'quota'), report);
}

/** The first thing wrong with a base URL, or undefined. The URL is not repeated: it may hold a password. */
function baseUrlFault(
  text: string,
  privateAllowed: boolean,
): { readonly code: string; readonly message: string } | undefined {
  const code = 'bad-base-url';
  if (!URL.canParse(text)) return { code, message: 'write a full URL: https://api.example.com' };
  const url = new URL(text);
  if (url.username !== '' || url.password !== '')
    return { code, message: 'no credentials in a URL; use credentials.accessToken' };
  if (url.search !== '' || url.hash !== '') return { code, message: 'no query and no fragment' };
  if (url.protocol !== 'https:' && !(privateAllowed && url.protocol === 'http:'))
    return { code, message: 'https only' };
  if (!privateAllowed && isPrivateHost(url))
    return { code: 'private-address', message: 'the address is private, local or reserved' };
  return undefined;
}

function checkTiming(id: string, timing: unknown, report: Report): void {
  const values = [
    memberOf(timing, 'requestDeadlineMs') ?? 10_000,
    memberOf(timing, 'crmLongestRunMs') ?? 20_000,
    memberOf(timing, 'indexLagMs') ?? 30_000,
  ];
  const settleMs = values.reduce<number>((sum, ms) => sum + (typeof ms === 'number' ? ms : 0), 0);
  if (settleMs > settleMaxMs)
    report(
      ['sources', id, 'timing'],
      'timing',
      `deadline, longest run and index lag add up to ${settleMs} ms: a lost answer would hold its record for more than ${settleMaxMs} ms`,
    );
}

/** A window so small that the reserve leaves no call would stop the source without a word. */
function checkQuota(id: string, quota: unknown, report: Report): void {
  const reserve = memberOf(quota, 'reserve') ?? 0.1;
  if (typeof reserve !== 'number') return;
  for (const window of ['perSecond', 'perTenSeconds', 'searchPerSecond']) {
    const calls = memberOf(quota, window);
    if (typeof calls === 'number' && calls * (1 - reserve) < 1)
      report(
        ['sources', id, 'quota', window],
        'quota',
        `with a reserve of ${reserve} no call is left in this window`,
      );
  }
}

/** One endpoint is verified with one list of secrets, or a delivery could be signed by the wrong one. */
export function checkEndpoints(raw: unknown, report: Report): void {
  const known = new Map<
    string,
    { readonly id: string; readonly secrets: string; provider: unknown }
  >();
  for (const [id, source] of entriesOf(memberOf(raw, 'sources'))) {
    const endpoint = memberOf(memberOf(source, 'webhook'), 'endpoint');
    if (typeof endpoint !== 'string') continue;
    const secrets = JSON.stringify(memberOf(memberOf(source, 'webhook'), 'secrets'));
    const provider = memberOf(source, 'provider');
    const first = known.get(endpoint);
    if (!first) known.set(endpoint, { id, secrets, provider });
    else if (first.secrets !== secrets || first.provider !== provider)
      report(
        ['sources', id, 'webhook', 'endpoint'],
        'endpoint-shared',
        `${first.id} receives at ${endpoint} with another provider or other secrets`,
      );
  }
}
