'use client';

import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { IconButton } from './button';

const SHOWN_MS = 1_500;

/** Puts a text on the clipboard; `copied` is true for a moment after it. */
export function useCopy(): { copied: boolean; copy: (text: string) => void } {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (copied) {
      const timer = setTimeout(() => setCopied(false), SHOWN_MS);
      return () => clearTimeout(timer);
    }
    return undefined;
  }, [copied]);
  return {
    copied,
    copy: (text) => {
      navigator.clipboard.writeText(text).then(
        () => setCopied(true),
        () => setCopied(false),
      );
    },
  };
}

interface CopyButtonProps {
  text: string;
  /** What is copied: `Copy the digest`. */
  label: string;
  className?: string;
}

/** Copies a text. */
export function CopyButton({ text, label, className }: CopyButtonProps) {
  const { copied, copy } = useCopy();
  return (
    <IconButton
      label={copied ? 'Copied' : label}
      size="small"
      {...(className === undefined ? {} : { className })}
      onClick={() => copy(text)}
    >
      {copied ? <Check aria-hidden className="text-green" /> : <Copy aria-hidden />}
    </IconButton>
  );
}
