'use client';

import { useEffect } from 'react';
import { ErrorState } from '../../kit/notice';

interface ErrorPageProps {
  error: Error & { digest?: string };
  reset: () => void;
}

/** What a page shows that could not be drawn; the rest of the desk stays as it is. */
export default function ErrorPage({ error, reset }: ErrorPageProps) {
  useEffect(() => {
    console.error(error);
  }, [error]);
  return (
    <ErrorState
      title="This page could not be shown"
      detail="Something is wrong in the dashboard itself. What you did before is not lost."
      requestId={error.digest ?? null}
      retry={reset}
    />
  );
}
