import { bindResult } from '../run/result-binding.js';
import { resultText } from '../run/result-text.js';
import type { Run } from '../run/run.js';
import type { RunEvent } from '../run/run-event.js';
import type { BoundArguments, ToolCall } from '../run/tool-call.js';
import type { JsonText } from '../shared/brand.js';
import { cutText } from '../shared/text.js';
import type { ToolDefinition } from '../tools/tool-definition.js';
import type { KnownOutcome, Reconciliation } from './ports.js';
import { whatToCheck } from './what-to-check.js';

/** A call with what it is bound to, as it runs. */
interface Execution {
  readonly call: ToolCall;
  readonly definition: ToolDefinition;
  readonly bound: BoundArguments;
}

/** What an executor said of a call, as events. An unknown outcome is told by `unknownEvents`. */
export function outcomeEvents(
  run: Run,
  { call, definition, bound }: Execution,
  outcome: KnownOutcome,
  edited: JsonText | null,
): readonly RunEvent[] {
  const { attempts } = outcome;
  if (outcome.type === 'succeeded') {
    const text = resultOfOutput(outcome.output, definition, edited);
    return [
      {
        type: 'tool.succeeded',
        toolCallId: call.id,
        output: outcome.output,
        text,
        replayOf: null,
        bound: null,
        binding: bindResult(run, call, bound, { output: outcome.output, text }),
        attempts,
      },
    ];
  }
  const { code, infrastructure } = outcome;
  return [
    {
      type: 'tool.failed',
      toolCallId: call.id,
      code,
      message: cut(outcome.detail, definition),
      infrastructure,
      attempts,
    },
  ];
}

/** An effect that was sent and may have happened: what `reconcile` said of it, or else a person is asked or the model told. */
export function unknownEvents(
  run: Run,
  { call, definition, bound }: Execution,
  unknown: { readonly detail: string; readonly attempts: number },
  reconciled: Reconciliation | null,
  edited: JsonText | null,
  now: number,
): readonly RunEvent[] {
  const toolCallId = call.id;
  const known = reconciled !== null && reconciled.type !== 'unknown' ? reconciled : null;
  const event: RunEvent = {
    type: 'tool.unknown',
    toolCallId,
    message:
      known === null && definition.onUnknown === 'tell' ? told(call, definition, unknown) : unknown.detail,
    // Settled in the same breath, so nobody is asked and the model is told only how it ended.
    onUnknown: known === null ? definition.onUnknown : 'ask',
    askUntil: now + run.limits.approvalTtlSeconds * 1000,
    attempts: unknown.attempts,
  };
  if (known === null) return [event];
  const settled = { type: 'tool.settled', toolCallId, by: { type: 'reconcile' } } as const;
  if (known.type === 'did_not_happen') {
    const text = resultText.didNotHappen;
    const binding = bindResult(run, call, bound, { output: null, text });
    return [event, { ...settled, outcome: 'did_not_happen', output: null, text, binding }];
  }
  const { output } = known;
  const text = resultOfOutput(output, definition, edited);
  const binding = bindResult(run, call, bound, { output, text });
  return [event, { ...settled, outcome: 'happened', output, text, binding }];
}

function told(call: ToolCall, definition: ToolDefinition, { detail }: { readonly detail: string }): string {
  return `${detail}${/[.!?]$/.test(detail) ? '' : '.'} ${whatToCheck(call, definition)}`;
}

/** What the model reads of a tool's output. `edited` is what ran, where a person changed the arguments. */
export function resultOfOutput(
  output: JsonText,
  definition: ToolDefinition,
  edited: JsonText | null,
): string {
  const read = readable(output);
  return cut(edited === null ? read : resultText.edited(edited, read), definition);
}

/** A JSON string is read as its text, everything else as JSON. */
function readable(output: JsonText): string {
  if (output === 'null') return resultText.empty;
  return output.startsWith('"') ? (JSON.parse(output) as string) : output;
}

function cut(text: string, definition: ToolDefinition): string {
  const { text: kept, cutBytes } = cutText(text, definition.resultMaxBytes);
  return cutBytes === 0 ? kept : `${kept}\n[${cutBytes} bytes were cut off here]`;
}
