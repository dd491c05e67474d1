import { memo } from 'react';
import { hint } from './hint';
import { inertParts } from './inert';

/** A text with what would hide in it made visible. */
export const InertParts = memo(function InertParts({ text }: { text: string }) {
  return inertParts(text).map((part, position) =>
    part.kind === 'text' ? (
      part.text
    ) : (
      <mark
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text never change places
        key={position}
        className="mx-px rounded-4 bg-amber-soft px-0.5 font-mono text-11 text-amber"
        {...hint(part.name)}
      >
        {part.code}
      </mark>
    ),
  );
});
