/** Every code that an error may carry. The list is closed: docs/errors.md describes each, and a test compares them. */
export const PROBLEMS = {
  malformed_json: { status: 400, title: 'The body is not valid JSON' },
  tenant_required: { status: 400, title: 'X-Tenant must name a tenant' },
  unauthorized: { status: 401, title: 'Neither a valid key nor a session' },
  sign_in_refused: { status: 401, title: 'The e-mail address or the password is wrong' },
  missing_scope: { status: 403, title: 'The caller lacks a scope' },
  cross_origin: { status: 403, title: 'Sent by a page of another origin' },
  tenant_suspended: { status: 403, title: 'The tenant is suspended' },
  scope_not_held: { status: 403, title: 'Nobody gives a scope that they lack' },
  set_by_operator: { status: 403, title: 'Only the operator may change this' },
  not_an_approver: { status: 403, title: 'Not one of the approvers' },
  own_request: { status: 403, title: 'Nobody approves a request of their own' },
  not_found: { status: 404, title: 'There is no such thing' },
  method_not_allowed: { status: 405, title: 'The method is not allowed here' },
  already_exists: { status: 409, title: 'The name is taken' },
  last_admin: { status: 409, title: 'A tenant keeps its last admin' },
  idempotency_in_progress: { status: 409, title: 'The first request with this key is still under way' },
  conflict: { status: 409, title: 'Something else changed it at the same time' },
  thread_busy: { status: 409, title: 'The thread has a run under way' },
  tool_result_not_expected: { status: 409, title: 'No result is expected for this call' },
  outcome_not_expected: { status: 409, title: 'No outcome is expected for this call' },
  already_decided: { status: 409, title: 'The approval is decided' },
  approval_expired: { status: 409, title: 'The approval has expired' },
  approval_cancelled: { status: 409, title: 'The approval was cancelled' },
  digest_mismatch: { status: 409, title: 'The arguments are not the ones that were shown' },
  undo_too_late: { status: 409, title: 'The decision can no longer be undone' },
  body_too_large: { status: 413, title: 'The body is over 1 MiB' },
  unsupported_media_type: { status: 415, title: 'The encoding of the body is not supported' },
  invalid_content: { status: 422, title: 'The content is not valid' },
  idempotency_key_reused: { status: 422, title: 'The idempotency key belongs to another body' },
  model_unpriced: { status: 422, title: 'The model has no price' },
  max_output_tokens_required: { status: 422, title: 'The model needs maxOutputTokens' },
  provider_key_missing: { status: 422, title: 'There is no key for the provider' },
  provider_unavailable: { status: 422, title: 'The provider is not available here' },
  executor_unavailable: { status: 422, title: 'The executor is not available here' },
  subject_mismatch: { status: 422, title: 'The thread belongs to another subject' },
  edit_refused: { status: 422, title: 'The edited arguments are refused' },
  rate_limited: { status: 429, title: 'Too many requests' },
  too_many_queued_runs: { status: 429, title: 'Too many runs are queued' },
  too_many_streams: { status: 429, title: 'Too many streams are open' },
  internal: { status: 500, title: 'Something went wrong on our side' },
  unavailable: { status: 503, title: 'A part that this needs does not answer' },
} as const satisfies Readonly<Record<string, { readonly status: number; readonly title: string }>>;

export type ProblemCode = keyof typeof PROBLEMS;

/** One thing that is wrong: a JSON pointer into the body, or the name of a query parameter. */
export interface FieldError {
  readonly path: string;
  readonly message: string;
}

interface ProblemParts {
  readonly errors?: readonly FieldError[];
  readonly headers?: Readonly<Record<string, string>>;
  /** Members beside RFC 9457's own, for example the decision of `already_decided`. */
  readonly members?: Readonly<Record<string, unknown>>;
}

/** A refusal that the caller may read: what every verb throws to answer with an RFC 9457 document. */
export class Problem extends Error {
  readonly status: number;
  readonly parts: ProblemParts;

  constructor(
    readonly code: ProblemCode,
    readonly detail: string,
    parts: ProblemParts = {},
  ) {
    super(`${code}: ${detail}`);
    this.name = 'Problem';
    this.status = PROBLEMS[code].status;
    this.parts = parts;
  }

  /** The document as it is sent. */
  document(requestId: string): Record<string, unknown> {
    return {
      type: `urn:countersign:problem:${this.code}`,
      title: PROBLEMS[this.code].title,
      status: this.status,
      detail: this.detail,
      code: this.code,
      requestId,
      ...(this.parts.errors === undefined ? {} : { errors: this.parts.errors }),
      ...this.parts.members,
    };
  }
}

/** Invalid content with one reason for each path. */
export function invalidContent(...errors: readonly FieldError[]): Problem {
  const first = errors[0];
  const where = first === undefined || first.path === '' ? '' : `${first.path}: `;
  return new Problem(
    'invalid_content',
    first === undefined ? 'The content is not valid.' : where + first.message,
    {
      errors,
    },
  );
}

/** Anything of another tenant, unknown, or malformed: never told apart. */
export function notFound(what: string): Problem {
  return new Problem('not_found', `There is no such ${what}.`);
}
