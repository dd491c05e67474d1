import {
  type BudgetPeriod,
  budgetResetsAt,
  formatUsd,
  parseUsd,
  type UsdText,
} from '@countersign/agent-core';
import { callFunction, callLongFunction, type Database } from '../platform/database.js';

/** A budget with its current window. */
export interface BudgetState {
  /** `tenant`, `agent:<name>` or `subject:<id>`. */
  readonly scope: string;
  readonly period: BudgetPeriod;
  readonly setBy: 'operator' | 'tenant';
  readonly limitUsd: UsdText;
  readonly spentUsd: UsdText;
  readonly reservedUsd: UsdText;
  /** What settlements exceeded their reservations by; part of what was spent. */
  readonly overrunUsd: UsdText;
  /** Milliseconds; null for `total`. */
  readonly resetsAt: number | null;
}

type BudgetJson = Omit<BudgetState, 'resetsAt'> & { readonly now: number };

/** Limits and what of them is used. Reserved and settled by the ledger alone (invariant I5). */
export class BudgetRepository {
  constructor(private readonly database: Database) {}

  /** In the order of scope and period. @throws DatabaseError */
  async list(tenant: string): Promise<readonly BudgetState[]> {
    const text = await callFunction<string>(this.database, 'budgets_of', { tenant });
    return (JSON.parse(text) as BudgetJson[]).map(({ now, ...budget }) => ({
      ...budget,
      limitUsd: formatUsd(parseUsd(budget.limitUsd)),
      spentUsd: formatUsd(parseUsd(budget.spentUsd)),
      reservedUsd: formatUsd(parseUsd(budget.reservedUsd)),
      overrunUsd: formatUsd(parseUsd(budget.overrunUsd)),
      resetsAt: budgetResetsAt(budget.period, now),
    }));
  }

  /**
   * Sets a limit. A new budget counts at once what its window has seen already. `set_by_operator`: the tenant may not
   * raise what its operator has set; nothing changed.
   * @throws DatabaseError
   */
  put(
    tenant: string,
    { scope, period, limitUsd, setBy }: Pick<BudgetState, 'scope' | 'period' | 'limitUsd' | 'setBy'>,
  ): Promise<'set' | 'set_by_operator'> {
    return callLongFunction(this.database, 'put_budget', { tenant, scope, period, limit: limitUsd, setBy });
  }
}
