import { readFileSync } from 'node:fs';
import path from 'node:path';
import { invalidContent, PROBLEMS, Problem } from './problem.js';

describe('the list of problem codes', () => {
  test('is the one that docs/errors.md describes, code by code with its status', () => {
    const page = readFileSync(path.resolve(__dirname, '../../../../docs/errors.md'), 'utf8');
    const documented = [...page.matchAll(/^\| `([a-z_]+)` \| (\d{3}) \|/gm)].map(
      ([, code, status]) => `${code} ${status}`,
    );
    expect(documented).toEqual(Object.entries(PROBLEMS).map(([code, { status }]) => `${code} ${status}`));
  });
});

describe('Problem', () => {
  test('is an RFC 9457 document with the members of its own beside it', () => {
    const problem = new Problem('already_decided', 'It was rejected.', { members: { decision: 'reject' } });
    expect(problem.document('req_1')).toEqual({
      type: 'urn:countersign:problem:already_decided',
      title: 'The approval is decided',
      status: 409,
      detail: 'It was rejected.',
      code: 'already_decided',
      requestId: 'req_1',
      decision: 'reject',
    });
  });

  test('of invalid content names every path, and the first in words', () => {
    const problem = invalidContent(
      { path: '/name', message: 'is required' },
      { path: '/tool', message: 'is unknown' },
    );
    expect(problem.document('req_1')).toMatchObject({
      status: 422,
      detail: '/name: is required',
      errors: [
        { path: '/name', message: 'is required' },
        { path: '/tool', message: 'is unknown' },
      ],
    });
  });
});
