import { z } from 'zod';
import { role } from './policy.js';
import { instant, label, scope } from './shared.js';

/** An e-mail address, in lower case: one spelling names one person. */
export const email = z
  .email()
  .max(254)
  .transform((address) => address.toLowerCase());

export const member = z
  .strictObject({ id: z.string(), email: z.string(), name: z.string(), role, createdAt: instant })
  .meta({ id: 'Member' });
export type Member = z.output<typeof member>;

export const memberCreate = z.strictObject({ email, name: label, role }).meta({ id: 'MemberCreate' });
export type MemberCreate = z.output<typeof memberCreate>;

export const memberUpdate = z.strictObject({ role }).meta({ id: 'MemberUpdate' });
export type MemberUpdate = z.output<typeof memberUpdate>;

/** Shown this once; null where the person had an account already. */
const password = z.string().nullable().meta({
  description: 'Made for who had no account yet, shown this once; null for everybody else.',
});

export const memberCreated = z.strictObject({ member, password }).meta({ id: 'MemberCreated' });
export type MemberCreated = z.output<typeof memberCreated>;

/** A person who may use /admin/v1. */
export const operator = z
  .strictObject({ id: z.string(), email: z.string(), name: z.string(), createdAt: instant })
  .meta({ id: 'Operator' });
export type Operator = z.output<typeof operator>;

export const operatorCreate = z.strictObject({ email, name: label }).meta({ id: 'OperatorCreate' });
export type OperatorCreate = z.output<typeof operatorCreate>;

export const operatorCreated = z.strictObject({ operator, password }).meta({ id: 'OperatorCreated' });
export type OperatorCreated = z.output<typeof operatorCreated>;

const tenantOfCaller = {
  id: z.string(),
  slug: z.string(),
  name: z.string(),
  role: role.nullable().meta({ description: 'Null for a key.' }),
};

/** Who asks, and for which tenants they may. */
export const me = z
  .strictObject({
    actor: z.strictObject({
      type: z.enum(['member', 'key']),
      id: z.string(),
      name: z.string(),
      email: z.string().nullable(),
    }),
    operator: z.boolean().meta({ description: 'May use /admin/v1.' }),
    tenant: z
      .strictObject({ ...tenantOfCaller, scopes: z.array(scope) })
      .nullable()
      .meta({ description: 'The one that X-Tenant names, or the only one.' }),
    tenants: z.array(z.strictObject(tenantOfCaller)),
  })
  .meta({ id: 'Me' });
export type Me = z.output<typeof me>;
