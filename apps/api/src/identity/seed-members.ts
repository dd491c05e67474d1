import { hkdfSync } from 'node:crypto';
import type { Role } from '@countersign/contracts';
import type { Database } from '../platform/database.js';
import { DEMO_TENANT, NORTHWIND_TENANT } from '../platform/demo.js';
import type { Environment } from '../platform/env.js';
import { openPrisma } from '../platform/prisma.js';
import { Problem } from '../platform/problem.js';
import { transactWith } from '../platform/transaction.js';
import { createTenant } from '../tenancy/create-tenant.js';
import type { TenantRepository } from '../tenancy/tenant.repository.js';
import { MemberRepository } from './member.repository.js';
import { newUser } from './new-user.js';
import { OperatorRepository } from './operator.repository.js';

/** How somebody of the demo signs in; `role` is for people. */
export interface DemoSignIn {
  readonly email: string;
  readonly password: string;
  readonly role: string;
}

const MEMBERS: readonly { email: string; name: string; tenant: string; role: Role; shown: string }[] = [
  member('admin@demo.test', 'Ada Admin', DEMO_TENANT, 'admin', 'admin, Orders shop'),
  member('reviewer@demo.test', 'Rita Reviewer', DEMO_TENANT, 'reviewer', 'reviewer, Orders shop'),
  member('second@demo.test', 'Sam Second', DEMO_TENANT, 'reviewer', 'a second reviewer, Orders shop'),
  member('viewer@demo.test', 'Vera Viewer', DEMO_TENANT, 'viewer', 'viewer, Orders shop'),
  member('operator@demo.test', 'Otto Operator', DEMO_TENANT, 'operator', 'operator, Orders shop'),
  member('admin@northwind.test', 'Nora North', NORTHWIND_TENANT, 'admin', 'admin, Northwind Travel'),
];

const PLATFORM_OPERATOR = { email: 'platform@demo.test', name: 'Pia Platform' };

function member(email: string, name: string, tenant: string, role: Role, shown: string) {
  return { email, name, tenant, role, shown };
}

/**
 * Makes the demo's second tenant and the people of both, where they are not there yet. The first tenant must be there.
 * @returns how they sign in. The passwords follow from the deployment's secret: they are the same each time.
 */
export async function seedMembers(
  database: Database,
  tenants: Pick<TenantRepository, 'create'>,
  { secret }: Pick<Environment, 'secret'>,
): Promise<readonly DemoSignIn[]> {
  await ensureTenant(tenants, NORTHWIND_TENANT, { slug: 'northwind', name: 'Northwind Travel' });
  const members = new MemberRepository(transactWith(openPrisma(database)));
  const signIns: DemoSignIn[] = [];
  for (const { email, name, tenant, role, shown } of MEMBERS) {
    const password = demoPassword(secret, email);
    await members.add(tenant, await newUser({ email, name }, password), role, true);
    signIns.push({ email, password, role: shown });
  }
  const password = demoPassword(secret, PLATFORM_OPERATOR.email);
  await new OperatorRepository(database).add(await newUser(PLATFORM_OPERATOR, password));
  return [...signIns, { email: PLATFORM_OPERATOR.email, password, role: 'operator of the platform' }];
}

function demoPassword(secret: string, email: string): string {
  const made = hkdfSync(
    'sha256',
    Buffer.from(secret, 'hex'),
    '',
    `countersign demo password of ${email}`,
    12,
  );
  return Buffer.from(made).toString('base64url');
}

async function ensureTenant(
  tenants: Pick<TenantRepository, 'create'>,
  id: string,
  fields: { readonly slug: string; readonly name: string },
): Promise<void> {
  try {
    await createTenant(tenants, fields, id);
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'already_exists') throw error;
  }
}
