import { z } from 'zod';
import { instant, integer, label, usd, usdInput } from './shared.js';

const slug = z
  .string()
  .regex(/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/, 'takes 1 to 63 of a-z 0-9 and inner -');

const ceilings = {
  /** Its share of the workers against other tenants. */
  weight: integer(1, 1000),
  maxConcurrentRuns: integer(1, 100_000),
  requestsPerSecond: integer(1, 1_000_000),
  /** The operator's budget of the scope `tenant`, period `month`. */
  monthlyBudgetUsd: usdInput.nullable(),
  useDeploymentKeys: z.boolean(),
};

export const tenantCreate = z
  .strictObject({ slug, name: label, ...z.object(ceilings).partial().shape })
  .meta({ id: 'TenantCreate' });
export type TenantCreate = z.output<typeof tenantCreate>;

export const tenantUpdate = z
  .strictObject({ name: label, suspended: z.boolean(), ...ceilings })
  .partial()
  .meta({ id: 'TenantUpdate' });
export type TenantUpdate = z.output<typeof tenantUpdate>;

export const tenant = z
  .strictObject({
    id: z.string(),
    slug: z.string(),
    name: z.string(),
    weight: z.number().int(),
    maxConcurrentRuns: z.number().int(),
    requestsPerSecond: z.number().int(),
    monthlyBudgetUsd: usd.nullable(),
    useDeploymentKeys: z.boolean(),
    suspended: z.boolean(),
    createdAt: instant,
  })
  .meta({ id: 'Tenant' });
export type Tenant = z.output<typeof tenant>;

export const tenantCreated = z
  .strictObject({ tenant, apiKey: z.string().nullable() })
  .meta({ id: 'TenantCreated' });
