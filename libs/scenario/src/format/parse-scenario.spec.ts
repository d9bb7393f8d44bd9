import { parseScenario } from './parse-scenario.js';

const good = `
name: A change pushed twice makes one contact
steps:
  - push:
      changes:
        - { action: create, type: contact, recordId: c-1, fields: { email: ada@example.com } }
      deliveries: 2
  - wait: settled
  - mark: done
then:
  - records: { type: contacts, count: 1 }
  - calls: { kind: write, since: done, count: 0 }
`;

const faultsOf = (text: string): readonly string[] => {
  const parsed = parseScenario(text);
  return parsed.ok
    ? []
    : parsed.faults.map((fault) => `${fault.line}: ${fault.path}: ${fault.message}`);
};

test('a small scenario is read as it stands', () => {
  const parsed = parseScenario(good);
  expect(parsed).toMatchObject({
    ok: true,
    scenario: { steps: [{ push: { deliveries: 2 } }, {}, {}] },
  });
});

test('text that is no YAML is a fault with its line', () => {
  expect(faultsOf('name: [a\nsteps: b')[0]).toMatch(/^2: : /);
});

test('all faults of the shape come at once, with their lines', () => {
  const text = `
name: x
steps:
  - push:
      changes: []
      clints: 8
  - wait: forever
then:
  - records: { count: -1 }
`;
  expect(faultsOf(text)).toEqual([
    '5: steps[0].push.changes: must NOT have fewer than 1 items',
    expect.stringMatching(
      /^6: steps\[0\]\.push\.clints: unknown key 'clints'; known here: tenant, /,
    ),
    '7: steps[1].wait: must be one of: settled',
    "9: then[0].records: 'type' is missing",
    '9: then[0].records.count: must be >= 0',
  ]);
});

test.each([
  [
    'two verbs in a step',
    '- wait: settled\n    mark: a',
    'a step does one thing; this one names: wait, mark',
  ],
  ['neither changes nor body', '- push: { clients: 2 }', "needs either 'changes' or 'body'"],
  [
    'a service without order',
    '- service: { withinMs: 5 }',
    'needs one of kill, stop, start, restart, pause, resume',
  ],
  ['a wait for nothing', '- wait: { withinMs: 5 }', 'needs one of settled, until, forMs'],
  [
    'shared ground',
    '- infra: { flush: redis }',
    "touches what other scenarios share: write 'exclusive: true' at the top",
  ],
  [
    'an unknown tenant',
    '- human: { tenant: b, action: create, type: contacts }',
    "this scenario has no tenant 'b'; it has: main",
  ],
  ['time without a reason', '- wait: { forMs: 100 }', "'because' is missing: say what for"],
])('%s', (_, step, message) => {
  const text = `name: x\nsteps:\n  ${step}\nthen:\n  - records: { type: contacts, count: 0 }\n`;
  expect(faultsOf(text)).toEqual(expect.arrayContaining([expect.stringContaining(message)]));
});

test('a mark that no step sets is named', () => {
  expect(faultsOf(good.replace('since: done', 'since: start'))).toEqual([
    "12: then[1]: no step sets the mark 'start'",
  ]);
});
