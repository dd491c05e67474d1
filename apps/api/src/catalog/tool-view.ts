import { RawJson, raw } from '../platform/reply.js';
import type { StoredTool } from './tool.repository.js';
import type { TriedTool } from './try-tool.js';

/** A tool as answers show it: every default filled in, no secret. */
export function toolView({ id, definition, headersSealed, createdAt, updatedAt }: StoredTool): object {
  const { executor, parameters, ...rest } = definition;
  return {
    id,
    ...rest,
    parameters: new RawJson(parameters),
    executor: executor.type === 'http' ? { ...executor, hasHeaders: headersSealed !== null } : executor,
    createdAt,
    updatedAt,
  };
}

/** What came of a test call, as the outside sees it. */
export function testView({ arguments: text, outcome }: TriedTool): object {
  const { type: status, attempts } = outcome;
  const error =
    outcome.type === 'succeeded'
      ? null
      : { code: outcome.type === 'failed' ? outcome.code : 'outcome_unknown', message: outcome.detail };
  const output = outcome.type === 'succeeded' ? raw(outcome.output) : null;
  return { status, arguments: raw(text), output, error, attempts };
}
