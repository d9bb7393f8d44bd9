import { checkRecords } from './check-records.js';
import type { CrmRecord } from './evidence.js';

const ada: CrmRecord = {
  id: '1',
  properties: { email: 'ada@example.com', phone: '+1' },
  archived: false,
  createdAtMs: 0,
  associations: [
    { toType: 'meetings', toId: '9', kind: '200' },
    { toType: 'companies', toId: '5', kind: '1' },
    { toType: 'companies', toId: '5', kind: '279' },
  ],
};
const eve: CrmRecord = {
  ...ada,
  id: '2',
  properties: { email: 'eve@example.com' },
  associations: [],
};

test('count, properties and links of every record found', () => {
  const check = {
    type: 'contacts',
    where: { email: 'ada@example.com' },
    count: 1,
    properties: { phone: '+1' },
    associations: { meetings: 1, companies: 1 },
  };
  expect(checkRecords(check, [ada, eve])).toEqual({
    expected: '1 contacts; with email ada@example.com; phone +1; 1 meetings each; 1 companies each',
    measured: '1 contacts',
    ok: true,
  });
});

test('what differs is measured', () => {
  const check = { type: 'contacts', properties: { phone: '+1' }, associations: { companies: 1 } };
  expect(checkRecords(check, [ada, eve])).toEqual({
    expected: 'at least 1 contacts; phone +1; 1 companies each',
    measured: '2 contacts; phone (empty); 0 companies',
    ok: false,
  });
});
