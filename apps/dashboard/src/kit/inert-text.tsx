import { cn } from './cn';
import { InertParts } from './inert-parts';
import { LongText } from './long-text';
import { textSize } from './text-chunks';

/** A text of more characters than this is shown in part at first. */
const LONG = 32_768;

/** On one line nobody reads more. */
const LONG_LINE = 2_000;

interface InertTextProps {
  /** Written by a model, a customer, a tool: never by us. */
  text: string;
  /** Keeps its lines; else they run on. */
  lines?: boolean;
  className?: string;
}

/**
 * Text that others wrote, as text alone: never markup, never a link, and what would hide in it (invisible and
 * bidirectional characters) is made visible. It cannot turn around what stands beside it. Of what is very long the
 * beginning is shown, and how much there is.
 */
export function InertText({ text, lines = false, className }: InertTextProps) {
  if (lines) {
    return text.length > LONG ? (
      <LongText text={text} className={className} />
    ) : (
      <bdi className={cn('whitespace-pre-wrap', className)}>
        <InertParts text={text} />
      </bdi>
    );
  }
  return (
    <bdi className={className}>
      {text.length > LONG_LINE ? (
        <>
          <InertParts text={text.slice(0, LONG_LINE)} />
          <span className="text-faint">… the beginning of {textSize(text)}</span>
        </>
      ) : (
        <InertParts text={text} />
      )}
    </bdi>
  );
}
