'use client';

import { Search } from 'lucide-react';
import { type Ref, useState } from 'react';
import { cn } from './cn';
import { Input } from './field';

interface SearchInputProps {
  label: string;
  placeholder: string;
  /** What is searched for at the moment: from the URL. */
  value: string;
  onChange: (value: string) => void;
  ref?: Ref<HTMLInputElement>;
  className?: string;
}

/** Searches as somebody types; Escape leaves it. */
export function SearchInput({ label, placeholder, value, onChange, ref, className }: SearchInputProps) {
  const [typed, setTyped] = useState(value);
  const [known, setKnown] = useState(value);
  // The URL may change by other hands (Back, "Clear"): what is typed follows it then.
  if (known !== value) {
    setKnown(value);
    if (value !== typed.trim()) {
      setTyped(value);
    }
  }
  return (
    <span className={cn('relative inline-flex', className)}>
      <Search
        aria-hidden
        className="pointer-events-none absolute top-1/2 left-2 size-3.5 -translate-y-1/2 text-faint"
      />
      <Input
        ref={ref}
        type="search"
        aria-label={label}
        placeholder={placeholder}
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          onChange(event.target.value.trim());
        }}
        onKeyDown={(event) => event.key === 'Escape' && event.currentTarget.blur()}
        className="h-7 pl-7 text-12 max-md:h-9 [&::-webkit-search-cancel-button]:hidden"
        autoComplete="off"
        spellCheck={false}
      />
    </span>
  );
}
