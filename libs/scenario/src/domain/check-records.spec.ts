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
    associations: { meetings: 1, companies: { max: 1 } },
  };
  expect(checkRecords(check, [ada, eve])).toEqual({
    expected:
      '1 contact; with email ada@example.com; phone +1; 1 meeting each; at most 1 companies each',
    measured: '1 contact; phone +1; 1 meeting each; 1 company each',
    ok: true,
  });
});

test('what differs is measured', () => {
  const check = { type: 'contacts', properties: { phone: '+1' }, associations: { companies: 1 } };
  expect(checkRecords(check, [ada, eve])).toEqual({
    expected: 'at least 1 contacts; phone +1; 1 company each',
    measured: '2 contacts; phone +1, (empty); 0 to 1 company each',
    ok: false,
  });
  expect(checkRecords({ type: 'companies', count: 1 }, [])).toMatchObject({
    expected: '1 company',
    measured: '0 companies',
    ok: false,
  });
});
