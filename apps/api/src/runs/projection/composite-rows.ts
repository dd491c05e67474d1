import type { EventRow } from './event-rows.js';
import type { MessageRow } from './message-rows.js';
import type { ModelCallRow } from './model-call-rows.js';
import type { ToolCallRow } from './tool-call-rows.js';

/** The columns of event_row in prisma/migrations, in its order. */
export const EVENT_COLUMNS: readonly (keyof EventRow)[] = ['seq', 'type', 'at', 'data'];

/** The columns of message_row, in its order. */
export const MESSAGE_COLUMNS: readonly (keyof MessageRow)[] = [
  'turn',
  'position',
  'id',
  'role',
  'content',
  'createdAt',
];

/** The columns of model_call_row, in its order. */
export const MODEL_CALL_COLUMNS: readonly (keyof ModelCallRow)[] = [
  'id',
  'turn',
  'choice',
  'provider',
  'api',
  'model',
  'responseId',
  'requestDigest',
  'adapterRevision',
  'sdkRevision',
  'priceVersion',
  'finish',
  'finishRaw',
  'failure',
  'httpStatus',
  'inputTokens',
  'cachedInputTokens',
  'cacheWriteTokens',
  'outputTokens',
  'reasoningTokens',
  'estimated',
  'costUsd',
  'wasteUsd',
  'startedAt',
  'finishedAt',
];

/** The columns of tool_call_row, in its order. */
export const TOOL_CALL_COLUMNS: readonly (keyof ToolCallRow)[] = [
  'id',
  'turn',
  'index',
  'tool',
  'toolVersion',
  'effect',
  'status',
  'arguments',
  'argumentsDigest',
  'checks',
  'result',
  'error',
  'replayOf',
  'callId',
  'providerCallId',
  'modelCallId',
  'provider',
  'api',
  'responseId',
  'idempotencyKey',
  'approvalId',
  'revisions',
  'requestDigest',
  'resultDigest',
  'bindingDigest',
  'attempts',
  'createdAt',
  'startedAt',
  'finishedAt',
];

/**
 * Rows as the text of an array of a composite type; what is absent or null is NULL. Null where there are no rows.
 * https://www.postgresql.org/docs/18/rowtypes.html#ROWTYPES-IO-SYNTAX
 */
export function compositeRows<Row extends object>(
  columns: readonly (keyof Row)[],
  rows: readonly Row[] | undefined,
): string | null {
  if (rows === undefined) return null;
  return `{${rows.map((row) => compositeRow(columns, row)).join(',')}}`;
}

function compositeRow<Row extends object>(columns: readonly (keyof Row)[], row: Row): string {
  let text = '"(';
  for (let index = 0; index < columns.length; index += 1) {
    const value: unknown = row[columns[index] as keyof Row];
    if (index > 0) text += ',';
    if (typeof value === 'string') text += quoted(value);
    else if (value !== null && value !== undefined) text += String(value);
  }
  return `${text})"`;
}

/** What stands in a quoted field of a row that stands in a quoted element of an array: each escapes for itself. */
function quoted(value: string): string {
  return `\\"${value.replaceAll('\\', '\\\\\\\\').replaceAll('"', '\\\\\\"')}\\"`;
}
