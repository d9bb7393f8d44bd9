import { seededRandom } from '../portals/random.js';
import { FaultPlan } from './fault-plan.js';
import { faultRuleSchema } from './fault-rule.js';

const target = {
  method: 'POST',
  path: '/crm/v3/objects/contacts',
  kind: 'create' as const,
  rawBody: '{"email":"ada"}',
};
const fault = { type: 'reset-after' };

/** Which of twelve matching calls are struck. */
const struckOf = (rule: object): number[] => {
  const plan = new FaultPlan(seededRandom('f'), () => 0);
  plan.add(faultRuleSchema.parse({ fault, ...rule }));
  return Array.from({ length: 12 }, (_, i) => i + 1).filter(() => plan.strike(target) !== null);
};

describe('fault plan', () => {
  it.each([
    ['every call without a count', {}, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]],
    ['every fifth', { every: 5 }, [5, 10]],
    ['every fifth after an offset', { every: 5, offset: 2 }, [7, 12]],
    ['only the third', { nth: 3 }, [3]],
    ['the third after an offset', { nth: 3, offset: 4 }, [7]],
    ['the first two', { times: 2 }, [1, 2]],
    ['two after an offset', { times: 2, offset: 3 }, [4, 5]],
    ['the path', { match: { path: '^/crm/v3/objects/companies' } }, []],
    ['the kind', { match: { kind: 'create' }, nth: 1 }, [1]],
    ['any kind', { match: { kind: 'any' }, nth: 1 }, [1]],
    ['another kind', { match: { kind: 'search' } }, []],
    ['the method', { match: { method: 'GET' } }, []],
    ['the body', { match: { contains: '"ada"' }, nth: 2 }, [2]],
    ['another body', { match: { contains: 'bob' } }, []],
  ])('strikes %s', (_name, rule, expected) => expect(struckOf(rule)).toEqual(expected));

  it('draws a fraction from the seed', () => {
    const once = struckOf({ fraction: 0.5 });
    expect(once.length).toBeGreaterThan(2);
    expect(once.length).toBeLessThan(10);
    expect(struckOf({ fraction: 0.5 })).toEqual(once);
  });

  it('strikes for a time', () => {
    let nowMs = 5_000;
    const plan = new FaultPlan(seededRandom('f'), () => nowMs);
    plan.add(faultRuleSchema.parse({ fault, offset: 1, forMs: 3_000 }));
    const struckAt = (atMs: number) => {
      nowMs = atMs;
      return plan.strike(target) !== null;
    };
    expect([5_000, 6_000, 8_999, 9_000].map(struckAt)).toEqual([false, true, true, false]);
  });

  it('lets the first rule strike and counts in all', () => {
    const plan = new FaultPlan(seededRandom('f'), () => 0);
    plan.add(faultRuleSchema.parse({ fault, nth: 2 }));
    plan.add(faultRuleSchema.parse({ fault: { type: 'status', status: 500 } }));
    const types = [plan.strike(target), plan.strike(target)].map((struck) => struck?.fault.type);
    expect(types).toEqual(['status', 'reset-after']);
    expect(plan.list().map(({ seen, hits }) => [seen, hits])).toEqual([
      [2, 1],
      [2, 1],
    ]);
  });

  it('holds answers until released, once each, and forgets those nobody waits for', () => {
    const plan = new FaultPlan(seededRandom('f'), () => 0);
    plan.add(faultRuleSchema.parse({ fault: { type: 'hold-answer' } }));
    const struck = plan.strike(target);
    if (!struck) throw new Error('not struck');
    const sent: string[] = [];
    plan.hold(struck.planned, () => sent.push('a'));
    const leave = plan.hold(struck.planned, () => sent.push('b'));
    expect(struck.planned.holding).toBe(2);
    leave();
    expect(plan.release()).toBe(1);
    expect(plan.release()).toBe(0);
    expect(sent).toEqual(['a']);
    expect(struck.planned.holding).toBe(0);
  });
});

describe('fault rule', () => {
  it.each([
    [{}],
    [{ fault: { type: 'explode' } }],
    [{ fault, every: 0 }],
    [{ fault, every: 2, nth: 2 }],
    [{ fault: { type: 'status' } }],
    [{ fault: { type: 'delay' } }],
    [{ fault, match: { path: '(' } }],
    [{ fault, match: { kind: 'dance' } }],
    [{ fault, wnen: 1 }],
  ])('refuses %j', (rule) => expect(faultRuleSchema.safeParse(rule).success).toBe(false));
});
