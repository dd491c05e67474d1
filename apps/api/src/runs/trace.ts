import { createRun, evolve, findCall, type Run, type StoredEvent } from '@countersign/agent-core';
import type { TraceSpan } from '@countersign/contracts';

type Span = Omit<TraceSpan, 'startedAt' | 'finishedAt'> & {
  readonly startedAt: number;
  finishedAt: number | null;
  status: string;
};

/** The stretches of a run in the order in which they began, read from its events alone. */
export function traceOf(
  identity: { id: string; tenant: string },
  events: readonly StoredEvent[],
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
  return trace.spans.sort((a, b) => a.startedAt - b.startedAt).map(spanView);
}

/** Collects spans while a run is folded; an open span waits under its key for the event that ends it. */
class Trace {
  readonly spans: Span[] = [];
  private readonly open = new Map<string, Span>();

  queued(at: number, seq: number): void {
    this.begin('queue', { id: `queue_${seq}`, kind: 'queue_wait', name: 'queue', turn: null }, at);
  }

  /** A run that is queued waits for a worker, whatever put it there. */
  moved(before: Run, after: Run, { at, seq }: StoredEvent): void {
    if (before.status.name === after.status.name) return;
    if (before.status.name === 'queued') this.end('queue', at, 'ended');
    if (after.status.name === 'queued') this.queued(at, seq);
  }

  happened(run: Run, { event, at }: StoredEvent): void {
    switch (event.type) {
      case 'model.responded':
      case 'model.failed':
        this.spans.push(modelSpan(run, event, at));
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

  private begin(key: string, span: Pick<Span, 'id' | 'kind' | 'name' | 'turn'>, startedAt: number): void {
    const nothing = { inputTokens: null, outputTokens: null, costUsd: null };
    const begun: Span = { ...span, ...nothing, status: 'open', startedAt, finishedAt: null };
    this.spans.push(begun);
    this.open.set(key, begun);
  }

  private end(key: string, at: number, status: string): void {
    const span = this.open.get(key);
    if (span === undefined) return;
    span.finishedAt = at;
    span.status = status;
    this.open.delete(key);
  }
}

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
