import type { CallStory } from './call-draft';
import type { ModelCallStory, Story } from './story';

/** A place where something did not go as it should: the id of a call or of a model call, or the key of a moment. */
export interface Problem {
  readonly id: string;
}

/** Where a run had trouble, in the order in which it had it. */
export function problems({ moments }: Story): Problem[] {
  return moments.flatMap((moment): Problem[] => {
    switch (moment.kind) {
      case 'attempt':
        return [{ id: moment.key }];
      case 'reply':
        return [
          ...(endedBadly(moment.model) || moment.refusal !== null ? [{ id: moment.key }] : []),
          ...moment.calls.filter(isTroubled).map(({ id }) => ({ id })),
        ];
      case 'note':
        return moment.note === 'handed_back' && moment.reason === 'lease_expired' ? [{ id: moment.key }] : [];
      default:
        return [];
    }
  });
}

/** Where to look first: what most likely ended the run as it ended; null where nothing of it stands out, or it went well. */
export function culprit(story: Story): Problem | null {
  const ending = story.moments.find((moment) => moment.kind === 'ending');
  if (ending === undefined || ending.status === 'completed' || ending.status === 'cancelled') {
    return null;
  }
  const found = problems(story);
  const code = ending.reason?.code ?? '';
  const ofModel = code.startsWith('model_') || code === 'context_overflow' || code === 'max_tokens';
  const models = new Set(story.modelCalls.map(({ id }) => id));
  const likely = ofModel ? found.findLast(({ id }) => models.has(id)) : undefined;
  const last = [...story.calls.keys()].at(-1);
  const stopped = STOPPED_BY_CALLS.has(code) && last !== undefined ? { id: last } : undefined;
  return likely ?? stopped ?? found.at(-1) ?? null;
}

/** Endings whose cause is the last call, though that call itself may have gone well. */
const STOPPED_BY_CALLS: ReadonlySet<string> = new Set(['no_progress', 'tool_call_limit']);

/** A call that was cancelled with its run is none: the run is where to look. */
function isTroubled({ status }: CallStory): boolean {
  return status === 'denied' || status === 'failed' || status === 'unknown';
}

const GOOD_FINISHES: ReadonlySet<string> = new Set(['stop', 'tool_calls', 'pause']);

/** Whether a reply did not end as replies do. */
export function endedBadly({ finish }: ModelCallStory): boolean {
  return finish !== null && !GOOD_FINISHES.has(finish.unified);
}
