import type { ReactNode } from 'react';
import { ErrorState, NoPermission } from '../kit/notice';
import type { ApiProblem } from './problem';

interface OutcomeProps<Answer> {
  /** What `useRead` or `usePages` gave. */
  of: {
    readonly data: Answer | undefined;
    readonly error: ApiProblem | null;
    readonly refetch: () => unknown;
  };
  /** What the person wanted to do: `see the runs`. */
  what: string;
  skeleton: ReactNode;
  children: (answer: Answer) => ReactNode;
}

/** An answer, or what stands in its place: a skeleton, a missing permission, an error with a retry. */
export function Outcome<Answer>({ of: query, what, skeleton, children }: OutcomeProps<Answer>) {
  if (query.data !== undefined) {
    return children(query.data);
  }
  if (query.error === null) {
    return skeleton;
  }
  return query.error.status === 403 ? (
    <NoPermission what={what} />
  ) : (
    <ErrorState
      title={`Could not ${what}`}
      detail={query.error.detail}
      requestId={query.error.requestId}
      retry={() => void query.refetch()}
    />
  );
}
