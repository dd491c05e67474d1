import { evaluatePolicy, type PolicyQuestion } from './evaluate-policy.js';
import { HANDOVER, type Verdict } from './policy-rule.js';

/** A verdict that was recorded of a call, with what it was about. */
export interface RecordedVerdict extends Omit<PolicyQuestion, 'tenant'> {
  readonly recorded: {
    readonly type: Verdict['type'];
    /** Null: a call that was allowed first, and denied by rules that were changed before it ran. */
    readonly rule: string | null;
  };
}

/**
 * What other rules of the tenant say of a call that was judged: under the rules that were in force, what was recorded.
 * A run that was handed over to people stays so: which calls were denied before is what happened, not a rule.
 */
export function simulateVerdict(
  { recorded, ...question }: RecordedVerdict,
  tenant: PolicyQuestion['tenant'],
): Pick<Verdict, 'type' | 'rule'> {
  const { type, rule } = evaluatePolicy({ ...question, tenant });
  return type === 'allow' && recorded.rule === HANDOVER
    ? { type: 'require_approval', rule: HANDOVER }
    : { type, rule };
}
