import type { CallStory } from '../story/call-draft';
import type { ModelCallStory, Moment, RunWait, Story } from '../story/story';

/** What a span is about. */
export type FoundSpan =
  | { readonly kind: 'model'; readonly model: ModelCallStory }
  | { readonly kind: 'call'; readonly call: CallStory }
  | { readonly kind: 'wait'; readonly wait: RunWait };

/** The span of an id: of a model call, of a tool call or its approval, of a wait of the run; null: none of them. */
export function findSpan(story: Story, id: string): FoundSpan | null {
  const model = story.modelCalls.find((each) => each.id === id);
  if (model !== undefined) return { kind: 'model', model };
  const call =
    story.calls.get(id) ??
    [...story.calls.values()].find(({ approvals }) => approvals.some((each) => each.id === id));
  if (call !== undefined) return { kind: 'call', call };
  const wait = story.waits.find((each) => each.id === id);
  return wait === undefined ? null : { kind: 'wait', wait };
}

/** Something that a model was sent. */
export interface SentItem {
  readonly key: string;
  /** `user`, `agent`, or the tool whose result it is. */
  readonly who: string;
  readonly isTool: boolean;
  readonly text: string;
}

/** What a model call was sent that the reply before it had not seen; the reply's own words are left out. */
export function newSince({ moments, calls }: Story, modelId: string): SentItem[] {
  const end = moments.findIndex((moment) => isOf(moment, modelId));
  const before = moments.slice(0, end === -1 ? moments.length : end);
  const last = before.findLast((moment) => moment.kind === 'reply');
  if (last === undefined) {
    return before.flatMap((moment) =>
      moment.kind === 'input'
        ? [
            {
              key: moment.key,
              who: moment.role === 'user' ? 'user' : 'agent',
              isTool: false,
              text: moment.text,
            },
          ]
        : [],
    );
  }
  return last.calls.map(({ id, tool }) => {
    const call = calls.get(id);
    const text = call?.result?.text ?? call?.trouble?.message ?? '';
    return { key: id, who: tool, isTool: true, text };
  });
}

function isOf(moment: Moment, modelId: string): boolean {
  return (moment.kind === 'reply' || moment.kind === 'attempt') && moment.model.id === modelId;
}

/** The other attempts at the turn of a model call, in their order. */
export function attemptsAt({ modelCalls }: Story, turn: number): readonly ModelCallStory[] {
  return modelCalls.filter((each) => each.turn === turn);
}
