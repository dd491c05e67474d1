'use client';

import { Check } from 'lucide-react';
import { cn } from './cn';
import { useCopy } from './copy';
import { hint } from './hint';

interface IdProps {
  value: string;
  /** The whole of it; else its kind and its last six characters, which tell two of a list apart. */
  whole?: boolean;
  className?: string;
}

/** An id, in mono; a click copies all of it. */
export function Id({ value, whole = false, className }: IdProps) {
  return <Copyable value={value} shown={whole ? value : shortId(value)} className={className} />;
}

interface DigestProps {
  value: string;
  className?: string;
}

/** A digest by its first twelve digits; a click copies all of them. */
export function Digest({ value, className }: DigestProps) {
  return <Copyable value={value} shown={value.replace(/^sha256:/, '').slice(0, 12)} className={className} />;
}

/** `run_01kc…` ids begin with the time, so that rows of one minute look alike there: the end is what differs. */
export function shortId(id: string): string {
  const [, kind = '', rest = id] = /^([a-z]+_)(.+)$/.exec(id) ?? [];
  return rest.length <= 12 ? id : `${kind}…${rest.slice(-6)}`;
}

interface CopyableProps {
  value: string;
  shown: string;
  className?: string | undefined;
}

function Copyable({ value, shown, className }: CopyableProps) {
  const { copied, copy } = useCopy();
  return (
    <button
      type="button"
      onClick={() => copy(value)}
      className={cn(
        'relative inline-flex max-w-full items-center rounded-4 text-left font-mono text-12 text-muted decoration-line-strong underline-offset-4 hover:text-ink hover:underline',
        className,
      )}
      {...hint(copied ? 'Copied' : `${value}\nClick to copy`)}
    >
      <span className="sr-only">Copy {value}</span>
      <span aria-hidden className="truncate">
        {shown}
      </span>
      {copied && <Check aria-hidden className="absolute -right-4 size-3 text-green" />}
    </button>
  );
}
