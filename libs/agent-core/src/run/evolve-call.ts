import type { Approval } from './approval.js';
import { errorResult, NO_OUTPUT, resultText, successResult } from './result-text.js';
import type { RunEvent, StoredEvent } from './run-event.js';
import {
  type BoundArguments,
  type CallChecks,
  CHECKS_PASSED,
  type ToolCall,
  type ToolCallState,
  type ToolCallStatus,
} from './tool-call.js';

export type ToolCallEvent = Extract<RunEvent, { toolCallId: string }>;

/** The legal moves of a tool call, one line an event: the states from which it may come. */
const LEGAL_FROM: Readonly<Record<ToolCallEvent['type'], readonly ToolCallStatus[]>> = {
  'tool.permitted': ['requested'],
  'tool.denied': ['requested', 'permitted', 'approved'],
  'tool.held': ['requested', 'permitted', 'approved'],
  'approval.requested': ['requested', 'permitted'],
  'approval.decided': ['awaiting_approval'],
  'approval.expired': ['awaiting_approval', 'approved'],
  'approval.cancelled': ['awaiting_approval', 'approved'],
  'approval.reopened': ['awaiting_approval', 'approved'],
  'tool.started': ['permitted', 'approved'],
  'tool.awaiting_client': ['permitted', 'approved'],
  // From `requested`, `permitted` and `approved`: answered from the record, with `replayOf`.
  'tool.succeeded': ['requested', 'permitted', 'approved', 'executing', 'awaiting_client'],
  // From `permitted` and `approved`: the facts could not be checked, nothing ran.
  'tool.failed': ['permitted', 'approved', 'executing', 'awaiting_client'],
  'tool.unknown': ['executing'],
  'tool.settled': ['unknown'],
  'tool.cancelled': ['requested', 'permitted', 'approved', 'awaiting_client'],
};

export function isToolCallEvent(event: RunEvent): event is ToolCallEvent {
  return event.type in LEGAL_FROM;
}

/** Whether `event` may happen to a call in this state. */
export function isLegalMove(call: ToolCall, event: ToolCallEvent): boolean {
  return LEGAL_FROM[event.type].includes(call.state.status);
}

/**
 * The call after one more event; an event that does not fit its state changes nothing. `runEnded`: an outcome that
 * becomes known now settles the intent, and nothing is tried again.
 */
export function evolveCall(call: ToolCall, { event, at }: StoredEvent, runEnded: boolean): ToolCall {
  if (!isToolCallEvent(event) || !isLegalMove(call, event)) return call;
  const state = call.state;
  // Whatever moves a call on ends its waiting for somebody else's intent.
  const moved = { ...call, held: null };
  switch (event.type) {
    case 'tool.permitted':
      return { ...moved, checks: event.checks, state: { status: 'permitted', ...boundOf(event) } };
    case 'tool.denied':
      return {
        ...moved,
        checks: event.checks,
        held: null,
        state: { status: 'denied', code: event.code, result: errorResult(event.message), bound: event.bound },
      };
    case 'tool.held':
      return { ...call, held: { since: call.held?.since ?? at, until: event.until } };
    case 'approval.requested': {
      const { type: _, toolCallId: __, checks, ...request } = event;
      const approval: Approval = { ...request, decisions: [], requested: boundOf(event), notBefore: at };
      return {
        ...moved,
        checks,
        approvalRequests: call.approvalRequests + 1,
        state: { status: 'awaiting_approval', approval, ...boundOf(event) },
      };
    }
    case 'approval.decided':
      return { ...moved, state: decided(state, event, at) };
    case 'approval.reopened':
      return { ...moved, state: reopened(state) };
    case 'approval.expired':
    case 'approval.cancelled':
      return { ...moved, state: { status: 'requested' } };
    case 'tool.started':
      return { ...moved, tries: call.tries + 1, state: started(state, event, at) };
    case 'tool.awaiting_client':
      return {
        ...moved,
        state: { status: 'awaiting_client', until: event.until, ...(boundIn(state) as BoundArguments) },
      };
    case 'tool.succeeded':
      return {
        ...moved,
        checks: event.replayOf === null ? { ...call.checks, credential: 'passed' } : CHECKS_PASSED,
        state: {
          status: 'succeeded',
          bound: boundIn(state) ?? (event.bound as BoundArguments),
          output: event.output,
          result: successResult(event.text),
          binding: event.binding,
          replayOf: event.replayOf,
          intentKey: intentOf(state),
        },
      };
    case 'tool.failed':
      return {
        ...moved,
        checks: state.status === 'executing' ? answeredChecks(call, event.code) : call.checks,
        state: {
          status: 'failed',
          code: event.code,
          result: errorResult(event.message),
          bound: boundIn(state) as BoundArguments,
          infrastructure: event.infrastructure,
        },
      };
    case 'tool.unknown':
      return { ...moved, state: unknown(state, event) };
    case 'tool.settled':
      return { ...moved, state: settled(state, event, runEnded || call.tries >= 2) };
    case 'tool.cancelled':
      return { ...moved, state: { status: 'cancelled', result: errorResult(event.message) } };
    default:
      return event satisfies never;
  }
}

/** The arguments that a call is bound to, where it has come that far. */
export function boundIn(state: ToolCallState): BoundArguments | null {
  if ('argumentsDigest' in state) return boundOf(state);
  return 'bound' in state ? state.bound : null;
}

function boundOf(source: BoundArguments): BoundArguments {
  return { arguments: source.arguments, argumentsDigest: source.argumentsDigest };
}

/** Only a tool that was asked can have refused the credential. */
function answeredChecks({ checks }: ToolCall, code: string): CallChecks {
  return { ...checks, credential: code === 'unauthorized' ? 'stopped' : 'passed' };
}

function intentOf(state: ToolCallState): string | null {
  return 'intentKey' in state ? state.intentKey : null;
}

type EventOf<Type extends ToolCallEvent['type']> = Extract<ToolCallEvent, { type: Type }>;

function decided(state: ToolCallState, event: EventOf<'approval.decided'>, at: number): ToolCallState {
  if (state.status !== 'awaiting_approval') return state;
  if (event.decision === 'reject') {
    return {
      status: 'denied',
      code: 'approval_rejected',
      result: errorResult(resultText.rejected(event.message)),
      bound: boundOf(state),
    };
  }
  const decision = { by: event.by, decision: event.decision, message: event.message, at };
  const bound = event.edited ?? boundOf(state);
  const approval: Approval = {
    ...state.approval,
    ...bound,
    decisions: event.edited === null ? [...state.approval.decisions, decision] : [decision],
    notBefore: event.notBefore,
  };
  return approval.decisions.length < approval.requiredApprovals
    ? { status: 'awaiting_approval', approval, ...bound }
    : { status: 'approved', approval, ...bound };
}

function reopened(state: ToolCallState): ToolCallState {
  if (state.status !== 'approved' && state.status !== 'awaiting_approval') return state;
  const { requested } = state.approval;
  return {
    status: 'awaiting_approval',
    approval: { ...state.approval, ...requested, decisions: [] },
    ...requested,
  };
}

function started(state: ToolCallState, event: EventOf<'tool.started'>, at: number): ToolCallState {
  if (state.status !== 'permitted' && state.status !== 'approved') return state;
  return {
    status: 'executing',
    ...boundOf(state),
    approval: state.status === 'approved' ? state.approval : null,
    idempotencyKey: event.idempotencyKey,
    intentKey: event.intentKey,
    startedAt: at,
  };
}

function unknown(state: ToolCallState, event: EventOf<'tool.unknown'>): ToolCallState {
  if (state.status !== 'executing') return state;
  return event.onUnknown === 'ask'
    ? { ...state, status: 'unknown', askUntil: event.askUntil, detail: event.message, result: null }
    : {
        ...state,
        status: 'unknown',
        askUntil: null,
        detail: event.message,
        result: errorResult(resultText.unknown(event.message)),
      };
}

/** `did_not_happen` frees one more try with the same key, never a third. */
function settled(state: ToolCallState, event: EventOf<'tool.settled'>, noFurtherTry: boolean): ToolCallState {
  if (state.status !== 'unknown') return state;
  const bound = boundOf(state);
  if (event.outcome === 'happened') {
    return {
      status: 'succeeded',
      bound,
      output: event.output ?? NO_OUTPUT,
      result: state.result ?? successResult(event.text),
      binding: event.binding,
      replayOf: null,
      intentKey: state.intentKey,
    };
  }
  // The model was told already that the outcome is unknown, so nothing is tried behind its back.
  if (noFurtherTry || state.result !== null) {
    return {
      status: 'failed',
      code: 'did_not_happen',
      result: state.result ?? errorResult(event.text),
      bound,
      infrastructure: true,
    };
  }
  return state.approval === null
    ? { status: 'permitted', ...bound }
    : { status: 'approved', approval: state.approval, ...bound };
}
