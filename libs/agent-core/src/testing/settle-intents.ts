import type { Step } from '../loop/ports.js';
import type { IntentRecord } from '../run/decide-context.js';

/** What becomes of intents with a step, as the ledger keeps them. */
export function settleIntents(intents: Map<string, IntentRecord>, step: Step): void {
  for (const turn of step.after.turns) {
    for (const { id, state } of turn.calls) {
      if (
        !('intentKey' in state) &&
        state.status !== 'failed' &&
        state.status !== 'permitted' &&
        state.status !== 'approved'
      )
        continue;
      for (const [key, record] of intents) {
        if (record.toolCallId !== id) continue;
        if (state.status === 'succeeded') {
          intents.set(key, {
            state: 'succeeded',
            toolCallId: id,
            argumentsDigest: state.bound.argumentsDigest,
            output: state.output,
            text: state.result.text,
          });
        } else if (state.status === 'unknown') intents.set(key, { state: 'unknown', toolCallId: id });
        else if (state.status === 'failed' || state.status === 'permitted' || state.status === 'approved')
          intents.delete(key);
      }
    }
  }
}
