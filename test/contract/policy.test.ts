import { createTenant } from '../support/client.js';
import { expectInvalid } from './problem.js';

describe('the tenant\u2019s policy', () => {
  test('begins empty, at version 0', async () => {
    const { api } = await createTenant();
    expect((await api.get('/v1/policy')).body).toEqual({
      version: 0,
      rules: [],
      allowlist: null,
      agentsMayLoosen: false,
      createdAt: null,
    });
  });

  test('is replaced whole, version after version, and keeps the digits of its rules', async () => {
    const { api } = await createTenant();
    const rules =
      '[{"tool":"refund_*","when":[{"path":"/amount","op":"lte","value":100.10},{"path":"/order/id","op":"in","value":[9007199254740993,"a"]}],"action":"allow"}]';
    const first = await api.send(
      'PUT',
      '/v1/policy',
      `{"rules":${rules},"allowlist":["refund_order"],"agentsMayLoosen":true}`,
    );
    expect(first.status).toBe(200);
    expect(first.text).toContain(rules.slice(1, -1).replace('"action":"allow"}', ''));
    expect(first.body).toMatchObject({ version: 1, allowlist: ['refund_order'], agentsMayLoosen: true });
    const second = await api.expect(200, api.put('/v1/policy', { rules: [] }));
    expect(second).toMatchObject({ version: 2, rules: [], allowlist: null, agentsMayLoosen: false });
    expect((await api.get('/v1/policy')).body).toEqual(second);
  });

  test('a rule may name everything that the contract knows', async () => {
    const { api } = await createTenant();
    const rule = {
      tool: '*',
      when: [{ path: '/a', op: 'exists', value: false }],
      action: 'require_approval',
      approvals: 2,
      approverRole: 'admin',
      ttlSeconds: 60,
      onExpiry: 'fail',
      reason: 'Ask first.',
    };
    expect(await api.expect(200, api.put('/v1/policy', { rules: [rule] }))).toMatchObject({ rules: [rule] });
  });

  test.each<[object, string]>([
    [{}, '/rules'],
    [{ rules: [{ tool: '*', action: 'allow', approvals: 3 }] }, '/rules/0/approvals'],
    [{ rules: [{ tool: '*', action: 'allow', approverRole: 'king' }] }, '/rules/0/approverRole'],
    [{ rules: [{ tool: '*', action: 'allow', ttlSeconds: 0 }] }, '/rules/0/ttlSeconds'],
    [
      { rules: [{ tool: '*', action: 'allow', when: [{ path: '/a', op: 'like', value: 'x' }] }] },
      '/rules/0/when/0/op',
    ],
    [{ rules: [{ tool: '*', action: 'allow', when: [{ path: '/a', op: 'eq' }] }] }, '/rules/0/when/0/value'],
    [{ rules: [{ tool: '*', action: 'allow', unless: [] }] }, '/rules/0/unless'],
    [{ rules: [], allowlist: ['a b'] }, '/allowlist/0'],
  ])('%j is invalid', async (body, path) => {
    const { api } = await createTenant();
    expectInvalid(await api.put('/v1/policy', body), path);
  });

  test.each(['"0100"', '"1e2"', '"+5"', '"5."', '1e1234567890123456', 'true', 'null'])(
    'an order against %s could never be told, so the rule is refused',
    async (value) => {
      const { api } = await createTenant();
      const rule = `{"tool":"*","action":"deny","when":[{"path":"/a","op":"gt","value":${value}}]}`;
      expectInvalid(await api.send('PUT', '/v1/policy', `{"rules":[${rule}]}`), '/rules/0/when/0/value');
    },
  );

  test.each([
    ['a value that is no list', 5],
    ['more than 1,000 values', Array.from({ length: 1_001 }, (_, index) => index)],
  ])('`in` against %s is refused', async (_what, value) => {
    const { api } = await createTenant();
    const rules = [{ tool: '*', action: 'deny', when: [{ path: '/a', op: 'in', value }] }];
    expectInvalid(await api.put('/v1/policy', { rules }), '/rules/0/when/0/value');
  });

  test('is nobody else\u2019s', async () => {
    const [one, other] = await Promise.all([createTenant(), createTenant()]);
    await one.api.expect(200, one.api.put('/v1/policy', { rules: [{ tool: '*', action: 'deny' }] }));
    expect((await other.api.get('/v1/policy')).body).toMatchObject({ version: 0, rules: [] });
  });
});
