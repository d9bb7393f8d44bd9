import type { Scenario } from '../format/scenario.js';
import { tenantIdFor, tenantsOf } from './tenants.js';

const scenario = (given: Scenario['given']): Scenario => ({
  name: 'x',
  ...(given === undefined ? {} : { given }),
  steps: [],
  then: [],
});

test('a scenario that names no tenant has one', () => {
  expect(tenantsOf(scenario({ plan: 'standard', crm: { uniqueProperties: 'forbidden' } }))).toEqual(
    [
      {
        name: 'main',
        given: {
          plan: 'standard',
          portals: { crm: { uniqueProperties: 'forbidden', behaviour: {} } },
        },
      },
    ],
  );
});

test('what a tenant has of its own lies over what all share', () => {
  const specs = tenantsOf(
    scenario({
      crm: { behaviour: { indexLagMs: 5, webhooks: 'hold' } },
      tenants: {
        a: {},
        b: { crm: { uniqueProperties: 'forbidden', behaviour: { indexLagMs: 9 } } },
      },
    }),
  );
  expect(specs.map(({ name, given }) => [name, given.portals?.['crm']])).toEqual([
    ['a', { behaviour: { indexLagMs: 5, webhooks: 'hold' } }],
    ['b', { uniqueProperties: 'forbidden', behaviour: { indexLagMs: 9, webhooks: 'hold' } }],
  ]);
});

test.each(['A change, pushed twice — makes one contact of two hundred', '…'])(
  'the id of a tenant is a valid name: %s',
  (name) => {
    const id = tenantIdFor(name, 'forbidden', 'x7k2q9aa');
    expect(id).toMatch(/^[a-z0-9][a-z0-9_-]{0,47}$/);
    expect(id).toMatch(/forbidden-x7k2q9aa$/);
  },
);
