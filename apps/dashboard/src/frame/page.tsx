import type { ReactNode } from 'react';

interface PageProps {
  title: ReactNode;
  /** At the end of the head: buttons. */
  actions?: ReactNode;
  /** A line under the head: filters. */
  toolbar?: ReactNode;
  /** Fills the rest; scrolls by itself where it must. */
  children: ReactNode;
}

/** A page of the desk: its head, a line of tools, and the rest. */
export function Page({ title, actions, toolbar, children }: PageProps) {
  return (
    <>
      <header className="flex h-12 shrink-0 items-center gap-3 border-line border-b px-4">
        <h1 className="min-w-0 flex-1 truncate font-semibold text-14">{title}</h1>
        {actions !== undefined && <div className="flex items-center gap-2">{actions}</div>}
      </header>
      {toolbar !== undefined && (
        <div className="flex shrink-0 flex-wrap items-center gap-2 border-line border-b px-4 py-2">
          {toolbar}
        </div>
      )}
      <div className="flex min-h-0 flex-1 flex-col">{children}</div>
    </>
  );
}
