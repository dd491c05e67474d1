'use client';

import { useState } from 'react';
import { Button } from '../../kit/button';
import { Dialog } from '../../kit/dialog';
import { Field, Input } from '../../kit/field';
import { FilterChoice } from '../../kit/filter';
import { type RunFilters, SPANS, type Span } from './run-filters';

interface Chosen {
  since: Span | null;
  from: Date | null;
  to: Date | null;
}

interface TimeFilterProps {
  filters: RunFilters['filters'];
  onChange: (chosen: Chosen) => void;
}

const CUSTOM = 'custom';
const OPTIONS = [
  ...Object.entries(SPANS).map(([value, { label }]) => ({ value, label })),
  { value: CUSTOM, label: 'From and to' },
];

/** Narrows the list to a span up to now, or to what lies between two moments. */
export function TimeFilter({ filters: { since, from, to }, onChange }: TimeFilterProps) {
  const [asking, setAsking] = useState(false);
  const custom = since === null && (from !== null || to !== null);
  const options = OPTIONS.map((option) =>
    option.value === CUSTOM && custom ? { ...option, label: spanWords(from, to) } : option,
  );
  return (
    <>
      <FilterChoice
        label="Time"
        value={custom ? CUSTOM : since}
        options={options}
        onChange={(value) =>
          value === CUSTOM ? setAsking(true) : onChange({ since: value as Span | null, from: null, to: null })
        }
      />
      <Dialog
        open={asking}
        onOpenChange={setAsking}
        title="Runs created"
        description="In your own time zone."
      >
        <form
          className="flex flex-col gap-4"
          onSubmit={(event) => {
            event.preventDefault();
            const form = new FormData(event.currentTarget);
            onChange({ since: null, from: momentOf(form.get('from')), to: momentOf(form.get('to')) });
            setAsking(false);
          }}
        >
          <Field label="From">
            <Input name="from" type="datetime-local" defaultValue={localInput(from)} />
          </Field>
          <Field label="To">
            <Input name="to" type="datetime-local" defaultValue={localInput(to)} />
          </Field>
          <Button type="submit" variant="primary" className="self-end">
            Show
          </Button>
        </form>
      </Dialog>
    </>
  );
}

function momentOf(value: FormDataEntryValue | null): Date | null {
  return typeof value === 'string' && value !== '' ? new Date(value) : null;
}

/** What `datetime-local` takes: local time without a zone. */
function localInput(date: Date | null): string {
  return date === null
    ? ''
    : new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

function spanWords(from: Date | null, to: Date | null): string {
  const words = (date: Date) => localInput(date).replace('T', ' ');
  if (from === null) {
    return to === null ? 'Any' : `until ${words(to)}`;
  }
  return to === null ? `from ${words(from)}` : `${words(from)} – ${words(to)}`;
}
