import { RawJson } from '../platform/reply.js';
import type { StoredTool } from './tool.repository.js';

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
