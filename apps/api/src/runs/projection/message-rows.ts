import {
  type CallResult,
  finalResultOf,
  findCall,
  isToolCallEvent,
  type Run,
  resultOf,
  type StoredEvent,
  sameCall,
  type ToolCall,
} from '@countersign/agent-core';

/** A message of the conversation, in its place: (turn, position). */
export interface MessageRow {
  readonly turn: number;
  readonly position: number;
  readonly id: string;
  readonly role: 'user' | 'assistant' | 'tool';
  /** JSON text. */
  readonly content: string;
  /** Milliseconds. */
  readonly createdAt: number;
}

type Responded = Extract<StoredEvent['event'], { type: 'model.responded' }>;

/** Messages that a step adds, and those that it says anew: an outcome that was unknown became known. */
export interface MessageRows {
  readonly added: readonly MessageRow[];
  readonly changed: readonly MessageRow[];
}

/** Replies, and results as soon as they are known, each in its call's place. */
export function messageRows(before: Run, after: Run, events: readonly StoredEvent[]): MessageRows {
  const added: MessageRow[] = [];
  const changed: MessageRow[] = [];
  const results = new Map<string, number>();
  for (const { event, at } of events) {
    if (event.type === 'model.responded' && isSaid(event)) added.push(replyRow(event, at));
    if (isToolCallEvent(event)) results.set(event.toolCallId, at);
    // Who ends without a word on a call still has a result for it (invariant I11).
    if (event.type === 'run.finished') for (const call of openCalls(after)) results.set(call.id, at);
  }
  const finished = after.status.name === 'finished';
  for (const [id, at] of results) {
    const call = findCall(after, id);
    if (call === null) continue;
    const result = resultOf(call) ?? (finished ? finalResultOf(call) : null);
    const said = saidBefore(before, call);
    if (result === null || result === said) continue;
    (said === null ? added : changed).push(resultRow(call, result, at));
  }
  return { added, changed };
}

/** The input of a run that begins. */
export function inputRows(run: Run): readonly MessageRow[] {
  return run.input.map((item, position) => ({
    turn: 0,
    position,
    id: `${run.id.replace('run_', 'msg_')}_${position}`,
    role: item.role,
    content:
      item.role === 'user' ? JSON.stringify(item.text) : JSON.stringify({ text: item.text, calls: [] }),
    createdAt: run.createdAt,
  }));
}

function isSaid({ text, calls, raw }: Responded): boolean {
  return text !== '' || calls.length > 0 || raw.length > 0;
}

function replyRow({ turn, modelCallId, text, calls }: Responded, createdAt: number): MessageRow {
  const made = calls.map((call) => ({ callId: call.callId, tool: call.tool, arguments: call.arguments }));
  return {
    turn,
    position: 0,
    id: modelCallId.replace('mdl_', 'msg_'),
    role: 'assistant',
    content: JSON.stringify({ text, calls: made }),
    createdAt,
  };
}

function resultRow(call: ToolCall, { text, isError }: CallResult, createdAt: number): MessageRow {
  const { id: toolCallId, callId, tool } = call;
  return {
    turn: call.turn,
    position: call.index + 1,
    id: toolCallId.replace('tcl_', 'msg_'),
    role: 'tool',
    content: JSON.stringify({ toolCallId, callId, tool, text, isError }),
    createdAt,
  };
}

function openCalls(run: Run): readonly ToolCall[] {
  return run.turns.flatMap(({ calls }) => calls.filter((call) => resultOf(call) === null));
}

/** What the conversation says of a call already; who has ended says something of every call. */
function saidBefore(before: Run, call: ToolCall): CallResult | null {
  const then = sameCall(before, call);
  if (then === null) return null;
  return before.status.name === 'finished' ? finalResultOf(then) : resultOf(then);
}
