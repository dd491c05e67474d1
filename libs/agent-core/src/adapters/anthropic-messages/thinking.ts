import type { ModelRequest } from '../../model/conversation.js';

/** Tokens of thinking that stand for an effort, where a model takes a budget instead of a word. */
const BUDGETS: ReadonlyMap<string, number> = new Map([
  ['minimal', 1_024],
  ['low', 4_096],
  ['medium', 10_240],
  ['high', 20_480],
  ['xhigh', 32_768],
  ['max', 32_768],
]);
const LEAST_BUDGET = 1_024;

export type Thinking =
  | { readonly type: 'none' }
  /** `output_config.effort` beside `thinking: {type: 'adaptive'}`: models since 4.6. */
  | { readonly type: 'adaptive'; readonly effort: string }
  | { readonly type: 'budget'; readonly tokens: number };

/**
 * How a model is told to think. Thinking and a forced tool exclude each other; a budget needs room below the output
 * limit, and messages that begin with thinking since the user's last word (`canContinue`).
 */
export function thinkingOf(request: ModelRequest, canContinue: boolean): Thinking {
  const { model, reasoningEffort: effort } = request.choice;
  const isForced = request.tools.length > 0 && request.toolChoice !== 'auto';
  if (effort === undefined || effort === 'none' || isForced) return { type: 'none' };
  if (!takesBudget(model)) return { type: 'adaptive', effort };
  const room = request.maxOutputTokens - LEAST_BUDGET;
  const tokens = Math.min(BUDGETS.get(effort) ?? LEAST_BUDGET, room);
  return tokens >= LEAST_BUDGET && canContinue ? { type: 'budget', tokens } : { type: 'none' };
}

/** Claude 3 and Claude 4 up to 4.5, under whatever name a proxy gives them; later models choose for themselves. */
function takesBudget(model: string): boolean {
  const found = /(?:opus|sonnet|haiku)-(\d+)(?:[-.](\d{1,2}))?(?!\d)/.exec(model);
  if (found === null) return /claude-3/.test(model);
  const [major, minor] = [Number(found[1]), Number(found[2] ?? 0)];
  return major < 4 || (major === 4 && minor < 6);
}
