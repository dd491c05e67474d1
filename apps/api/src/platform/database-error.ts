/** What went wrong in the database, in our words: its own codes stay in `cause`, for the log. */
export class DatabaseError extends Error {
  constructor(
    /** `duplicate` and `refused`: the same statement will never be taken. */
    readonly kind: 'duplicate' | 'refused' | 'busy' | 'unreachable' | 'failed',
    cause: unknown,
  ) {
    super(MESSAGES[kind], { cause });
  }
}

const MESSAGES = {
  duplicate: 'A row with this key exists',
  refused: 'The database can never take this statement',
  busy: 'The database did not get to it in time',
  unreachable: 'The database cannot be reached',
  failed: 'The database refused a statement',
} as const;
