import type { ToolCall } from '@countersign/contracts';

type Call = Pick<ToolCall, 'status' | 'error'>;

/** What came of a call that a person approved, in a sentence. `call` is null while it was not read. */
export function cameOfIt(call: Call | null): string {
  switch (call?.status) {
    case 'succeeded':
      return 'It was checked once more, ran, and succeeded.';
    case 'failed':
      return because('It failed', call);
    case 'denied':
      return because('It was denied before it ran', call);
    case 'cancelled':
      return because('It never ran', call);
    case 'unknown':
      return because('It was sent, and nobody knows whether it happened', call);
    case 'executing':
      return 'It was checked once more, and is running.';
    case 'awaiting_client':
      return 'It was checked once more, and is with the application that asked for it.';
    case 'requested':
    case 'permitted':
    case 'awaiting_approval':
      return 'It has not run: it is judged anew, or another approval is asked for.';
    case 'approved':
      return 'Everything is checked once more before it runs.';
    case undefined:
      return 'What came of it, its run shows.';
  }
}

/**
 * What whoever signed must hear of: the call did not do what they approved. Null where it succeeded, or has not ended.
 * `summary` says what it was to do.
 */
export function whatWentWrong(summary: string, call: Call): string | null {
  switch (call.status) {
    case 'failed':
      return because(`${summary} failed`, call);
    case 'denied':
    case 'cancelled':
      return because(`${summary} did not run`, call);
    case 'unknown':
      return because(`${summary}: nobody knows whether it happened`, call);
    default:
      return null;
  }
}

/** Whether nothing more comes of a call, or a person has to say what did. */
export function hasEnded({ status }: Call): boolean {
  return ['succeeded', 'failed', 'denied', 'cancelled', 'unknown'].includes(status);
}

function because(words: string, { error }: Call): string {
  const message = error?.message.trim() ?? '';
  return message === '' ? `${words}.` : `${words}: ${message}`;
}
