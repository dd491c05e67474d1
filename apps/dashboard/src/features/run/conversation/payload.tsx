'use client';

import { ChevronRight } from 'lucide-react';
import { useMemo, useState } from 'react';
import { writeExactly } from '../../../api/exact-json';
import { cn } from '../../../kit/cn';
import { InertText } from '../../../kit/inert-text';
import { Json } from '../../../kit/json';

const PREVIEWED = 240;

interface PayloadProps {
  /** What it is: `Result`. */
  label: string;
  /** A JSON value with every digit, or text that is none. */
  value: unknown;
  className?: string;
}

/** A value on one line, and all of it once it is opened. */
export function Payload({ label, value, className }: PayloadProps) {
  const [open, setOpen] = useState(false);
  const preview = useMemo(() => previewOf(value), [value]);
  return (
    <details
      className={cn('group min-w-0 text-12', className)}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary className="ring-inside flex min-w-0 list-none items-center gap-1.5 rounded-4 text-muted hover:text-ink [&::-webkit-details-marker]:hidden">
        <ChevronRight
          aria-hidden
          className="size-3 shrink-0 text-faint transition-transform group-open:rotate-90"
        />
        <span className="shrink-0 text-faint">{label}</span>
        <InertText text={preview} className="min-w-0 truncate font-mono group-open:invisible" />
      </summary>
      {open && (
        <div className="mt-1 ml-1.5 border-line border-l py-0.5 pl-4">
          <PayloadBody value={value} />
        </div>
      )}
    </details>
  );
}

/** All of a value: a tree where it is one, else its text. */
export function PayloadBody({ value }: { value: unknown }) {
  return typeof value === 'string' ? (
    <InertText text={value} lines className="block font-mono text-12 leading-5" />
  ) : (
    <div className="pl-4">
      <Json value={value} />
    </div>
  );
}

/** The beginning of a value on one line. */
export function previewOf(value: unknown): string {
  const text = typeof value === 'string' ? value : writeExactly(value);
  const line = text.slice(0, PREVIEWED + 1).replace(/\s+/g, ' ');
  return text.length > PREVIEWED ? `${line.slice(0, PREVIEWED)}…` : line;
}
