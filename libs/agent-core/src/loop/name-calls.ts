import { callIdsIn } from '../model/check-history.js';
import type { ConversationItem } from '../model/conversation.js';
import type { ModelResponse } from '../model/model-event.js';
import type { RecordedCall } from '../run/run-event.js';
import type { LoopPorts } from './ports.js';

/** A call that the provider gave no id, or one that the conversation has already, gets ours; the original is kept. */
export function nameCalls(
  conversation: readonly ConversationItem[],
  response: ModelResponse,
  ports: Pick<LoopPorts, 'newId'>,
): readonly RecordedCall[] {
  const known = callIdsIn(conversation);
  const named: RecordedCall[] = [];
  for (const { providerCallId, tool, arguments: text } of response.calls) {
    const toolCallId = ports.newId('tcl');
    const taken =
      providerCallId === null ||
      named.some(({ callId }) => callId === providerCallId) ||
      known.has(providerCallId);
    named.push({
      toolCallId,
      callId: taken ? toolCallId : providerCallId,
      providerCallId,
      tool,
      arguments: text,
    });
  }
  return named;
}
