import { type Me, me } from '@countersign/contracts';
import { Controller } from '@nestjs/common';
import { type Membership, scopesOfRole } from '../platform/people.js';
import { AnyCaller, Route } from '../platform/route.controller.js';
import type { Caller } from '../platform/tenant-context.js';

/** `/v1/me`: who asks. */
@Controller()
export class MeController {
  @Route({
    method: 'GET',
    path: '/v1/me',
    access: 'caller',
    summary: 'Who asks, for which tenants they may, and what.',
    ok: me,
    problems: ['not_found'],
  })
  get(@AnyCaller() caller: Caller): Me {
    return meOf(caller);
  }
}

function meOf(caller: Caller): Me {
  if (caller.type === 'key') {
    const { id, name, tenant, tenantSlug, tenantName, scopes } = caller.key;
    const own = { id: tenant, slug: tenantSlug, name: tenantName, role: null };
    return {
      actor: { type: 'key', id, name, email: null },
      operator: false,
      tenant: { ...own, scopes: [...scopes] },
      tenants: [own],
    };
  }
  const { signedIn, membership } = caller;
  const { id, name, email, operator } = signedIn.user;
  return {
    actor: { type: 'member', id, name, email },
    operator,
    tenant:
      membership === null ? null : { ...tenantOf(membership), scopes: [...scopesOfRole(membership.role)] },
    tenants: signedIn.memberships.map(tenantOf),
  };
}

function tenantOf({ id, slug, name, role }: Membership) {
  return { id, slug, name, role };
}
