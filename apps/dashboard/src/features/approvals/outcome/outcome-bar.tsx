'use client';

import type { Outcome } from '@countersign/contracts';
import { type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react';
import { Button } from '../../../kit/button';
import { Input, TextArea } from '../../../kit/field';
import { NoticeLine } from '../card/notice-line';
import { useSettle } from './use-settle';
import { type AfterNo, whatAnswerDoes } from './what-answers-mean';

interface OutcomeBarProps {
  outcome: Outcome;
  /** Chosen, not yet sent. */
  answer: boolean | null;
  no: AfterNo;
  onAnswer: (answer: boolean | null) => void;
  onSettled: (happened: boolean) => void;
}

/** Two answers; the chosen one is sent by a second step, because neither can be taken back. */
export function OutcomeBar({ outcome, answer, no, onAnswer, onSettled }: OutcomeBarProps) {
  const { settle, busy, refusal } = useSettle(outcome, onSettled);
  return (
    <>
      {refusal !== null && <NoticeLine {...refusal} />}
      {answer === null ? (
        <div className="flex gap-2 px-5 py-3">
          <Button size="large" keyHint="y" className="flex-1" onClick={() => onAnswer(true)}>
            It happened
          </Button>
          <Button size="large" keyHint="n" className="flex-1" onClick={() => onAnswer(false)}>
            It did not happen
          </Button>
        </div>
      ) : (
        <Confirm
          happened={answer}
          no={no}
          busy={busy}
          onSend={(message, output) => void settle({ happened: answer, message, output })}
          onBack={() => onAnswer(null)}
        />
      )}
    </>
  );
}

interface ConfirmProps {
  happened: boolean;
  no: AfterNo;
  busy: boolean;
  onSend: (message: string, output: string) => void;
  onBack: () => void;
}

function Confirm({ happened, no, busy, onSend, onBack }: ConfirmProps) {
  const [message, setMessage] = useState('');
  const [output, setOutput] = useState('');
  const first = useRef<HTMLInputElement>(null);
  // Before the next key: the first letters of a sentence must not be read as shortcuts.
  useLayoutEffect(() => first.current?.focus(), []);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') onBack();
    if (event.key === 'Enter' && event.target instanceof HTMLInputElement && !busy) onSend(message, output);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: its keys are those of the fields in it
    <div onKeyDown={onKeyDown} className="flex flex-col gap-2 px-5 py-3">
      <p className="text-muted">{whatAnswerDoes(happened, no)}</p>
      <Input
        ref={first}
        value={message}
        onChange={({ target }) => setMessage(target.value)}
        maxLength={2_000}
        placeholder="How you know; the agent reads it (optional)"
        aria-label="How you know"
      />
      {happened && (
        <TextArea
          rows={2}
          className="font-mono"
          spellCheck={false}
          value={output}
          onChange={({ target }) => setOutput(target.value)}
          placeholder='What it would have answered, as JSON: {"refundId": "re_1"} (optional)'
          aria-label="What it would have answered, as JSON"
        />
      )}
      <div className="flex gap-2">
        <Button
          variant="primary"
          size="large"
          keyHint="enter"
          className="flex-1"
          busy={busy}
          onClick={() => onSend(message, output)}
        >
          {happened ? 'It happened' : 'It did not happen'}
        </Button>
        <Button size="large" keyHint="escape" disabled={busy} onClick={onBack}>
          Back
        </Button>
      </div>
    </div>
  );
}
