import { boundIn } from '../run/evolve-call.js';
import type { ToolCall } from '../run/tool-call.js';
import { writeJson } from '../shared/canonical-json.js';
import { readJson } from '../shared/json.js';
import { isWithin, pointerBelow, pointerSteps, readPointer } from '../shared/pointer.js';
import type { ToolDefinition } from '../tools/tool-definition.js';

/**
 * What a model that is told of an unknown outcome has to look up before anything else: whether this tool took effect,
 * named by the values of its intent. What was injected stays hidden from the model.
 */
export function whatToCheck(call: ToolCall, definition: ToolDefinition): string {
  const bound = boundIn(call.state);
  const hidden = Object.keys(definition.inject).map((name) => pointerBelow('', name));
  const named = (definition.intent ?? []).filter((pointer) => !hidden.some((one) => isWithin(pointer, one)));
  const values = named.flatMap((pointer) => {
    const read = bound === null ? null : readPointer(readJson(bound.arguments), pointer);
    return read?.found ? [`${pointerSteps(pointer).join('.')} ${writeJson(read.value)}`] : [];
  });
  const about = values.length === 0 ? '' : ` with ${values.join(', ')}`;
  return `To be looked up first: whether "${call.tool}"${about} took effect.`;
}
