import { historyFault } from '../model/check-history.js';
import type { ConversationItem } from '../model/conversation.js';
import type { ModelEvent, ModelFailure, ModelResponse } from '../model/model-event.js';
import { plausibleUsage } from '../model/plausible-usage.js';
import { isRetryable } from '../model/retryable.js';
import { failed } from '../run/close-run.js';
import { conversationOf } from '../run/conversation.js';
import type { Decision } from '../run/decide.js';
import type { DecideContext } from '../run/decide-context.js';
import { bindingFault } from '../run/result-binding.js';
import { type Ending, type Run, ranMs } from '../run/run.js';
import type { RunEvent } from '../run/run-event.js';
import type { Digest, Instant, UsdText } from '../shared/brand.js';
import { formatUsd, parseUsd } from '../shared/usd.js';
import { specificationOf } from '../tools/model-specification.js';
import type { Journal } from './journal.js';
import { nameCalls } from './name-calls.js';
import type { AttemptHead, LoopPorts, PreparedModelCall, SpentBudget, StepOutcome } from './ports.js';
import { withTimeLimit } from './with-time-limit.js';

type CallModelDecision = Extract<Decision, { type: 'call_model' }>;

/** The models of an agent that are held back, by their place in its list, and until when. */
type HeldBack = DecideContext['breakers']['models'];

/**
 * One attempt at a model: reserve its worst case, send, book what it cost. The reservation is committed before
 * anything is sent (invariant I5), and every way out of here records the attempt, leaves the run waiting, or gives until
 * when a circuit breaker holds the model back: that is no attempt, and the next decision is taken with it.
 */
export async function callModel(
  journal: Journal,
  decision: CallModelDecision,
  context: DecideContext,
  ports: LoopPorts,
): Promise<HeldBack> {
  const { run } = journal;
  const known = context.breakers.models;
  const choice = context.agent.models[decision.choice];
  if (choice === undefined) return known;
  const conversation = conversationOf(run, context.history);
  const fault = bindingFault(run) ?? historyFault(conversation);
  if (fault !== null) {
    journal.decide([{ type: 'run.ending', ...refusedHistory(fault) }], context.governance);
    return known;
  }
  const prepared = await ports.models.prepare(run, choice, {
    instructions: context.agent.instructions,
    conversation,
    tools: context.agent.tools.flatMap((name) => {
      const definition = context.tools.get(name);
      return definition === undefined ? [] : [specificationOf(definition)];
    }),
    toolChoice: run.turns.length === 0 ? context.agent.toolChoice : 'auto',
  });
  if (prepared.type === 'unavailable') {
    journal.observe([unavailable(decision.choice, choice, prepared.message, journal.now(), ports)]);
    return known;
  }
  if (prepared.type === 'held_back') return heldBack(known, decision.choice, prepared.until);
  if (decision.attempt > 1) {
    if (!(await journal.flush(context.governance))) return known;
    await backOff(decision, ports.signal);
    if (ports.signal.aborted) return known;
  }
  const until = await prepared.breaker.admit();
  if (until !== null) return heldBack(known, decision.choice, until);

  const head = headOf(decision.choice, prepared, journal.now(), ports);
  const reserved = prepared.priced.worstCaseUsd(prepared.call.requestBytes);
  const outcome = await journal.commit(context.governance, { reserve: { ...head, amountUsd: reserved } });
  if (outcome.type !== 'committed') return known;
  if (outcome.reservation === 'granted')
    return heldBack(
      known,
      decision.choice,
      await send(journal, { head, prepared, reserved, conversation }, ports),
    );
  journal.decide([blockedEvent(outcome, reserved, journal)], context.governance);
  return known;
}

function heldBack(known: HeldBack, choice: number, until: Instant | null): HeldBack {
  return until === null ? known : new Map([...known, [choice, until]]);
}

/** A defect of ours: no provider would take it, and sending it would only hide where it came from. */
function refusedHistory(fault: string): Ending {
  return failed('internal', `The conversation is not one that a model can be sent: ${fault}.`);
}

/** What is only reserved by others comes back, in part: the run looks again, later each time. What is spent does not. */
function blockedEvent(
  outcome: Extract<StepOutcome, { type: 'committed' }>,
  neededUsd: UsdText,
  journal: Journal,
): RunEvent {
  if (outcome.reservation !== 'blocked_by_reservations') {
    return { type: 'run.ending', ...failed('budget_exceeded', spentMessage(outcome.blockedBy, neededUsd)) };
  }
  const until = journal.now() + Math.min(LAST_LOOK_MS, FIRST_LOOK_MS * 2 ** journal.run.budgetWaits);
  return { type: 'run.waiting', approvals: [], toolResults: [], outcomes: [], until, why: 'budget_reserved' };
}

function spentMessage(budget: SpentBudget | null, neededUsd: UsdText): string {
  const usd = (amount: UsdText) => formatUsd(parseUsd(amount));
  const most = `The next model call may cost up to $${usd(neededUsd)}`;
  if (budget === null) return `${most}, which does not fit into what is left of a budget.`;
  const name =
    budget.scope === null ? 'the run\u2019s budget' : `the budget ${budget.scope}/${budget.period}`;
  return `${most}, and ${name} has $${usd(budget.spentUsd)} of $${usd(budget.limitUsd)} spent.`;
}

const FIRST_LOOK_MS = 1_000;
const LAST_LOOK_MS = 30_000;

/** One attempt under way: what is known of it before it is sent, and what was set aside for it. */
interface Attempt {
  readonly head: AttemptHead;
  readonly prepared: PreparedModelCall;
  readonly reserved: UsdText;
  readonly conversation: readonly ConversationItem[];
}

function headOf(
  choice: number,
  { priced, api, revision, call }: PreparedModelCall,
  startedAt: Instant,
  ports: Pick<LoopPorts, 'newId'>,
): AttemptHead {
  const { provider, model } = priced.choice;
  const { requestDigest } = call;
  const { priceVersion } = priced;
  return {
    modelCallId: ports.newId('mdl'),
    choice,
    provider,
    api,
    model,
    requestDigest,
    revision,
    priceVersion,
    startedAt,
  };
}

/** Gives until when the model's breaker is open after this attempt; null where it is not. */
async function send(journal: Journal, attempt: Attempt, ports: LoopPorts): Promise<Instant | null> {
  const { run } = journal;
  const left = run.limits.deadlineSeconds * 1000 - ranMs(run, journal.now());
  const most = Math.max(1, Math.min(left, LONGEST_CALL_MS));
  const last = await withTimeLimit(ports.signal, most, (signal) =>
    lastEvent(attempt.prepared.call.send(signal), run, ports),
  );
  const { head, prepared } = attempt;
  if (last.type === 'response') {
    const event = responded(run, attempt, last.response, ports);
    journal.observe([event], { modelCallId: head.modelCallId, costUsd: event.costUsd });
    return prepared.breaker.report(null);
  }
  const failure = ports.signal.aborted ? last.failure : ownTimeLimit(last.failure);
  const event = failedAttempt(attempt, failure);
  journal.observe([event], { modelCallId: head.modelCallId, costUsd: event.costUsd });
  return prepared.breaker.report(failure);
}

/** The vendors' own default: a call that has not ended by then is given up. */
const LONGEST_CALL_MS = 600_000;

type LastEvent = Extract<ModelEvent, { type: 'response' | 'failure' }>;

async function lastEvent(events: AsyncIterable<ModelEvent>, run: Run, ports: LoopPorts): Promise<LastEvent> {
  for await (const event of events) {
    if (event.type === 'response') {
      return { ...event, response: { ...event.response, usage: plausibleUsage(event.response.usage) } };
    }
    if (event.type === 'failure') {
      return { ...event, failure: { ...event.failure, usage: plausibleUsage(event.failure.usage) } };
    }
    ports.models.publishDelta(run, event);
  }
  return {
    type: 'failure',
    failure: {
      code: 'unreadable',
      message: 'The reply had no end.',
      status: null,
      neverSent: false,
      retryAfterMs: null,
      usage: null,
    },
  };
}

/** Full jitter, so that many runs that failed together do not come back together; a provider's own word goes first. */
async function backOff({ attempt, retryAfterMs }: CallModelDecision, signal: AbortSignal): Promise<void> {
  const delay = retryAfterMs ?? Math.random() * Math.min(8_000, 500 * 2 ** (attempt - 2));
  await new Promise<void>((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, delay);
    signal.addEventListener('abort', done, { once: true });
    if (signal.aborted) done();
  });
}

function responded(
  run: Run,
  { head, prepared, reserved, conversation }: Attempt,
  response: ModelResponse,
  ports: LoopPorts,
) {
  return {
    type: 'model.responded' as const,
    ...head,
    turn: run.turns.length + 1,
    responseId: response.responseId,
    text: response.text,
    refusal: response.refusal,
    finish: response.finish,
    raw: response.raw,
    calls: nameCalls(conversation, response, ports),
    usage: response.usage,
    // A reply whose usage never came costs what was set aside for it.
    estimated: response.usage === null,
    costUsd: response.usage === null ? reserved : prepared.priced.costUsd(response.usage),
    wasteUsd: NOTHING,
  };
}

/** An abort that the worker did not ask for was our own limit of time. */
function ownTimeLimit(failure: ModelFailure): ModelFailure {
  return failure.code === 'aborted' ? { ...failure, code: 'timeout' } : failure;
}

function failedAttempt(attempt: Attempt, failure: ModelFailure) {
  return {
    type: 'model.failed' as const,
    ...attempt.head,
    code: failure.code,
    message: failure.message,
    httpStatus: failure.status,
    retryable: isRetryable(failure) || failure.code === 'aborted',
    retryAfterMs: failure.retryAfterMs,
    usage: failure.usage,
    ...costOfFailure(attempt, failure),
  };
}

/** CONTRACT, Admission: an HTTP error costs nothing; sent without usage costs the reservation, and all of it is waste. */
function costOfFailure({ prepared, reserved }: Attempt, failure: ModelFailure) {
  if (failure.usage !== null) {
    const cost = prepared.priced.costUsd(failure.usage);
    return { costUsd: cost, wasteUsd: cost, estimated: false };
  }
  if (failure.neverSent || (failure.status !== null && failure.status >= 400))
    return { costUsd: NOTHING, wasteUsd: NOTHING, estimated: false };
  return { costUsd: reserved, wasteUsd: reserved, estimated: true };
}

const NOTHING = '0.000000';

function unavailable(
  choice: number,
  { provider, api, model }: { provider: string; api?: string; model: string },
  message: string,
  startedAt: Instant,
  ports: Pick<LoopPorts, 'newId'>,
): RunEvent {
  return {
    type: 'model.failed',
    modelCallId: ports.newId('mdl'),
    choice,
    provider,
    api: api ?? 'none',
    model,
    requestDigest: NO_REQUEST,
    revision: { adapter: 'none', sdk: 'none' },
    priceVersion: 'none',
    code: 'unauthorized',
    message,
    httpStatus: null,
    retryable: false,
    retryAfterMs: null,
    usage: null,
    estimated: false,
    costUsd: NOTHING,
    wasteUsd: NOTHING,
    startedAt,
  };
}

const NO_REQUEST = `sha256:${'0'.repeat(64)}` as Digest;
