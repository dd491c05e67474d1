import type { Instant } from '../shared/brand.js';

/** Budgets run over a day or a month in UTC, or for ever. */
export type BudgetPeriod = 'day' | 'month' | 'total';

/** The first moment of the period in which `now` lies; null for `total`. */
export function budgetPeriodStart(period: BudgetPeriod, now: Instant): Instant | null {
  return boundary(period, now, 0);
}

/** The first moment of the next period, when the budget is full again; null for `total`. */
export function budgetResetsAt(period: BudgetPeriod, now: Instant): Instant | null {
  return boundary(period, now, 1);
}

function boundary(period: BudgetPeriod, now: Instant, periodsAhead: number): Instant | null {
  const date = new Date(now);
  switch (period) {
    case 'day':
      return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate() + periodsAhead);
    case 'month':
      return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + periodsAhead, 1);
    case 'total':
      return null;
  }
}
