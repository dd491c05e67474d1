import type { TestDatabase } from '../support/database.js';

/** A budget as one snapshot of Postgres shows it; money in exact decimals. */
export interface BudgetSample {
  /** Scope and period. */
  readonly name: string;
  readonly limit: string;
  readonly spent: string;
  readonly reserved: string;
  readonly overrun: string;
  /** What the calls that were settled in its window cost. */
  readonly settled: string;
  /** What is reserved on runs in its window. */
  readonly open: string;
  /** Reservations of runs that no worker holds. */
  readonly leftBehind: string;
}

/** All budgets of a tenant with what they are made of, in one snapshot. */
export function sampleBudgets(database: TestDatabase, tenant: string): Promise<BudgetSample[]> {
  return database.query<BudgetSample>(
    `SELECT b.scope || ' ' || b.period AS name, b.limit_usd::text AS limit, b.spent_usd::text AS spent,
       b.reserved_usd::text AS reserved, b.overrun_usd::text AS overrun,
       (SELECT coalesce(sum(m.cost_usd), 0) FROM model_calls AS m JOIN runs AS r ON r.id = m.run_id
        WHERE m.tenant_id = b.tenant_id AND m.reserved_at >= b.starts_at
          AND b.scope = ANY (budget_scopes(r.agent_name, r.subject_id)))::text AS settled,
       (SELECT coalesce(sum(r.reserved_usd), 0) FROM runs AS r
        WHERE r.tenant_id = b.tenant_id AND r.reserved_at >= b.starts_at
          AND b.scope = ANY (budget_scopes(r.agent_name, r.subject_id)))::text AS open,
       (SELECT coalesce(sum(r.reserved_usd), 0) FROM runs AS r
        WHERE r.tenant_id = b.tenant_id AND r.status <> 'running')::text AS "leftBehind"
     FROM budgets AS b WHERE b.tenant_id = $1 ORDER BY b.scope, b.period`,
    [tenant],
  );
}

/**
 * What is wrong with a snapshot, and with how it followed the one before. Between two snapshots the limit was one of
 * theirs. What a budget holds (spent and reserved) may pass its limit in two ways only: it held as much when the limit
 * was lowered, or a provider reported more than was reserved, which shows as overrun. Whatever else is admitted fits.
 */
export function faultsOf(before: readonly BudgetSample[], after: readonly BudgetSample[]): readonly string[] {
  const earlier = new Map(before.map((budget) => [budget.name, budget]));
  return after.flatMap((budget) => {
    const { name, limit, spent, reserved, overrun, settled, open, leftBehind } = budget;
    const faults: string[] = [];
    if (units(spent) !== units(settled)) faults.push(`${name}: spent ${spent}, its calls cost ${settled}`);
    if (units(reserved) !== units(open)) faults.push(`${name}: reserved ${reserved}, open on runs ${open}`);
    if (units(leftBehind) !== 0n) faults.push(`${name}: ${leftBehind} reserved by runs that nobody holds`);
    const last = earlier.get(name);
    if (last === undefined) return faults;
    const allowed = largest(held(last), units(last.limit), units(limit));
    const reported = units(overrun) - units(last.overrun);
    if (reported < 0n) faults.push(`${name}: overrun fell from ${last.overrun} to ${overrun}`);
    if (held(budget) > allowed + reported) {
      faults.push(`${name}: holds ${spent} + ${reserved}, limits ${last.limit} and ${limit}`);
    }
    return faults;
  });
}

function held({ spent, reserved }: BudgetSample): bigint {
  return units(spent) + units(reserved);
}

/** Finer than any amount in the test: prices of a millionth of a dollar with two decimals. */
const DECIMALS = 18;

function units(amount: string): bigint {
  const [whole = '0', fraction = ''] = amount.split('.');
  if (fraction.length > DECIMALS) throw new Error(`${amount} has more than ${DECIMALS} decimals`);
  return BigInt(whole + fraction.padEnd(DECIMALS, '0'));
}

function largest(...amounts: readonly bigint[]): bigint {
  let most = 0n;
  for (const amount of amounts) if (amount > most) most = amount;
  return most;
}
