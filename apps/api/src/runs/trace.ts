import {
  createRun,
  evolve,
  findCall,
  type ReservationRequest,
  type Run,
  type RunEvent,
  type StoredEvent,
  type ToolCall,
} from '@countersign/agent-core';
import type { TraceSpan as SeenSpan } from '@countersign/contracts';

/** A span without what is rebuilt from the definitions of a run (received.ts). */
type TraceSpan = Omit<SeenSpan, 'received'>;

type ToolCallEvent = Extract<RunEvent, { toolCallId: string }>;

type Span = Omit<TraceSpan, 'startedAt' | 'finishedAt' | 'costUsd'> & {
  costUsd: TraceSpan['costUsd'];
  readonly startedAt: number;
  finishedAt: number | null;
  status: string;
};

type SpanHead = Pick<Span, 'id' | 'kind' | 'name' | 'turn'>;

interface OpenSpan {
  readonly kind: Span['kind'];
  readonly span: Span;
  readonly endsAt: number;
}

/** A model call that was sent and has not ended, as the run's row keeps it. */
export type OpenModelCall = Pick<ReservationRequest, 'modelCallId' | 'model' | 'startedAt'>;

/**
 * The stretches of a run in the order in which they began: read from its events, and from its row the model call under
 * way, which no event tells of before it ends.
 */
export function traceOf(
  identity: { id: string; tenant: string },
  events: readonly StoredEvent[],
  underWay: OpenModelCall | null,
): TraceSpan[] {
  const [first, ...rest] = events;
  if (first?.event.type !== 'run.queued' || first.event.reason !== 'created') return [];
  const trace = new Trace();
  let run = createRun(identity, first.event, first.at);
  trace.queued(first.at, first.seq);
  for (const stored of rest) {
    const next = evolve(run, stored);
    trace.moved(run, next, stored);
    trace.happened(next, stored);
    run = next;
  }
  if (underWay !== null) trace.calling(run, underWay);
  return trace.spans.sort((a, b) => a.startedAt - b.startedAt).map(spanView);
}

/** Collects spans while a run is folded; an open span waits under its key for the event that ends it. */
class Trace {
  readonly spans: Span[] = [];
  private readonly open = new Map<string, OpenSpan>();

  queued(at: number, seq: number): void {
    this.begin('queue', { id: `queue_${seq}`, kind: 'queue_wait', name: 'queue', turn: null }, at);
  }

  calling(run: Run, { modelCallId: id, model, startedAt }: OpenModelCall): void {
    if (this.spans.some((span) => span.id === id)) return;
    this.begin(id, { id, kind: 'model_call', name: model, turn: run.turns.length + 1 }, startedAt);
  }

  /**
   * A run that is queued waits for a worker, whatever put it there. One that waits while none of its calls does waits
   * for a time: money that others have reserved, or a provider that is away.
   */
  moved(before: Run, after: Run, { at, seq }: StoredEvent): void {
    if (before.status.name === after.status.name) return;
    if (before.status.name === 'queued') this.end('queue', at, 'ended');
    if (before.status.name === 'waiting') this.end('timer', at, 'ended');
    if (after.status.name === 'queued') this.queued(at, seq);
    if (after.status.name === 'waiting' && this.open.size === 0) {
      const name = after.status.on.why ?? 'timer';
      this.begin('timer', { id: `timer_${seq}`, kind: 'timer_wait', name, turn: null }, at);
    }
  }

  private reRated({ modelCallId, costUsd }: Extract<RunEvent, { type: 'model.re_rated' }>): void {
    const span = this.spans.find(({ id }) => id === modelCallId);
    if (span !== undefined) span.costUsd = costUsd;
  }

  happened(run: Run, stored: StoredEvent): void {
    const { event, at } = stored;
    if ('toolCallId' in event) this.waited(run, event, stored);
    switch (event.type) {
      case 'model.responded':
      case 'model.failed':
        this.spans.push(modelSpan(run, event, at));
        return;
      case 'model.re_rated':
        this.reRated(event);
        return;
      case 'tool.started':
        this.begin(event.toolCallId, { ...about(run, event.toolCallId), kind: 'tool_call' }, at);
        return;
      case 'tool.succeeded':
      case 'tool.failed':
      case 'tool.unknown':
        this.end(event.toolCallId, at, event.type.slice('tool.'.length));
        return;
      case 'approval.requested':
      case 'approval.reopened':
        this.begin(
          event.approvalId,
          { ...about(run, event.toolCallId), id: event.approvalId, kind: 'approval_wait' },
          at,
        );
        return;
      case 'approval.decided':
        if (!isStillAsked(run, event.toolCallId)) {
          this.end(event.approvalId, at, event.decision === 'approve' ? 'approved' : 'rejected');
        }
        return;
      case 'approval.expired':
      case 'approval.cancelled':
        this.end(event.approvalId, at, event.type.slice('approval.'.length));
        return;
      default:
        return;
    }
  }

  /** What a call waits for beside an approval begins and ends with the state that its events leave it in. */
  private waited(run: Run, event: ToolCallEvent, { at, seq }: StoredEvent): void {
    const call = findCall(run, event.toolCallId);
    const wait = call === null ? null : waitOf(call, at);
    const key = `wait/${event.toolCallId}`;
    const open = this.open.get(key);
    if (open?.kind === wait?.kind) return;
    this.end(key, Math.min(at, open?.endsAt ?? at), endedBy(event));
    if (wait === null) return;
    const { kind, endsAt } = wait;
    this.begin(key, { ...about(run, event.toolCallId), id: `${kind}_${seq}`, kind }, at, endsAt);
  }

  /** `endsAt`: when it is over at the latest, whenever that is noticed. */
  private begin(key: string, span: SpanHead, startedAt: number, endsAt = Number.POSITIVE_INFINITY): void {
    const same = this.spans.filter(({ id }) => id === span.id || id.startsWith(`${span.id}/`)).length;
    const id = same === 0 ? span.id : `${span.id}/${same + 1}`;
    const begun: Span = { ...span, id, ...NO_USAGE, status: 'open', startedAt, finishedAt: null };
    this.spans.push(begun);
    this.open.set(key, { kind: begun.kind, span: begun, endsAt });
  }

  private end(key: string, at: number, status: string): void {
    const open = this.open.get(key);
    if (open === undefined) return;
    open.span.finishedAt = at;
    open.span.status = status;
    this.open.delete(key);
  }
}

const NO_USAGE = { inputTokens: null, outputTokens: null, costUsd: null };

function modelSpan(
  run: Run,
  event: Extract<StoredEvent['event'], { type: 'model.responded' | 'model.failed' }>,
  at: number,
): Span {
  const responded = event.type === 'model.responded';
  return {
    id: event.modelCallId,
    kind: 'model_call',
    name: event.model,
    turn: responded ? event.turn : run.turns.length + 1,
    status: responded ? event.finish.unified : event.code,
    startedAt: event.startedAt,
    finishedAt: at,
    inputTokens: event.usage?.inputTokens ?? null,
    outputTokens: event.usage?.outputTokens ?? null,
    costUsd: event.costUsd,
  };
}

/** Somebody else's intent; the time in which an approval may be undone; the app's result; a person who finds out. */
function waitOf(
  { held, state }: ToolCall,
  at: number,
): { readonly kind: Span['kind']; readonly endsAt?: number } | null {
  if (held !== null) return { kind: 'hold_wait' };
  if (state.status === 'approved' && state.approval.notBefore > at) {
    return { kind: 'undo_wait', endsAt: state.approval.notBefore };
  }
  if (state.status === 'awaiting_client') return { kind: 'client_wait' };
  return state.status === 'unknown' && state.askUntil !== null ? { kind: 'outcome_wait' } : null;
}

function endedBy(event: ToolCallEvent): string {
  return event.type === 'tool.settled' ? event.outcome : event.type.slice(event.type.indexOf('.') + 1);
}

function about(run: Run, toolCallId: string): Pick<Span, 'id' | 'name' | 'turn'> {
  const call = findCall(run, toolCallId);
  return { id: toolCallId, name: call?.tool ?? '', turn: call?.turn ?? null };
}

function isStillAsked(run: Run, toolCallId: string): boolean {
  return findCall(run, toolCallId)?.state.status === 'awaiting_approval';
}

function spanView(span: Span): TraceSpan {
  return {
    ...span,
    startedAt: new Date(span.startedAt).toISOString(),
    finishedAt: span.finishedAt === null ? null : new Date(span.finishedAt).toISOString(),
  };
}
