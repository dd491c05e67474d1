import type { ConversationItem, ModelRequest } from '@countersign/agent-core';

export type ToolItem = Extract<ConversationItem, { role: 'tool' }>;

/** What a script looks at: the last question, and the results of tools since then. So it says the same after a crash. */
export interface Asked {
  readonly question: string;
  readonly results: readonly ToolItem[];
  /** Replies of the model since the question. */
  readonly replies: number;
}

/** The last question of a conversation; empty where nobody asked. */
export function lastAsked({ conversation }: Pick<ModelRequest, 'conversation'>): Asked {
  const position = conversation.findLastIndex((item) => item.role === 'user');
  const item = conversation[position];
  const since = conversation.slice(position + 1);
  return {
    question: item?.role === 'user' ? item.text : '',
    results: since.filter((one): one is ToolItem => one.role === 'tool'),
    replies: since.filter((one) => one.role === 'assistant').length,
  };
}

/** A tool's result as the JSON that the tool sent; null where it failed, or is none. */
export function resultOf<Body>(result: ToolItem | undefined): Body | null {
  if (result === undefined || result.isError) return null;
  try {
    return JSON.parse(result.text) as Body;
  } catch {
    return null;
  }
}
