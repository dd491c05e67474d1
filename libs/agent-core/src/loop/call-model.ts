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
import type { RecordedCall, RunEvent } from '../run/run-event.js';
import type { Digest, UsdText } from '../shared/brand.js';
import { specificationOf } from '../tools/model-specification.js';
import type { Journal } from './journal.js';
import type { AttemptHead, LoopPorts, PreparedModelCall } from './ports.js';
import { withTimeLimit } from './with-time-limit.js';

type CallModelDecision = Extract<Decision, { type: 'call_model' }>;

/**
 * One attempt at a model: reserve its worst case, send, book what it cost. The reservation is committed before
 * anything is sent (invariant I5), and every way out of here records the attempt or leaves the run waiting.
 */
export async function callModel(
  journal: Journal,
  decision: CallModelDecision,
  context: DecideContext,
  ports: LoopPorts,
): Promise<void> {
  const { run } = journal;
  const choice = context.agent.models[decision.choice];
  if (choice === undefined) return;
  const conversation = conversationOf(run, context.history);
  const fault = bindingFault(run) ?? historyFault(conversation);
  if (fault !== null) {
    journal.decide([{ type: 'run.ending', ...refusedHistory(fault) }], context.governance);
    return;
  }
  const prepared = await ports.models.prepare(run.tenant, choice, {
    instructions: context.agent.instructions,
    conversation,
    tools: context.agent.tools.flatMap((name) => {
      const definition = context.tools.get(name);
      return definition === undefined ? [] : [specificationOf(definition)];
    }),
    toolChoice: run.turns.length === 0 ? context.agent.toolChoice : 'auto',
  });
  if (prepared.type === 'unavailable') {
    journal.observe([unavailable(decision.choice, choice, prepared.message, ports)]);
    return;
  }
  if (decision.attempt > 1) {
    if (!(await journal.flush(context.governance))) return;
    await backOff(decision, ports.signal);
    if (ports.signal.aborted) return;
  }

  const head = headOf(decision.choice, prepared, ports);
  const reserved = prepared.priced.worstCaseUsd(prepared.call.requestBytes);
  const outcome = await journal.commit(context.governance, { reserve: { ...head, amountUsd: reserved } });
  if (outcome.type !== 'committed') return;
  if (outcome.reservation === 'granted')
    await send(journal, { head, prepared, reserved, conversation }, ports);
  else journal.decide([blockedEvent(outcome.reservation, journal)], context.governance);
}

/** A defect of ours: no provider would take it, and sending it would only hide where it came from. */
function refusedHistory(fault: string): Ending {
  return failed('internal', `The conversation is not one that a model can be sent: ${fault}.`);
}

/** What is only reserved by others comes back, in part: the run looks again, later each time. What is spent does not. */
function blockedEvent(
  reservation: 'blocked_by_spending' | 'blocked_by_reservations' | null,
  journal: Journal,
): RunEvent {
  if (reservation !== 'blocked_by_reservations') {
    const message = 'The next model call does not fit into what is left of a budget.';
    return { type: 'run.ending', ...failed('budget_exceeded', message) };
  }
  const until = journal.now() + Math.min(LAST_LOOK_MS, FIRST_LOOK_MS * 2 ** journal.run.budgetWaits);
  return { type: 'run.waiting', approvals: [], toolResults: [], outcomes: [], until, why: 'budget_reserved' };
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
  ports: LoopPorts,
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
    startedAt: ports.now(),
  };
}

async function send(journal: Journal, attempt: Attempt, ports: LoopPorts): Promise<void> {
  const { run } = journal;
  const left = run.limits.deadlineSeconds * 1000 - ranMs(run, ports.now());
  const most = Math.max(1, Math.min(left, LONGEST_CALL_MS));
  const last = await withTimeLimit(ports.signal, most, (signal) =>
    lastEvent(attempt.prepared.call.send(signal), run, ports),
  );
  const event =
    last.type === 'response'
      ? responded(run, attempt, last.response, ports)
      : failedAttempt(attempt, ports.signal.aborted ? last.failure : ownTimeLimit(last.failure));
  journal.observe([event], { modelCallId: attempt.head.modelCallId, costUsd: event.costUsd });
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

/** A call that the provider gave no id, or one that the conversation has already, gets ours; the original is kept. */
function nameCalls(
  conversation: readonly ConversationItem[],
  response: ModelResponse,
  ports: LoopPorts,
): readonly RecordedCall[] {
  const named: RecordedCall[] = [];
  for (const { providerCallId, tool, arguments: text } of response.calls) {
    const toolCallId = ports.newId('tcl');
    const taken =
      providerCallId === null ||
      named.some(({ callId }) => callId === providerCallId) ||
      hasCallId(conversation, providerCallId);
    named.push({
      toolCallId,
      callId: taken ? toolCallId : providerCallId,
      providerCallId,
      tool,
      arguments: text,
    });
  }
  return named;
}

function hasCallId(conversation: readonly ConversationItem[], callId: string): boolean {
  return conversation.some(
    (item) => item.role === 'assistant' && item.calls.some((call) => call.callId === callId),
  );
}

function unavailable(
  choice: number,
  { provider, api, model }: { provider: string; api?: string; model: string },
  message: string,
  ports: LoopPorts,
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
    startedAt: ports.now(),
  };
}

const NO_REQUEST = `sha256:${'0'.repeat(64)}` as Digest;
