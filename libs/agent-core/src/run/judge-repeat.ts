import type { ToolDefinition } from '../tools/tool-definition.js';
import { callsBackward } from './calls.js';
import { bindResult } from './result-binding.js';
import type { Run } from './run.js';
import type { RunEvent } from './run-event.js';
import type { BoundArguments, ToolCall } from './tool-call.js';

/**
 * A read that already succeeded with the same arguments is answered from the record, up to maxRepeats, then the run
 * ends `no_progress` (CONTRACT, Repeats). An effect, one
 * that may have happened, or a person's answer in between makes everything new. Null: run it.
 */
export function judgeRepeat(
  run: Run,
  call: ToolCall,
  definition: ToolDefinition,
  bound: BoundArguments,
): readonly RunEvent[] | null {
  if (definition.effect !== 'read' || definition.fresh) return null;
  let replays = 0;
  for (const { id, tool, state } of callsBackward(run)) {
    if (state.status === 'denied' && state.code === 'approval_rejected') return null;
    // It may have happened: what was read before it may be wrong by now, and the look-up must not be the old answer.
    if (state.status === 'unknown') return null;
    if (state.status !== 'succeeded') continue;
    if (state.intentKey !== null) return null;
    if (tool !== call.tool || state.bound.argumentsDigest !== bound.argumentsDigest) continue;
    if (state.replayOf !== null) {
      replays += 1;
    } else if (replays >= run.limits.maxRepeats) {
      const message = `${tool} was called with the same arguments more than ${run.limits.maxRepeats} times again.`;
      return [{ type: 'run.ending', status: 'failed', reason: { code: 'no_progress', message } }];
    } else {
      const { output, result } = state;
      const { text } = result;
      return [
        {
          type: 'tool.succeeded',
          toolCallId: call.id,
          output,
          text,
          replayOf: id,
          bound,
          binding: bindResult(run, call, bound, { output, text }),
          attempts: 0,
        },
      ];
    }
  }
  return null;
}
