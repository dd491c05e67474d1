import type { ReactNode } from 'react';
import { cn } from '../../../kit/cn';
import { Digest, Id } from '../../../kit/id';

/** A part of the panel under a heading of its own. */
export function Section({
  title,
  aside,
  children,
}: {
  title: string;
  aside?: ReactNode;
  children: ReactNode;
}) {
  return (
    <section className="border-line border-t px-4 py-3">
      <div className="flex items-baseline justify-between gap-3 pb-1.5">
        <h3 className="font-medium text-12">{title}</h3>
        {aside !== undefined && <span className="text-12 text-faint">{aside}</span>}
      </div>
      {children}
    </section>
  );
}

/** Names with their values. */
export function Facts({ children }: { children: ReactNode }) {
  return (
    <dl className="grid grid-cols-[128px_minmax(0,1fr)] gap-x-3 gap-y-1 text-12 leading-5">{children}</dl>
  );
}

interface FactProps {
  name: string;
  children: ReactNode;
  /** Part of what stands above it. */
  part?: boolean;
}

export function Fact({ name, children, part = false }: FactProps) {
  return (
    <>
      <dt className={cn('text-faint', part && 'pl-3')}>{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </>
  );
}

/** A fact that is an id, where there is one. */
export function IdFact({ name, value }: { name: string; value: string | null | undefined }) {
  return value == null ? null : (
    <Fact name={name}>
      <Id value={value} whole />
    </Fact>
  );
}

/** A fact that is a digest, where there is one. */
export function DigestFact({ name, value }: { name: string; value: string | null | undefined }) {
  return value == null ? null : (
    <Fact name={name}>
      <Digest value={value} />
    </Fact>
  );
}

/** A fact that is a word, where there is one. */
export function WordFact({ name, value }: { name: string; value: string | number | null | undefined }) {
  return value == null ? null : (
    <Fact name={name}>
      <span className="figures font-mono">{value}</span>
    </Fact>
  );
}
