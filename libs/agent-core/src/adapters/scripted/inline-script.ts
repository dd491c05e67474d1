import { stringify } from 'lossless-json';
import { z } from 'zod';
import type { FinishReason, ModelFailureCode } from '../../model/model-event.js';
import { parseJson } from '../../shared/json.js';
import type { Script, ScriptedReply } from './script.js';

const FINISHES = [
  'stop',
  'tool_calls',
  'max_tokens',
  'refusal',
  'content_filter',
  'pause',
  'context_overflow',
  'error',
] as const satisfies readonly FinishReason['unified'][];

const FAILURES = [
  'rate_limited',
  'overloaded',
  'timeout',
  'context_overflow',
  'bad_request',
  'unauthorized',
  'billing',
  'refused',
  'aborted',
  'unreadable',
] as const satisfies readonly ModelFailureCode[];

const count = z.int().min(0);

/** Written back at once, as only text keeps the digits of every number. */
const argumentsObject = z.record(z.string(), z.unknown()).transform((value) => stringify(value) ?? '{}');

const turn = z.strictObject({
  text: z.string().optional(),
  deltas: z.array(z.string()).optional(),
  calls: z
    .array(
      z.strictObject({
        tool: z.string(),
        arguments: z.union([z.string(), argumentsObject]),
        id: z.string().nullable().optional(),
      }),
    )
    .optional(),
  finish: z.enum(FINISHES).optional(),
  refusal: z.string().optional(),
  usage: z
    .strictObject({
      inputTokens: count,
      cachedInputTokens: count.default(0),
      cacheWriteTokens: count.default(0),
      outputTokens: count,
      reasoningTokens: count.default(0),
    })
    .nullable()
    .optional(),
  failure: z.strictObject({ code: z.enum(FAILURES), message: z.string().optional() }).optional(),
  delayMs: z.number().min(0).max(600_000).optional(),
  repeat: z.int().min(1).max(10_000).default(1),
});

const inlineScript = z.strictObject({ turns: z.array(turn).min(1).max(10_000) });

type Turns = z.infer<typeof inlineScript>['turns'];

const MOST_REMEMBERED = 100;
const remembered = new Map<string, Turns>();

/**
 * Plays a script that stands in the conversation: the last user message that is one, as JSON
 * `{"turns": [{"calls": [{"tool": "search", "arguments": {}}], "repeat": 2}, {"text": "done"}]}`. Which turn comes is
 * told by the assistant's items after it. Throws where there is no script, where it cannot be read, or at its end.
 */
export const playInline: Script = ({ conversation }) => {
  let played = 0;
  for (let position = conversation.length - 1; position >= 0; position -= 1) {
    const item = conversation[position];
    if (item?.role === 'assistant') played += 1;
    if (item?.role === 'user' && item.text.trimStart().startsWith('{'))
      return turnAt(turnsOf(item.text), played);
  }
  throw new Error('no user message holds a script: {"turns": [...]}');
};

function turnAt(turns: Turns, played: number): ScriptedReply {
  let end = 0;
  for (const turn of turns) {
    end += turn.repeat;
    if (played < end) return turn;
  }
  throw new Error(`the script has ${end} turns, and all of them were played`);
}

/** A script of many turns is read once, not with every turn. Broken ones are not remembered. */
function turnsOf(text: string): Turns {
  const known = remembered.get(text);
  if (known !== undefined) return known;
  const json = parseJson(text);
  if (!json.ok) throw new Error(`the script is no JSON: ${json.error.message}`);
  const result = inlineScript.safeParse(json.value);
  if (!result.success) throw new Error(`the script cannot be read: ${z.prettifyError(result.error)}`);
  if (remembered.size >= MOST_REMEMBERED) remembered.clear();
  remembered.set(text, result.data.turns);
  return result.data.turns;
}
