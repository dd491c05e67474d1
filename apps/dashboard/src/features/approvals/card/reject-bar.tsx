'use client';

import { type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Button } from '../../../kit/button';
import { cn } from '../../../kit/cn';
import { TextArea } from '../../../kit/field';
import { KeyHint } from '../../../kit/key-hint';
import { afterKey, type Reason, usualOf, withUsual } from '../wording/reason';
import { USUAL_REASONS } from '../wording/reasons';

interface RejectBarProps {
  /** What was typed before rejecting was chosen. */
  message: string;
  busy: boolean;
  onReject: (message: string) => void;
  onBack: () => void;
}

/** Why not: the model reads it. What is typed goes into the field at once; a digit alone takes a usual reason, Enter sends it. */
export function RejectBar({ message, busy, onReject, onBack }: RejectBarProps) {
  const [{ text, digits }, setReason] = useState<Reason>({ text: message, digits: null });
  const words = useRef<HTMLTextAreaElement>(null);
  const reasons = useRef<HTMLFieldSetElement>(null);
  // Before the next key: the first letters of a sentence must not be read as shortcuts. On a phone the keyboard would
  // cover the usual reasons.
  useLayoutEffect(() => (matchMedia('(hover: none)').matches ? reasons : words).current?.focus(), []);
  useEffect(() => {
    if (digits !== null) words.current?.select();
  }, [digits]);
  const reason = text.trim();
  const taken = usualOf(text);
  const takeKey = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.nativeEvent.isComposing) return;
    const next = afterKey({ text, digits }, event.key);
    const writes = event.key.length === 1 && !(event.key === ' ' && event.target !== words.current);
    if (writes && event.target !== words.current) focusEnd(words.current);
    if (next === null) return;
    if (writes) event.preventDefault();
    setReason(next);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') return onBack();
    if (event.target instanceof HTMLButtonElement) return;
    if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) {
      event.preventDefault();
      if (reason !== '' && !busy) onReject(reason);
    } else {
      takeKey(event);
    }
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: its keys are those of the fields in it
    <div onKeyDown={onKeyDown} className="flex flex-col gap-2 px-5 py-3">
      <fieldset ref={reasons} tabIndex={-1} className="flex min-w-0 flex-col gap-px outline-none!">
        <legend className="mb-1 text-12 text-muted">
          Why not? The agent reads it. A rejection cannot be undone.
        </legend>
        {USUAL_REASONS.map((usual, position) => (
          <label
            key={usual}
            className={cn(
              '-mx-2 flex min-h-7 items-center gap-2 rounded-6 px-2 outline-accent hover:bg-hover has-focus-visible:outline-2 max-md:min-h-10',
              usual === taken && 'bg-pressed',
            )}
          >
            <input
              type="radio"
              name="reason"
              className="sr-only"
              checked={usual === taken}
              onChange={() => setReason({ text: withUsual(text, usual), digits: null })}
            />
            <span className={cn(text !== '' && digits === null && 'invisible')}>
              <KeyHint keys={String(position + 1)} />
            </span>
            <span className="min-w-0">{usual}</span>
          </label>
        ))}
      </fieldset>
      <TextArea
        ref={words}
        rows={2}
        value={text}
        onChange={({ target }) => setReason({ text: target.value, digits: null })}
        onPointerDown={() => setReason({ text, digits: null })}
        maxLength={2_000}
        placeholder="Or in your own words"
        aria-label="Reason of the rejection"
      />
      <div className="flex gap-2">
        <Button
          variant="danger"
          size="large"
          keyHint="enter"
          className="flex-1"
          busy={busy}
          disabled={reason === ''}
          onClick={() => onReject(reason)}
        >
          Reject
        </Button>
        <Button size="large" keyHint="escape" disabled={busy} onClick={onBack}>
          Back
        </Button>
      </div>
    </div>
  );
}

/** What is typed next is written behind what stands there. */
function focusEnd(field: HTMLTextAreaElement | null): void {
  field?.focus();
  field?.setSelectionRange(field.value.length, field.value.length);
}
