import type { JsonText } from '../shared/brand.js';
import { equalityText } from '../shared/canonical-json.js';
import { digestOf } from '../shared/digest.js';
import { type JsonValue, readJson } from '../shared/json.js';
import { readPointer } from '../shared/pointer.js';
import type { ToolDefinition } from './tool-definition.js';

export interface IntentQuestion {
  readonly definition: ToolDefinition;
  /** Normalised arguments. */
  readonly arguments: JsonText;
  readonly subject: JsonText | null;
  readonly operationId: string;
}

/**
 * The key of a call's business intent within its tenant (CONTRACT, Intent; invariant I4): a digest over tool, scope and
 * intent values. Numbers that are equal as decimals give the same key, a value that is missing counts as null. Under
 * scope `subject` all runs without a subject share one; scope `tenant` adds nothing.
 */
export function intentKeyOf({ definition, arguments: text, subject, operationId }: IntentQuestion): string {
  const args = readJson(text);
  const values = definition.intent?.map((pointer) => valueAt(args, pointer)) ?? args;
  const scope = scopeValue(definition.intentScope, subject, operationId);
  return digestOf(equalityText([definition.name, definition.intentScope, scope, values]) as JsonText);
}

function scopeValue(
  scope: ToolDefinition['intentScope'],
  subject: JsonText | null,
  operationId: string,
): JsonValue {
  switch (scope) {
    case 'operation':
      return operationId;
    case 'subject':
      return subject === null ? null : valueAt(readJson(subject), '/id');
    case 'tenant':
      return null;
  }
}

function valueAt(value: JsonValue, pointer: string): JsonValue {
  const read = readPointer(value, pointer);
  return read.found ? read.value : null;
}
