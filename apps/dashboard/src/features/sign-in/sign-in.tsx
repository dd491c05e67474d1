'use client';

import { useState } from 'react';
import { ApiProblem } from '../../api/problem';
import { request } from '../../api/request';
import { Button } from '../../kit/button';
import { Field, Input } from '../../kit/field';
import { Wordmark } from './wordmark';

/** E-mail and password; leads to where the person wanted to go. */
export function SignIn({ demo }: { demo: boolean }) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  async function submit(form: FormData) {
    setBusy(true);
    setProblem(null);
    const body = { email: String(form.get('email')).trim(), password: String(form.get('password')) };
    try {
      await request('/api/auth/sign-in/email', { method: 'POST', tenant: null, body });
      window.location.assign(wantedPath(window.location));
    } catch (error) {
      setBusy(false);
      setProblem(error instanceof ApiProblem ? wordsFor(error) : 'Something went wrong here. Try again.');
    }
  }

  return (
    <main className="flex min-h-dvh flex-col items-center justify-center bg-ground px-4 pb-[12vh]">
      <div className="w-full max-w-80">
        <Wordmark />
        <h1 className="mt-8 mb-5 font-semibold text-20 tracking-tight">Sign in</h1>
        <form
          className="flex flex-col gap-4"
          onSubmit={(event) => {
            event.preventDefault();
            void submit(new FormData(event.currentTarget));
          }}
        >
          <Field label="E-mail">
            <Input name="email" type="email" autoComplete="username" required autoFocus className="h-9" />
          </Field>
          <Field label="Password">
            <Input name="password" type="password" autoComplete="current-password" required className="h-9" />
          </Field>
          {problem !== null && (
            <p role="alert" className="rounded-6 bg-red-soft px-3 py-2 text-red">
              {problem}
            </p>
          )}
          <Button type="submit" variant="primary" size="large" busy={busy} className="mt-1 w-full">
            Sign in
          </Button>
        </form>
        {demo && (
          <p className="mt-6 border-line border-t pt-4 text-muted">
            Demo sign-ins are printed where you ran{' '}
            <code className="font-mono text-12 text-ink">npm start</code>.
          </p>
        )}
      </div>
    </main>
  );
}

/** What to do about it; the sign-in's own words are for programmers. */
function wordsFor({ status, detail }: ApiProblem): string {
  if (status === 0 || status >= 500) {
    return 'The server does not answer. Try again in a moment.';
  }
  if (status === 401 || status === 422) {
    return 'The e-mail or the password is wrong.';
  }
  if (status === 429) {
    return 'Too many attempts have failed. Wait some minutes, then try again.';
  }
  return detail;
}

/** The page that asked for the sign-in; only a path of this origin. */
function wantedPath({ search, origin }: Location): string {
  const wanted = new URLSearchParams(search).get('next') ?? '/';
  if (!URL.canParse(wanted, origin)) {
    return '/';
  }
  const url = new URL(wanted, origin);
  return url.origin === origin ? url.pathname + url.search : '/';
}
