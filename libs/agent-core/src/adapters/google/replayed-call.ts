import type { ConversationCall } from '../../model/conversation.js';
import { isJsonObject, type JsonObject, ownValue } from '../../shared/json.js';
import { argumentsValue } from '../wire/arguments-value.js';
import { wireCallId } from '../wire/wire-call.js';

/** Protobuf's strings hold no lone surrogates; nothing else is known that Google would not take for an id. */
const CALL_ID = /^\P{Surrogate}+$/u;

/** The id under which a call and its result stand in the history that Google is sent. */
export function googleCallId(callId: string): string {
  return wireCallId(callId, CALL_ID);
}

/**
 * A call that Google wrote, as it goes back: as it came, with the id and the name by which it stands in the history.
 * They differ from what came where there was no id or another call had it, and where the model made a name up that is
 * refused; the result says the same. Google signs what was thought, not ids: it takes those of a client beside its
 * signatures. `field` is where the API keeps the arguments; what is no object there is refused as well.
 */
export function replayedCall(
  came: JsonObject,
  call: ConversationCall,
  { name, field }: { readonly name: string; readonly field: 'args' | 'arguments' },
): JsonObject {
  const isWhole = isJsonObject(ownValue(came, field));
  return {
    ...came,
    id: googleCallId(call.callId),
    name,
    ...(!isWhole && { [field]: argumentsValue(call.arguments) }),
  };
}
