'use client';

import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { Button } from '../../../kit/button';
import { cn } from '../../../kit/cn';
import { TextArea } from '../../../kit/field';
import { KeyHint } from '../../../kit/key-hint';
import { USUAL_REASONS } from '../wording/reasons';

interface RejectBarProps {
  /** What was typed before rejecting was chosen. */
  message: string;
  busy: boolean;
  onReject: (message: string) => void;
  onBack: () => void;
}

/** Why not: the model reads it. A digit takes one of the usual reasons, Enter sends it. */
export function RejectBar({ message, busy, onReject, onBack }: RejectBarProps) {
  const [text, setText] = useState(message);
  const words = useRef<HTMLTextAreaElement>(null);
  const reasons = useRef<HTMLFieldSetElement>(null);
  useEffect(() => reasons.current?.focus(), []);
  const reason = text.trim();
  const onKeyDown = (event: KeyboardEvent) => {
    const typing = event.target === words.current;
    const usual = USUAL_REASONS[Number(event.key) - 1];
    if (event.key === 'Escape') {
      onBack();
    } else if (event.key === 'Enter' && !event.shiftKey && !(event.target instanceof HTMLButtonElement)) {
      event.preventDefault();
      if (reason !== '' && !busy) onReject(reason);
    } else if (!typing && usual !== undefined) {
      setText(usual);
    } else if (!typing && event.key === 'm') {
      event.preventDefault();
      words.current?.focus();
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
              usual === text && 'bg-pressed',
            )}
          >
            <input
              type="radio"
              name="reason"
              className="sr-only"
              checked={usual === text}
              onChange={() => setText(usual)}
            />
            <KeyHint keys={String(position + 1)} />
            <span className="min-w-0">{usual}</span>
          </label>
        ))}
      </fieldset>
      <TextArea
        ref={words}
        rows={2}
        value={text}
        onChange={({ target }) => setText(target.value)}
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
