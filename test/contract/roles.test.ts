import { type Api, admin, createTenant, type TestTenant } from '../support/client.js';
import { type Role, signedInMember } from '../support/people.js';

interface Route {
  readonly method: string;
  readonly path: string;
  /** As OpenAPI tells it: a scope, or null where none is named. */
  readonly scope: string | null;
}

const READS = ['runs:read', 'agents:read', 'approvals:read', 'metrics:read', 'audit:read'];
const SCOPES_OF: Readonly<Record<Role, readonly string[]>> = {
  viewer: READS,
  reviewer: [...READS, 'approvals:decide'],
  operator: [...READS, 'approvals:decide', 'runs:write'],
  admin: [
    ...READS,
    'approvals:decide',
    'runs:write',
    'agents:write',
    'tools:write',
    'budgets:write',
    'admin',
  ],
};
const ROLES = Object.keys(SCOPES_OF) as Role[];

/** Every route that there is, with path parameters that name nothing. */
async function allRoutes(): Promise<readonly Route[]> {
  const document = await admin().expect(
    200,
    admin().get<{ paths: Record<string, Record<string, { description: string }>> }>('/openapi.json'),
  );
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { description }]) => ({
      method: method.toUpperCase(),
      path: path.replace(/\{[^}]+\}/g, 'nothing'),
      scope: /^Scope: `(.+)`\.$/.exec(description)?.[1] ?? null,
    })),
  );
}

/** What a request that is empty, or names nothing, is answered: it changes nothing, whoever sends it. */
async function ask(api: Api, { method, path }: Route, headers: Record<string, string> = {}): Promise<string> {
  const body = method === 'GET' ? undefined : '{}';
  const { status, code } = await api.glance(method, path, body, headers);
  return code === null ? String(status) : `${status} ${code}`;
}

describe('a signed-in member', () => {
  let world: TestTenant;
  let routes: readonly Route[];
  beforeAll(async () => {
    [world, routes] = await Promise.all([createTenant(), allRoutes()]);
  });

  test('meets every scope somewhere', () => {
    const missing = SCOPES_OF.admin.filter((scope) => !routes.some((route) => route.scope === scope));
    expect(missing.filter((scope) => scope !== 'audit:read')).toEqual([]);
    expect(routes.length).toBeGreaterThan(40);
  });

  test.each(ROLES)('as %s may do what the role says on every route, and nothing else', async (role) => {
    const { api } = await signedInMember(world.api, role);
    const wrong: string[] = [];
    for (const route of routes.filter(({ scope }) => scope !== null)) {
      const answer = await ask(api, route);
      const refused = answer.startsWith('403') || answer.startsWith('401');
      const may = SCOPES_OF[role].includes(route.scope ?? '');
      if (may ? refused : answer !== '403 missing_scope') {
        wrong.push(`${route.method} ${route.path}: ${answer}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  test.each(ROLES)('as %s has no business on the operator\u2019s routes', async (role) => {
    const { api } = await signedInMember(world.api, role);
    for (const route of routes.filter(({ path }) => path.startsWith('/admin/'))) {
      expect([route.path, await ask(api, route)]).toEqual([route.path, '403 missing_scope']);
    }
  });

  test('finds no other tenant on any route', async () => {
    const { api } = await signedInMember(world.api, 'admin');
    const other = await createTenant();
    for (const route of routes.filter(({ scope }) => scope !== null)) {
      const answer = await ask(api.forTenant(other.tenant.id), route);
      expect([route.path, answer]).toEqual([route.path, '404 not_found']);
    }
  });

  test('changes nothing from a page of another origin, on any route', async () => {
    const { api } = await signedInMember(world.api, 'admin');
    const unsafe = routes.filter(({ method }) => method !== 'GET');
    expect(unsafe.length).toBeGreaterThan(20);
    for (const route of unsafe) {
      const answer = await ask(api, route, { origin: 'https://evil.test' });
      expect([route.path, answer]).toEqual([route.path, '403 cross_origin']);
    }
  });

  test('who is nobody is 401 on every route that is not public', async () => {
    const nobody = world.api.withoutKey();
    for (const route of routes.filter(({ scope }) => scope !== null)) {
      expect([route.path, await ask(nobody, route)]).toEqual([route.path, '401 unauthorized']);
    }
  });
});
