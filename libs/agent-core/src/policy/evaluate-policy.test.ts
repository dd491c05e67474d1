import fc from 'fast-check';
import type { JsonText } from '../shared/brand.js';
import { evaluatePolicy, type PolicyQuestion } from './evaluate-policy.js';
import type { ConditionOperator, PolicyCondition, PolicyRule, TenantPolicy, Verdict } from './policy-rule.js';

function rule(action: PolicyRule['action'], more: Partial<PolicyRule> = {}): PolicyRule {
  return {
    tool: '*',
    when: [],
    action,
    approvals: 1,
    approverRole: null,
    ttlSeconds: null,
    onExpiry: null,
    reason: null,
    ...more,
  };
}

const when = (path: string, op: ConditionOperator, value: string): PolicyCondition => ({
  path,
  op,
  value: value as JsonText,
});

interface Given {
  readonly effect?: 'read' | 'idempotent' | 'once';
  readonly args?: string;
  readonly tenant?: readonly PolicyRule[];
  readonly agent?: readonly PolicyRule[];
  readonly policy?: Partial<TenantPolicy>;
  readonly ttl?: number;
}

function judge({ effect = 'once', args = '{}', tenant = [], agent = [], policy = {}, ttl }: Given): Verdict {
  const question: PolicyQuestion = {
    tool: { name: 'refund_order', effect },
    arguments: args as JsonText,
    agentRules: agent,
    tenant: { version: 1, rules: tenant, allowlist: null, agentsMayLoosen: false, ...policy },
  };
  return evaluatePolicy(ttl === undefined ? question : { ...question, defaultTtlSeconds: ttl });
}

describe('without any rule', () => {
  test.each([
    ['read', 'allow'],
    ['idempotent', 'require_approval'],
    ['once', 'require_approval'],
  ] as const)('%s: %s', (effect, type) => {
    expect(judge({ effect })).toMatchObject({ type, rule: 'default' });
  });
});

describe('the allowlist', () => {
  test('denies what is not in it, whatever the rules say', () => {
    const verdict = judge({
      effect: 'read',
      tenant: [rule('allow')],
      policy: { allowlist: ['search', 'refund'] },
    });
    expect(verdict).toMatchObject({ type: 'deny', rule: 'allowlist' });
    expect(judge({ effect: 'read', policy: { allowlist: [] } }).type).toBe('deny');
  });

  test.each(['refund_order', 'refund_*', '*'])('takes names and globs: %s', (entry) => {
    expect(judge({ effect: 'read', policy: { allowlist: ['other', entry] } }).type).toBe('allow');
  });
});

describe('of all rules that match', () => {
  test('the strictest action decides, wherever it stands', () => {
    const rules = [rule('allow'), rule('require_approval'), rule('deny', { reason: 'frozen' })];
    expect(judge({ tenant: rules })).toEqual({ type: 'deny', rule: 'tenant:2', reason: 'frozen' });
    expect(judge({ tenant: rules.slice(0, 2) })).toMatchObject({
      type: 'require_approval',
      rule: 'tenant:1',
    });
    expect(judge({ tenant: rules.slice(0, 1) })).toEqual({ type: 'allow', rule: 'tenant:0' });
    expect(judge({ tenant: [rule('allow')], agent: [rule('deny')] })).toMatchObject({
      type: 'deny',
      rule: 'agent:0',
    });
    expect(judge({ tenant: [rule('require_approval')], agent: [rule('allow')] }).type).toBe(
      'require_approval',
    );
  });

  test('a rule for another tool is none', () => {
    expect(
      judge({ tenant: [rule('deny', { tool: 'refund' }), rule('allow', { tool: 'refund_*' })] }).type,
    ).toBe('allow');
  });

  test('approvals add up: the most approvals, all roles, the shortest ttl, and expiry fails where any says so', () => {
    const verdict = judge({
      tenant: [
        rule('require_approval', { approverRole: 'finance', ttlSeconds: 600, reason: 'first' }),
        rule('require_approval', { approvals: 2, approverRole: 'admin', ttlSeconds: 900, reason: 'second' }),
      ],
      agent: [rule('require_approval', { approverRole: 'finance', onExpiry: 'fail' })],
    });
    expect(verdict).toEqual({
      type: 'require_approval',
      rule: 'tenant:1',
      reason: 'second',
      approvals: 2,
      approverRoles: ['admin', 'finance'],
      ttlSeconds: 600,
      onExpiry: 'fail',
    });
  });

  test("a rule without ttl stands for the agent's, which may be the shortest", () => {
    const rules = [rule('require_approval'), rule('require_approval', { ttlSeconds: 600 })];
    expect(judge({ tenant: rules })).toMatchObject({ ttlSeconds: 600 });
    expect(judge({ tenant: rules, ttl: 300 })).toMatchObject({ ttlSeconds: 300 });
    expect(judge({ tenant: rules.slice(0, 1), ttl: 300 })).toMatchObject({ ttlSeconds: null });
  });
});

describe("an agent's allow", () => {
  const agent = [rule('allow')];

  test('lifts the default for idempotent tools, for once only where the tenant lets it', () => {
    expect(judge({ effect: 'idempotent', agent })).toEqual({ type: 'allow', rule: 'agent:0' });
    expect(judge({ agent })).toMatchObject({ type: 'require_approval', rule: 'default' });
    expect(judge({ agent, policy: { agentsMayLoosen: true } })).toEqual({ type: 'allow', rule: 'agent:0' });
  });

  test("is not needed where the tenant's allows", () => {
    expect(judge({ agent, tenant: [rule('allow')] })).toEqual({ type: 'allow', rule: 'tenant:0' });
  });
});

describe('a rule that cannot be evaluated', () => {
  const unclear = { when: [when('/missing', 'gt', '100')] };

  test.each([
    ['allow', 'require_approval', 'default'],
    ['require_approval', 'require_approval', 'tenant:0'],
    ['deny', 'deny', 'tenant:0'],
  ] as const)('%s: %s by %s', (action, type, name) => {
    expect(judge({ tenant: [rule(action, unclear)] })).toMatchObject({ type, rule: name });
  });

  test('holds where the arguments are not even JSON', () => {
    expect(judge({ args: '{', tenant: [rule('deny', { when: [when('/a', 'eq', '1')] })] }).type).toBe('deny');
  });
});

describe('properties', () => {
  const condition = fc.record({
    path: fc.constantFrom('/amount', '/currency', '/missing', 'malformed'),
    op: fc.constantFrom<ConditionOperator>('eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in', 'exists'),
    value: fc
      .constantFrom('1', '"1.0"', '"EUR"', '["EUR",1]', 'true', 'false', 'null', '{')
      .map((text) => text as JsonText),
  });
  const anyRule: fc.Arbitrary<PolicyRule> = fc.record({
    tool: fc.constantFrom('*', 'refund_*', 'refund_order', 'other'),
    when: fc.array(condition, { maxLength: 2 }),
    action: fc.constantFrom('allow', 'deny', 'require_approval'),
    approvals: fc.constantFrom(1, 2),
    approverRole: fc.constantFrom(null, 'admin', 'finance'),
    ttlSeconds: fc.constantFrom(null, 60, 600),
    onExpiry: fc.constantFrom(null, 'reject', 'fail'),
    reason: fc.constant(null),
  });
  const given = fc.record({
    effect: fc.constantFrom('read', 'idempotent', 'once'),
    args: fc.constantFrom(
      '{}',
      '{"amount":1,"currency":"EUR"}',
      '{"amount":"2","currency":null}',
      '{"amount":[]}',
    ),
    tenant: fc.array(anyRule, { maxLength: 5 }),
    agent: fc.array(anyRule, { maxLength: 3 }),
    policy: fc.record({
      agentsMayLoosen: fc.boolean(),
      allowlist: fc.constantFrom(null, ['*'], ['refund_*'], ['x']),
    }),
  }) satisfies fc.Arbitrary<Given>;

  const DEFAULT_TTL = 300;
  const strictness = (verdict: Verdict) => ['allow', 'require_approval', 'deny'].indexOf(verdict.type);
  const substance = ({ rule: _name, ...rest }: Verdict) =>
    'reason' in rest ? { ...rest, reason: '' } : rest;

  test('the order of rules does not matter', () => {
    const shuffled = given.chain((one) =>
      fc.record({
        one: fc.constant(one),
        tenant: fc.shuffledSubarray(one.tenant, { minLength: one.tenant.length }),
        agent: fc.shuffledSubarray(one.agent, { minLength: one.agent.length }),
      }),
    );
    fc.assert(
      fc.property(shuffled, ({ one, tenant, agent }) => {
        expect(substance(judge({ ...one, tenant, agent }))).toEqual(substance(judge(one)));
      }),
    );
  });

  test('a further rule that denies or requires approval never loosens, nor one that cannot be evaluated', () => {
    fc.assert(
      fc.property(given, anyRule, fc.boolean(), (some, more, unclear) => {
        const one = { ...some, ttl: DEFAULT_TTL };
        const added = unclear ? { ...more, when: [when('/missing', 'eq', '1')] } : more;
        fc.pre(unclear || more.action !== 'allow');
        const before = judge(one);
        for (const bigger of [
          { ...one, tenant: [...one.tenant, added] },
          { ...one, agent: [added, ...one.agent] },
        ]) {
          expectNoLooser(judge(bigger), before);
        }
      }),
    );
  });

  /** Nothing that was held back gets through, and a signature takes no fewer people, roles or reasons to fail. */
  function expectNoLooser(after: Verdict, before: Verdict): void {
    expect(strictness(after)).toBeGreaterThanOrEqual(strictness(before));
    if (after.type !== 'require_approval' || before.type !== 'require_approval') return;
    expect(after.approvals).toBeGreaterThanOrEqual(before.approvals);
    expect(after.approverRoles).toEqual(expect.arrayContaining([...before.approverRoles]));
    if (before.onExpiry === 'fail') expect(after.onExpiry).toBe('fail');
    // The default names no time: the first rule that does is the first that counts.
    if (before.rule !== 'default')
      expect(after.ttlSeconds ?? DEFAULT_TTL).toBeLessThanOrEqual(before.ttlSeconds ?? DEFAULT_TTL);
  }

  test("an agent's rules alone never lift what the tenant's rules hold back", () => {
    fc.assert(
      fc.property(given, (one) => {
        const tenantOnly = judge({ ...one, agent: [] });
        fc.pre(tenantOnly.type !== 'allow' && tenantOnly.rule !== 'default');
        expect(strictness(judge(one))).toBeGreaterThanOrEqual(strictness(tenantOnly));
      }),
    );
  });
});

describe('digits', () => {
  test('digits beyond doubles count', () => {
    const args = '{"a":9007199254740993}';
    expect(
      judge({ args, tenant: [rule('deny', { when: [when('/a', 'eq', '9007199254740992')] })] }).type,
    ).not.toBe('deny');
    expect(
      judge({ args, tenant: [rule('deny', { when: [when('/a', 'gt', '9007199254740992')] })] }).type,
    ).toBe('deny');
  });
});
