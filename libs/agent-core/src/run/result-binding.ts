import type { Digest, JsonText } from '../shared/brand.js';
import { digestOf } from '../shared/digest.js';
import { foldOnce } from '../shared/fold-once.js';
import { NO_OUTPUT, successResult } from './result-text.js';
import type { Run, Turn } from './run.js';
import type { BoundArguments, CallResult, ToolCall } from './tool-call.js';

/** What a tool gave back, as its event tells it. */
interface Given {
  readonly output: JsonText | null;
  readonly text: string;
}

/**
 * One digest over which call of which run it was, what ran, what came back and what the model reads of it. It is made
 * when a result is recorded, and held against the result before a model is sent it.
 */
export function bindResult(run: Run, call: ToolCall, bound: BoundArguments, { output, text }: Given): Digest {
  const told = call.state.status === 'unknown' ? call.state.result : null;
  return bindingOf(run, call, bound, output ?? NO_OUTPUT, told ?? successResult(text));
}

function bindingOf(
  { tenant, id }: Run,
  call: ToolCall,
  { argumentsDigest }: BoundArguments,
  output: JsonText,
  { text, isError }: CallResult,
): Digest {
  const parts = [tenant, id, call.id, call.callId, call.tool, argumentsDigest, output, text, isError];
  return digestOf(JSON.stringify(parts) as JsonText);
}

/**
 * What makes a result one that must not go back to a model, in words; null where every result is the one that was
 * recorded for its call. One that is missing, doubled or of no call is `historyFault`'s to find.
 */
export function bindingFault(run: Run): string | null {
  return faultIn(run.turns, run);
}

/** The first fault: a long run does not prove its past again for each model call. */
const faultIn = foldOnce<Turn, string | null, Run>(
  () => null,
  (fault, { calls }, _index, run) => {
    if (fault !== null) return fault;
    for (const call of calls) {
      const found = faultOf(run, call);
      if (found !== null) return found;
    }
    return null;
  },
);

function faultOf(run: Run, call: ToolCall): string | null {
  if (call.state.status !== 'succeeded') return null;
  const { bound, binding, output, result } = call.state;
  if (digestOf(bound.arguments) !== bound.argumentsDigest) {
    return `the arguments of ${call.id} are not those of their digest`;
  }
  if (bindingOf(run, call, bound, output, result) !== binding) {
    return `the result of ${call.id} is not the one that was recorded for it`;
  }
  return null;
}
