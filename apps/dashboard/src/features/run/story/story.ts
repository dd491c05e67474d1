import type { RunEvent, RunStatus } from '@countersign/contracts';
import type { CallDraft, CallStory } from './call-draft';
import { moveCall, proposedCall } from './call-story';
import {
  type Actor,
  type Attempt,
  type CallHappening,
  type Creation,
  type HandedBack,
  type Happening,
  happening,
  isAboutCall,
  type Reason,
  type RunHappening,
  type WaitingFor,
} from './happening';
import { type Stretch, stretchEnd } from './stretch';

/** One attempt at a model: it gave a reply (`finish`) or none (`failure`). */
export interface ModelCallStory extends Omit<Attempt, 'modelCallId' | 'startedAt'> {
  readonly id: string;
  readonly seq: number;
  /** The turn that it made, or was to make. */
  readonly turn: number;
  /** From 1 within its turn. */
  readonly attempt: number;
  readonly from: number;
  readonly to: number;
  readonly responseId: string | null;
  readonly finish: { readonly unified: string; readonly raw: string } | null;
  readonly failure: {
    readonly code: string;
    readonly message: string;
    readonly httpStatus: number | null;
    readonly retryAfterMs: number | null;
  } | null;
}

export type Note =
  | { readonly note: 'handed_back'; readonly reason: HandedBack }
  | { readonly note: 'cancel_requested'; readonly by: Actor }
  | { readonly note: 'waiting'; readonly why: WaitingFor };

/** What is told of a run, in the order in which it happened. `key` is unique among them, and stays. */
export type Moment =
  | {
      readonly kind: 'input';
      readonly key: string;
      readonly role: 'user' | 'assistant';
      readonly text: string;
    }
  | {
      readonly kind: 'reply';
      readonly key: string;
      readonly model: ModelCallStory;
      readonly text: string;
      readonly refusal: string | null;
      readonly calls: readonly CallStory[];
    }
  | { readonly kind: 'attempt'; readonly key: string; readonly model: ModelCallStory }
  | ({ readonly kind: 'note'; readonly key: string; readonly at: number } & Note)
  | {
      readonly kind: 'ending';
      readonly key: string;
      readonly at: number;
      readonly status: RunStatus;
      readonly reason: Reason;
    };

/** A wait of the run itself: for a worker, or for a time. */
export interface RunWait extends Stretch {
  readonly why: WaitingFor | null;
}

/** A run as its events tell it. */
export interface Story {
  /** Null before the first event was read. */
  readonly creation: Creation | null;
  readonly status: RunStatus;
  readonly moments: readonly Moment[];
  readonly modelCalls: readonly ModelCallStory[];
  readonly calls: ReadonlyMap<string, CallStory>;
  /** The calls that a reply proposed, by the id of its model call. */
  readonly callsOf: ReadonlyMap<string, readonly CallStory[]>;
  readonly waits: readonly RunWait[];
  /** Since when a model is being asked for its next turn, of which no event tells before it ends; null: none is. */
  readonly asking: { readonly turn: number; readonly since: number } | null;
  readonly begunAt: number | null;
  readonly endedAt: number | null;
}

/** The fold of a run's events, oldest first. Events of types that it does not know change nothing. */
export function story(events: readonly RunEvent[]): Story {
  const fold = new StoryFold();
  for (const event of events) {
    fold.add(happening(event));
  }
  return fold.told();
}

class StoryFold {
  private creation: Creation | null = null;
  private status: RunStatus = 'queued';
  private readonly moments: Moment[] = [];
  private readonly modelCalls: ModelCallStory[] = [];
  private readonly calls = new Map<string, CallDraft>();
  private lastTurn: readonly CallDraft[] = [];
  private readonly callsOf = new Map<string, readonly CallStory[]>();
  private waits: RunWait[] = [];
  private turns = 0;
  private attempts = 0;
  private begunAt: number | null = null;
  private endedAt: number | null = null;
  private lastAt = 0;

  add(event: Happening): void {
    const at = Date.parse(event.at);
    const before = this.status;
    this.begunAt ??= at;
    this.lastAt = Math.max(this.lastAt, at);
    if (isAboutCall(event)) {
      this.moveCall(event, event.seq, at);
    } else {
      this.moveRun(event, event.seq, at);
    }
    if (this.status !== before || event.seq === 1) {
      this.moveWait(event, at);
    }
  }

  told(): Story {
    const { creation, status, moments, modelCalls, calls, callsOf, waits, begunAt, endedAt } = this;
    const idle = this.lastTurn.every((call) => isSettled(call));
    const asking = status === 'running' && idle ? { turn: this.turns + 1, since: this.lastAt } : null;
    return { creation, status, moments, modelCalls, calls, callsOf, waits, begunAt, endedAt, asking };
  }

  private moveCall(event: CallHappening, seq: number, at: number): void {
    const call = this.calls.get(event.data.toolCallId);
    if (call === undefined) {
      return;
    }
    moveCall(call, event, seq, at);
    if (this.status === 'waiting' && isRunnableAfter(event, at)) {
      this.status = 'queued';
    }
  }

  private moveRun(event: Exclude<Happening, CallHappening> & RunHappening, seq: number, at: number): void {
    const key = String(seq);
    switch (event.type) {
      case 'run.queued':
        this.status = 'queued';
        if (event.data.reason === 'created') {
          this.create(event.data);
        }
        return;
      case 'run.started':
      case 'run.resumed':
        this.status = 'running';
        return;
      case 'run.waiting': {
        const { why } = event.data;
        this.status = 'waiting';
        if (why !== null && why !== 'intent_held') {
          this.moments.push({ kind: 'note', key, at, note: 'waiting', why });
        }
        return;
      }
      case 'run.handed_back':
        this.status = 'queued';
        this.moments.push({ kind: 'note', key, at, note: 'handed_back', reason: event.data.reason });
        return;
      case 'run.cancel_requested':
        this.status = this.status === 'waiting' ? 'queued' : this.status;
        this.moments.push({ kind: 'note', key, at, note: 'cancel_requested', by: event.data.by });
        return;
      case 'run.finished':
        this.status = event.data.status;
        this.endedAt = at;
        this.moments.push({ kind: 'ending', key, at, status: event.data.status, reason: event.data.reason });
        return;
      case 'model.responded':
        this.respond(event.data, seq, at);
        return;
      case 'model.failed': {
        const { code, message, httpStatus, retryAfterMs, ...attempt } = event.data;
        const failure = { code, message, httpStatus, retryAfterMs };
        const model = this.attempted(attempt, seq, at, { responseId: null, finish: null, failure });
        this.moments.push({ kind: 'attempt', key: model.id, model });
      }
    }
  }

  private create(creation: Creation): void {
    this.creation = creation;
    creation.input.forEach(({ role, content }, position) => {
      this.moments.push({ kind: 'input', key: `input_${position}`, role, text: content });
    });
  }

  private respond(
    {
      text,
      refusal,
      finish,
      responseId,
      calls,
      turn,
      ...attempt
    }: Extract<RunHappening, { type: 'model.responded' }>['data'],
    seq: number,
    at: number,
  ): void {
    const model = this.attempted(attempt, seq, at, { responseId, finish, failure: null });
    const proposed = calls.map(({ toolCallId: id, callId, tool, arguments: proposed }, index) =>
      proposedCall({ id, turn, index, tool, callId, proposed, proposedAt: at }),
    );
    for (const call of proposed) {
      this.calls.set(call.id, call);
    }
    this.callsOf.set(model.id, proposed);
    this.lastTurn = proposed;
    this.turns = turn;
    this.attempts = 0;
    this.moments.push({ kind: 'reply', key: model.id, model, text, refusal, calls: proposed });
  }

  private attempted(
    { modelCallId, startedAt, ...attempt }: Attempt,
    seq: number,
    at: number,
    end: Pick<ModelCallStory, 'responseId' | 'finish' | 'failure'>,
  ): ModelCallStory {
    this.attempts += 1;
    const model: ModelCallStory = {
      ...attempt,
      ...end,
      id: modelCallId,
      seq,
      turn: this.turns + 1,
      attempt: this.attempts,
      from: Date.parse(startedAt),
      to: at,
    };
    this.modelCalls.push(model);
    return model;
  }

  /** A run that is queued waits for a worker; one that waits while none of its calls does waits for a time. */
  private moveWait(event: Happening, at: number): void {
    const open = this.waits.at(-1);
    if (open !== undefined && open.to === null) {
      this.waits = this.waits.with(-1, { ...open, to: stretchEnd(open, at), ended: 'ended' });
    }
    const kind = this.status === 'queued' ? 'queue_wait' : this.status === 'waiting' ? 'timer_wait' : null;
    if (kind === null || (kind === 'timer_wait' && this.lastTurn.some(isUnderWay))) {
      return;
    }
    const id = `${kind === 'queue_wait' ? 'queue' : 'timer'}_${event.seq}`;
    const why = event.type === 'run.waiting' ? event.data.why : null;
    this.waits.push({ id, kind, why, from: at, to: null, endsAt: null, ended: null });
  }
}

function isUnderWay({ stretches }: CallStory): boolean {
  return stretches.at(-1)?.to === null;
}

/** Whether a call has its result, so that nothing of it is left to do. */
function isSettled({ status, askUntil }: CallStory): boolean {
  return (
    status === 'succeeded' ||
    status === 'failed' ||
    status === 'denied' ||
    status === 'cancelled' ||
    (status === 'unknown' && askUntil === null)
  );
}

/** What makes a waiting run runnable at once; a decision that may still be undone does so by `run.queued` later. */
function isRunnableAfter(event: CallHappening, at: number): boolean {
  if (event.type === 'approval.decided') return Date.parse(event.data.notBefore) <= at;
  return event.type === 'tool.settled' || event.type === 'tool.succeeded' || event.type === 'tool.failed';
}
