import { safeTarget } from './safe-target.js';

const codeOf = (url: string, allowPrivateAddress = false): string => {
  const result = safeTarget(url, allowPrivateAddress);
  return result.ok ? 'ok' : result.code;
};

test.each([
  'https://api.hubapi.com',
  'https://api.hubapi.com/crm/v3/objects/contacts?limit=1',
  'https://acme.my.salesforce.com:8443/services/data',
  'https://8.8.8.8/',
  'https://[2606:4700:4700::1111]/',
  'https://xn--bcher-kva.example.com/',
  'https://bücher.example.com/',
  'HTTPS://API.HUBAPI.COM/x',
  'https://api.hubapi.com./x',
  'https://127.0.0.1.nip.example.com/',
])('%s is fine', (url) => {
  expect(codeOf(url)).toBe('ok');
});

const hostile: readonly (readonly [string, string])[] = [
  // Not a URL, or one that parsers read in different ways.
  ['', 'url-invalid'],
  ['api.hubapi.com', 'url-invalid'],
  ['https://', 'url-invalid'],
  ['https://api.hubapi.com:99999/', 'url-invalid'],
  ['https://api.hubapi.com\\@127.0.0.1/', 'url-invalid'],
  ['https://api.hubapi.com /x', 'url-invalid'],
  ['https://127.0.\n0.1/', 'url-invalid'],
  ['https://api.hubapi.com/\u0000', 'url-invalid'],
  ['https://[::1', 'url-invalid'],
  ['https://[fe80::1%25eth0]/', 'url-invalid'],
  ['https://256.1.1.1/', 'url-invalid'],
  // Schemes.
  ['http://api.hubapi.com/', 'url-scheme'],
  ['file:///etc/passwd', 'url-scheme'],
  ['gopher://api.hubapi.com/', 'url-scheme'],
  ['ftp://api.hubapi.com/', 'url-scheme'],
  ['data:text/plain,x', 'url-scheme'],
  ['javascript:alert(1)', 'url-scheme'],
  ['https:api.hubapi.com', 'url-scheme'],
  ['https:/api.hubapi.com', 'url-scheme'],
  // Credentials, also as a disguise of the host.
  ['https://user:pass@api.hubapi.com/', 'url-credentials'],
  ['https://api.hubapi.com@127.0.0.1/', 'url-credentials'],
  ['https://@127.0.0.1/', 'url-credentials'],
  // This host.
  ['https://127.0.0.1/', 'private-address'],
  ['https://127.8.8.8:9092/', 'private-address'],
  ['https://0.0.0.0/', 'private-address'],
  ['https://localhost/', 'private-address'],
  ['https://LOCALHOST/', 'private-address'],
  ['https://localhost./', 'private-address'],
  ['https://api.localhost/', 'private-address'],
  ['https://[::1]/', 'private-address'],
  ['https://[::]/', 'private-address'],
  ['https://[0:0:0:0:0:0:0:1]/', 'private-address'],
  // Private networks and names.
  ['https://10.0.0.1/', 'private-address'],
  ['https://172.16.0.1/', 'private-address'],
  ['https://172.31.255.255/', 'private-address'],
  ['https://192.168.1.1/', 'private-address'],
  ['https://100.64.0.1/', 'private-address'],
  ['https://198.18.0.1/', 'private-address'],
  ['https://postgres/', 'private-address'],
  ['https://kafka.svc.cluster.local/', 'private-address'],
  ['https://db.corp.internal/', 'private-address'],
  ['https://printer.lan/', 'private-address'],
  ['https://[fd00::1]/', 'private-address'],
  ['https://[fec0::1]/', 'private-address'],
  // Metadata services and link-local.
  ['https://169.254.169.254/latest/meta-data/', 'private-address'],
  ['https://metadata.google.internal/', 'private-address'],
  ['https://100.100.100.200/', 'private-address'],
  ['https://168.63.129.16/', 'private-address'],
  ['https://192.0.0.192/', 'private-address'],
  ['https://[fd00:ec2::254]/', 'private-address'],
  ['https://[fe80::1]/', 'private-address'],
  // Multicast, broadcast, reserved, documentation.
  ['https://224.0.0.1/', 'private-address'],
  ['https://255.255.255.255/', 'private-address'],
  ['https://240.0.0.1/', 'private-address'],
  ['https://192.0.2.1/', 'private-address'],
  ['https://[ff02::1]/', 'private-address'],
  ['https://[2001:db8::1]/', 'private-address'],
  // The same addresses in other writings.
  ['https://2130706433/', 'address-form'],
  ['https://0x7f000001/', 'address-form'],
  ['https://0x7f.0.0.1/', 'address-form'],
  ['https://0177.0.0.1/', 'address-form'],
  ['https://017700000001/', 'address-form'],
  ['https://127.1/', 'address-form'],
  ['https://127.0.0.1./', 'address-form'],
  ['https://127.0.0.01/', 'address-form'],
  ['https://134744072/', 'address-form'],
  ['https://１２７.0.0.1/', 'address-form'],
  ['https://①②⑦.0.0.1/', 'address-form'],
  ['https://127。0。0。1/', 'address-form'],
  ['https://%31%32%37.0.0.1/', 'address-form'],
  // An IPv4 address inside an IPv6 one.
  ['https://[::ffff:127.0.0.1]/', 'address-form'],
  ['https://[::ffff:7f00:1]/', 'address-form'],
  ['https://[::127.0.0.1]/', 'address-form'],
  ['https://[::ffff:8.8.8.8]/', 'address-form'],
  ['https://[64:ff9b::7f00:1]/', 'private-address'],
  ['https://[64:ff9b:1::1]/', 'private-address'],
  ['https://[2002:7f00:1::]/', 'private-address'],
  ['https://[2001:0:4136:e378::1]/', 'private-address'],
];

test.each(hostile)('%j is refused as %s', (url, code) => {
  expect(codeOf(url)).toBe(code);
});

test('the table is as long as it should be', () => {
  expect(hostile.length).toBeGreaterThanOrEqual(60);
});

test.each([
  ['http://127.0.0.1:27010/', 'ok'],
  ['http://localhost:27010/', 'ok'],
  ['http://crm-sim:8080/', 'ok'],
  ['https://10.0.0.1/', 'ok'],
  ['http://[::1]:27010/', 'ok'],
  ['http://user@127.0.0.1/', 'url-credentials'],
  ['http://2130706433/', 'address-form'],
  ['http://[::ffff:7f00:1]/', 'address-form'],
  ['file:///etc/passwd', 'url-scheme'],
])('where private addresses are allowed, %s gives %s', (url, code) => {
  expect(codeOf(url, true)).toBe(code);
});
