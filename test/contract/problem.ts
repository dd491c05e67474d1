import type { Reply } from '../support/client.js';

interface ProblemBody {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: string;
  readonly requestId: string;
  readonly errors?: readonly { readonly path: string; readonly message: string }[];
}

/** Asserts that an answer is an RFC 9457 document with this status and code, and gives it. */
export function expectProblem(reply: Reply<unknown>, status: number, code: string): ProblemBody {
  expect([reply.status, reply.body]).toEqual([
    status,
    expect.objectContaining({
      type: expect.any(String),
      title: expect.any(String),
      status,
      detail: expect.any(String),
      code,
      requestId: expect.stringMatching(/^req_[0-9a-z]{26}$/),
    }),
  ]);
  expect(reply.headers.get('content-type')).toMatch(/^application\/problem\+json/);
  return reply.body as ProblemBody;
}

/** Asserts that content is refused at exactly these paths. */
export function expectInvalid(reply: Reply<unknown>, ...paths: readonly string[]): void {
  const { errors } = expectProblem(reply, 422, 'invalid_content');
  expect(errors?.map(({ path }) => path)).toEqual(paths);
}
