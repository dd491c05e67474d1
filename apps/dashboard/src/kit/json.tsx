'use client';

import { LosslessNumber } from 'lossless-json';
import { ChevronRight } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Button } from './button';
import { cn } from './cn';
import { InertText } from './inert-text';

interface JsonProps {
  /** As the api client reads it: numbers with every digit. */
  value: unknown;
  /** How deep it is open at first. */
  open?: number;
  className?: string;
}

/** A JSON value for people: names beside values, what is nested below, numbers with every digit, texts inert. */
export function Json({ value, open = 3, className }: JsonProps) {
  const entries = entriesOf(value);
  return (
    <div className={cn('font-mono text-12 leading-5', className)}>
      {entries === null ? <Scalar value={value} /> : <Entries entries={entries} of={value} open={open} />}
    </div>
  );
}

type Entry = readonly [name: string, value: unknown];

function entriesOf(value: unknown): readonly Entry[] | null {
  if (Array.isArray(value)) {
    return value.map((item, position) => [String(position), item] as const);
  }
  return typeof value === 'object' && value !== null && !(value instanceof LosslessNumber)
    ? Object.entries(value)
    : null;
}

/** So many entries are drawn at once. */
const STEP = 200;

function Entries({ entries, of, open }: { entries: readonly Entry[]; of: unknown; open: number }) {
  const [shown, setShown] = useState(STEP);
  if (entries.length === 0) {
    return <span className="text-faint">{Array.isArray(of) ? 'empty list' : 'empty object'}</span>;
  }
  return (
    <ul>
      {entries.slice(0, shown).map(([name, value]) => (
        <JsonEntry key={name} name={name} value={value} open={open} />
      ))}
      {entries.length > shown && (
        <li className="py-1 font-sans">
          <Button size="small" onClick={() => setShown(shown + STEP)}>
            Show {Math.min(STEP, entries.length - shown)} more of {entries.length}
          </Button>
        </li>
      )}
    </ul>
  );
}

function JsonEntry({ name, value, open }: { name: string; value: unknown; open: number }) {
  const entries = entriesOf(value);
  if (entries === null || entries.length === 0) {
    return (
      <li className="flex flex-wrap gap-x-3 py-px">
        <EntryName name={name} />
        <span className="min-w-0 flex-1 basis-40">
          {entries === null ? <Scalar value={value} /> : <Entries entries={entries} of={value} open={open} />}
        </span>
      </li>
    );
  }
  return (
    <Branch name={name} count={entries.length} list={Array.isArray(value)} open={open > 0}>
      <Entries entries={entries} of={value} open={open - 1} />
    </Branch>
  );
}

function EntryName({ name }: { name: string }) {
  return <InertText text={name} className="min-w-24 shrink-0 text-faint" />;
}

interface BranchProps {
  name: string;
  count: number;
  list: boolean;
  open: boolean;
  children: ReactNode;
}

function Branch({ name, count, list, open: openAtFirst, children }: BranchProps) {
  const [open, setOpen] = useState(openAtFirst);
  const noun = list ? 'item' : 'field';
  return (
    <li>
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="-ml-4 flex items-center gap-1 rounded-4 py-px pr-1 text-faint hover:text-ink"
      >
        <ChevronRight aria-hidden className={cn('size-3 transition-transform', open && 'rotate-90')} />
        <InertText text={name} />
        {!open && (
          <span>
            {' '}
            {count} {count === 1 ? noun : `${noun}s`}
          </span>
        )}
      </button>
      {open && <div className="ml-0.5 border-line border-l pl-5">{children}</div>}
    </li>
  );
}

function Scalar({ value }: { value: unknown }) {
  if (typeof value === 'string') {
    return value === '' ? (
      <span className="text-faint">empty text</span>
    ) : (
      <InertText text={value} lines className="text-ink" />
    );
  }
  if (value === null || value === undefined) {
    return <span className="text-faint">null</span>;
  }
  return <span className="text-ink">{String(value)}</span>;
}
