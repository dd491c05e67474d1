/** What went wrong in the database, in our words: its own codes stay in `cause`, for the log. */
export class DatabaseError extends Error {
  constructor(
    readonly kind: 'duplicate' | 'busy' | 'unreachable' | 'failed',
    cause: unknown,
  ) {
    super(MESSAGES[kind], { cause });
  }
}

const MESSAGES = {
  duplicate: 'A row with this key exists',
  busy: 'The database did not get to it in time',
  unreachable: 'The database cannot be reached',
  failed: 'The database refused a statement',
} as const;
