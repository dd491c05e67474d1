import type { LiveText } from '../data/run-events';
import type { CallStory } from '../story/call-draft';
import type { Moment, Story } from '../story/story';

/** A row of the conversation: a moment, a call of a reply, or what is being written right now. */
export type ConversationRow =
  | { readonly kind: 'moment'; readonly key: string; readonly moment: Moment }
  | { readonly kind: 'call'; readonly key: string; readonly call: CallStory }
  | { readonly kind: 'live'; readonly key: string; readonly turn: number; readonly live: LiveText | null };

/** Each reply is followed by its calls; at the end stands what the model is writing. */
export function conversationRows({ moments, asking }: Story, live: LiveText | null): ConversationRow[] {
  const rows = moments.flatMap((moment): ConversationRow[] => [
    { kind: 'moment', key: moment.key, moment },
    ...(moment.kind === 'reply' ? moment.calls : []).map(
      (call): ConversationRow => ({ kind: 'call', key: call.id, call }),
    ),
  ]);
  return asking === null ? rows : [...rows, { kind: 'live', key: 'live', turn: asking.turn, live }];
}
