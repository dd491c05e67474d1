import { z } from 'zod';
import { instant, usd, usdInput } from './shared.js';

export const PERIODS = ['day', 'month', 'total'] as const;
export const period = z.enum(PERIODS);
export type Period = z.output<typeof period>;

/** `tenant`, `agent:<name>`, or `subject:<id>`. */
export const budgetScope = z.string().regex(/^(tenant|agent:[a-zA-Z0-9_-]{1,64}|subject:[^\0]{1,256})$/s);

export const budgetPath = z.object({ scope: budgetScope, period });
export type BudgetPath = z.output<typeof budgetPath>;

export const budgetPut = z.strictObject({ limitUsd: usdInput }).meta({ id: 'BudgetPut' });
export type BudgetPut = z.output<typeof budgetPut>;

export const budget = z
  .strictObject({
    scope: z.string(),
    period,
    setBy: z.enum(['operator', 'tenant']),
    limitUsd: usd,
    spentUsd: usd,
    reservedUsd: usd,
    overrunUsd: usd,
    /** Null for `total`. */
    resetsAt: instant.nullable(),
  })
  .meta({ id: 'Budget' });
export type Budget = z.output<typeof budget>;
