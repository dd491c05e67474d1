import type { Tone } from '../../../kit/tone';
import type { CallStory } from '../story/call-draft';
import type { ModelCallStory, RunWait, Story } from '../story/story';
import type { Stretch } from '../story/stretch';

/** A stretch as it is drawn. A `mark` took no time: it was denied, or answered from the record. */
export interface Bar {
  readonly key: string;
  readonly kind: Stretch['kind'] | 'mark';
  readonly from: number;
  /** null: it goes on. */
  readonly to: number | null;
  readonly tone: Tone;
}

/** A line of the tree: a turn, what was done in it, and what that waited for. */
export interface TimelineRow {
  readonly key: string;
  readonly depth: 0 | 1 | 2;
  readonly kind: 'turn' | Stretch['kind'];
  readonly name: string;
  readonly bars: readonly Bar[];
  readonly from: number;
  readonly to: number | null;
  readonly tone: Tone;
  /** The turn that it is a part of; null: of the run alone. */
  readonly turn: number | null;
  /** The id of the span that it opens; null: it is a heading. */
  readonly opens: string | null;
}

/** The tree of a run, in the order in which its parts began. */
export function timeline(story: Story): TimelineRow[] {
  const groups: TimelineRow[][] = story.waits.map((wait) => [
    waitRow(wait, { name: waitName(wait), depth: 0, turn: null, opens: wait.id }),
  ]);
  for (const [turn, models] of byTurn(story)) {
    const last = models.at(-1);
    const calls = last === undefined ? [] : (story.callsOf.get(last.id) ?? []);
    const asking = story.asking?.turn === turn ? [askingRow(turn, story.asking.since)] : [];
    const rows = [...models.map(modelRow), ...calls.flatMap(callRows), ...asking];
    groups.push([turnRow(turn, rows), ...rows]);
  }
  return groups.sort(([a], [b]) => (a?.from ?? 0) - (b?.from ?? 0)).flat();
}

function byTurn({ modelCalls, asking }: Story): Map<number, ModelCallStory[]> {
  const turns = new Map<number, ModelCallStory[]>();
  for (const model of modelCalls) {
    turns.set(model.turn, [...(turns.get(model.turn) ?? []), model]);
  }
  if (asking !== null && !turns.has(asking.turn)) {
    turns.set(asking.turn, []);
  }
  return turns;
}

function turnRow(turn: number, rows: readonly TimelineRow[]): TimelineRow {
  const ends = rows.map(({ to }) => to);
  return {
    key: `turn_${turn}`,
    depth: 0,
    kind: 'turn',
    name: `Turn ${turn}`,
    bars: [],
    from: Math.min(...rows.map(({ from }) => from)),
    to: ends.includes(null) ? null : Math.max(...ends.filter((end) => end !== null)),
    tone: 'neutral',
    turn,
    opens: null,
  };
}

function modelRow(model: ModelCallStory): TimelineRow {
  const { id, turn, from, to } = model;
  const tone: Tone = model.failure === null ? 'neutral' : 'red';
  const bars: Bar[] = [{ key: id, kind: 'model_call', from, to, tone }];
  return { key: id, depth: 1, kind: 'model_call', name: model.model, turn, bars, from, to, tone, opens: id };
}

function askingRow(turn: number, since: number): TimelineRow {
  const bars: Bar[] = [{ key: 'asking', kind: 'model_call', from: since, to: null, tone: 'blue' }];
  const name = 'Asking the model';
  return {
    key: 'asking',
    depth: 1,
    turn,
    kind: 'model_call',
    name,
    bars,
    from: since,
    to: null,
    tone: 'blue',
    opens: null,
  };
}

/** The call with all that it went through on one line, and below it what it waited for. */
function callRows(call: CallStory): TimelineRow[] {
  const { id, turn, stretches, movedAt } = call;
  const tone = CALL_TONES[call.status] ?? 'neutral';
  const bars = stretches.map((stretch) =>
    barOf(stretch, stretch.kind === 'tool_call' ? tone : waitTone(stretch)),
  );
  const last = stretches.at(-1);
  const isDone = last?.to !== null;
  const marks: Bar[] =
    isDone && last?.kind !== 'tool_call' && call.status !== 'requested'
      ? [{ key: `${id}/end`, kind: 'mark', from: movedAt, to: movedAt, tone }]
      : [];
  const row: TimelineRow = {
    key: id,
    depth: 1,
    kind: 'tool_call',
    name: call.tool,
    turn,
    bars: [...bars, ...marks],
    from: stretches[0]?.from ?? movedAt,
    to: isDone ? movedAt : null,
    tone,
    opens: id,
  };
  const waits = stretches
    .filter(({ kind }) => kind !== 'tool_call')
    .map((stretch) => waitRow(stretch, { name: WAIT_NAMES[stretch.kind], depth: 2, turn, opens: id }));
  return [row, ...waits];
}

function waitRow(
  stretch: Stretch,
  place: Pick<TimelineRow, 'name' | 'depth' | 'turn' | 'opens'>,
): TimelineRow {
  const { id: key, kind, from, to } = stretch;
  const tone = waitTone(stretch);
  return { ...place, key, kind, bars: [barOf(stretch, tone)], from, to, tone };
}

/** The time to undo ends by itself; whatever else is open goes on. */
function barOf({ id: key, kind, from, to, endsAt }: Stretch, tone: Tone): Bar {
  return { key, kind, from, to: kind === 'undo_wait' ? (to ?? endsAt) : to, tone };
}

/** What waits for people or for the app stands out. */
function waitTone({ kind }: Stretch): Tone {
  if (kind === 'outcome_wait') return 'violet';
  return kind === 'approval_wait' || kind === 'client_wait' ? 'amber' : 'neutral';
}

const CALL_TONES: Partial<Record<CallStory['status'], Tone>> = {
  executing: 'blue',
  denied: 'red',
  failed: 'red',
  unknown: 'violet',
};

const WAIT_NAMES: Readonly<Record<Stretch['kind'], string>> = {
  model_call: 'Model',
  tool_call: 'Tool',
  queue_wait: 'Waits for a worker',
  approval_wait: 'Waits for approval',
  undo_wait: 'May be undone',
  outcome_wait: 'Waits for word of the outcome',
  client_wait: 'Waits for the app',
  hold_wait: 'Waits for another call',
  timer_wait: 'Waits',
};

/** What a stretch of a call is called. */
export function stretchName(kind: Stretch['kind']): string {
  return kind === 'tool_call' ? 'Executed' : WAIT_NAMES[kind];
}

/** What a wait of the run itself is for. */
export function waitName({ kind, why }: RunWait): string {
  if (why === 'budget_reserved') return 'Waits for reserved money';
  return why === 'provider_unavailable' ? 'Waits for the provider' : WAIT_NAMES[kind];
}
