import { join } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { readJsonFile } from './wire-data.js';

/** A validator of what `reference` names in a published schema of the recordings' folder. */
export function publishedSchema(folder: string, file: string, reference: string): ValidateFunction {
  const { $schema: _, ...document } = readJsonFile<{ $schema?: string }>(join(folder, 'openapi', file));
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema({ ...(withNull(document) as object), $id: 'published' });
  return ajv.compile({ $ref: `published${reference}` });
}

/** `nullable` without a `type` means nothing to ajv. */
function withNull(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withNull);
  if (typeof schema !== 'object' || schema === null) return schema;
  const entries = Object.entries(schema).map(([key, value]) => [key, withNull(value)] as const);
  const copy: Record<string, unknown> = Object.fromEntries(entries);
  if (copy.nullable !== true || copy.type !== undefined) return copy;
  const { nullable: _, ...rest } = copy;
  return { anyOf: [rest, { type: 'null' }] };
}
