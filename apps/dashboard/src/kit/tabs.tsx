'use client';

import { Tabs as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { cn } from './cn';

export interface Tab<Value extends string> {
  readonly value: Value;
  readonly label: ReactNode;
}

interface TabsProps<Value extends string> {
  value: Value;
  onChange: (value: Value) => void;
  tabs: readonly Tab<Value>[];
  /** What the tabs are views of. */
  label: string;
  /** Beside the tabs, at the end of their line. */
  aside?: ReactNode;
  /** What the chosen tab shows. */
  children: ReactNode;
  className?: string;
}

/** Several views of one thing. Keep the value in the URL. */
export function Tabs<Value extends string>(props: TabsProps<Value>) {
  const { value, onChange, tabs, label, aside, children, className } = props;
  return (
    <Radix.Root
      value={value}
      onValueChange={(chosen) => onChange(chosen as Value)}
      className={cn('flex min-h-0 flex-col', className)}
    >
      <div className="flex items-center gap-2 border-line border-b px-4">
        <Radix.List aria-label={label} className="flex gap-4">
          {tabs.map((tab) => (
            <Radix.Trigger
              key={tab.value}
              value={tab.value}
              className="-mb-px ring-inside h-9 border-transparent border-b-2 text-13 text-muted hover:text-ink data-[state=active]:border-ink data-[state=active]:font-medium data-[state=active]:text-ink"
            >
              {tab.label}
            </Radix.Trigger>
          ))}
        </Radix.List>
        {aside !== undefined && <div className="ml-auto flex items-center gap-2">{aside}</div>}
      </div>
      <Radix.Content value={value} className="ring-inside flex min-h-0 flex-1 flex-col">
        {children}
      </Radix.Content>
    </Radix.Root>
  );
}
