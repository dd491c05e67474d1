import {
  type JsonText,
  type Money,
  moneyOf,
  type RecordedVerdict,
  simulateVerdict,
  type TenantPolicy,
} from '@countersign/agent-core';
import type { DefinitionCatalog } from '../../catalog/definitions.js';
import { pauses } from '../../platform/pauses.js';
import { type RawJson, raw } from '../../platform/reply.js';
import type { RecordedCall, RecordedCallRepository } from './recorded-call.repository.js';
import { MoneySums, type Outcome, OutcomeTally } from './simulation-tally.js';

export interface SimulatePolicyDependencies {
  readonly calls: Pick<RecordedCallRepository, 'pages'>;
  readonly catalog: Pick<DefinitionCatalog, 'load'>;
}

/** What is asked: rules, and the time in which calls were proposed (`to` is not part of it). */
export interface Simulation {
  readonly policy: Omit<TenantPolicy, 'version'>;
  readonly from: Date;
  readonly to: Date;
}

/** A call that a person rejected and that would run without asking anybody. */
interface RejectedCall {
  readonly runId: string;
  readonly toolCallId: string;
  readonly approvalId: string;
  readonly tool: string;
  readonly arguments: RawJson;
  readonly money: Money | null;
  readonly rule: string;
  readonly proposedAt: Date;
}

export interface SimulationView {
  readonly from: Date;
  readonly to: Date;
  readonly complete: boolean;
  readonly calls: number;
  readonly notJudged: number;
  readonly outcomes: readonly Outcome[];
  readonly rejectedButAllowed: {
    readonly calls: number;
    readonly money: readonly Money[];
    readonly data: readonly RejectedCall[];
  };
}

/** Calls that are looked at, at most: the newest. */
const MOST_CALLS = 100_000;
/** Rejected calls that are shown, at most: the newest. */
const MOST_SHOWN = 100;

/**
 * What these rules would have done to recorded calls (CONTRACT, policy): each call is judged by them together with its
 * agent's own rules, on the arguments that policy judged then, which a reviewer may have changed later. Nothing is
 * written, and nothing is decided by it.
 */
export async function simulatePolicy(
  { calls, catalog }: SimulatePolicyDependencies,
  tenant: string,
  { policy, from, to }: Simulation,
): Promise<SimulationView> {
  const tally = new OutcomeTally();
  const rejectedMoney = new MoneySums();
  let rejected: readonly RejectedCall[] = [];
  let [judged, notJudged, rejectedCalls] = [0, 0, 0];
  let since = from;
  const pause = pauses();
  for await (const page of calls.pages(tenant, { from, to, most: MOST_CALLS })) {
    const found: RejectedCall[] = [];
    for (const call of page) {
      await pause();
      if (call.leftOutUntil !== null) since = new Date(call.leftOutUntil.getTime() + 1);
      const given = await judgedBefore(catalog, tenant, call);
      if (given === null) {
        notJudged += 1;
        continue;
      }
      judged += 1;
      const simulated = simulateVerdict(given.verdict, policy);
      tally.add(given.verdict.recorded.type, simulated.type, given.money);
      const { approvalId } = call;
      if (approvalId === null || call.approvalStatus !== 'rejected' || simulated.type !== 'allow') continue;
      rejectedCalls += 1;
      rejectedMoney.add(given.money);
      found.push(rejectedCall({ ...call, approvalId }, given, simulated.rule));
    }
    rejected = newest([...rejected, ...found]);
  }
  return {
    from: since,
    to,
    complete: since === from,
    calls: judged,
    notJudged,
    outcomes: tally.list(),
    rejectedButAllowed: { calls: rejectedCalls, money: rejectedMoney.list(), data: rejected },
  };
}

interface JudgedBefore {
  readonly verdict: RecordedVerdict;
  readonly money: Money | null;
}

const WORD_OF = {
  'tool.permitted': 'allow',
  'approval.requested': 'require_approval',
  'tool.denied': 'deny',
} as const;

/** A verdict as it was recorded; null where policy has not judged the call. */
async function judgedBefore(
  catalog: SimulatePolicyDependencies['catalog'],
  tenant: string,
  call: RecordedCall,
): Promise<JudgedBefore | null> {
  const { tool, toolVersion, effect } = call;
  if (call.type === null || effect === null || toolVersion === null) return null;
  const definitions = await catalog.load(tenant, call.agentName, call.agentVersion, { [tool]: toolVersion });
  const definition = definitions?.tools.get(tool);
  const data = JSON.parse(call.data) as VerdictData;
  const args = data.arguments ?? data.bound?.arguments;
  if (definitions === null || definition === undefined || args === undefined) return null;
  return {
    verdict: {
      tool: { name: tool, effect },
      arguments: args,
      agentRules: definitions.agent.policy,
      recorded: { type: WORD_OF[call.type], rule: data.policyRule },
    },
    money: moneyOf(definition, args),
  };
}

/** What the three events have of a verdict; a denial has its arguments within `bound`. */
interface VerdictData {
  readonly policyRule: string | null;
  readonly arguments?: JsonText;
  readonly bound?: { readonly arguments: JsonText } | null;
}

function rejectedCall(
  call: RecordedCall & { readonly approvalId: string },
  { verdict, money }: JudgedBefore,
  rule: string,
): RejectedCall {
  const { runId, toolCallId, approvalId, tool, proposedAt } = call;
  return { runId, toolCallId, approvalId, tool, arguments: raw(verdict.arguments), money, rule, proposedAt };
}

function newest(calls: readonly RejectedCall[]): readonly RejectedCall[] {
  return [...calls]
    .sort((one, other) => other.proposedAt.getTime() - one.proposedAt.getTime())
    .slice(0, MOST_SHOWN);
}
