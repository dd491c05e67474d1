import { page, tool, toolCreate } from '@countersign/contracts';
import { z } from 'zod';
import { openApiDocument } from './openapi.js';
import type { RouteSpec } from './route.js';

const routes: readonly RouteSpec[] = [
  {
    method: 'GET',
    path: '/v1/tools',
    access: 'agents:read',
    summary: 'Lists tools.',
    query: z.strictObject({ limit: z.string().optional() }),
    ok: page(tool),
  },
  {
    method: 'POST',
    path: '/v1/tools',
    access: 'tools:write',
    summary: 'Makes a tool.',
    body: toolCreate,
    ok: tool,
    status: 201,
    problems: ['already_exists'],
    idempotent: {},
  },
  {
    method: 'DELETE',
    path: '/v1/tools/{name}',
    access: 'tools:write',
    summary: 'Ends it.',
    ok: null,
    status: 204,
  },
];
const document = JSON.parse(JSON.stringify(openApiDocument(routes)));

function referencesOf(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = '$ref' in value && typeof value.$ref === 'string' ? [value.$ref] : [];
  return [...own, ...Object.values(value).flatMap(referencesOf)];
}

describe('the OpenAPI document', () => {
  test('refers only to what it holds', () => {
    const known = Object.keys(document.components.schemas).map((id) => `#/components/schemas/${id}`);
    expect(known).toEqual(expect.arrayContaining([...new Set(referencesOf(document))]));
    expect(referencesOf(document)).toContain('#/components/schemas/Tool');
  });

  test('names every status that a route may answer, with the codes of each', () => {
    const { responses, parameters } = document.paths['/v1/tools'].post;
    expect(Object.keys(responses)).toEqual(
      ['201', '400', '401', '403', '409', '413', '415', '422', '429'].sort(),
    );
    expect(responses['409'].description).toContain('already_exists');
    expect(parameters).toEqual([expect.objectContaining({ name: 'Idempotency-Key', in: 'header' })]);
  });

  test('has path and query parameters', () => {
    expect(document.paths['/v1/tools'].get.parameters).toEqual([
      expect.objectContaining({ name: 'limit', in: 'query', required: false }),
    ]);
    expect(document.paths['/v1/tools/{name}'].delete.parameters).toEqual([
      expect.objectContaining({ name: 'name', in: 'path', required: true }),
    ]);
  });
});
