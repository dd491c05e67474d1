'use client';

import { Check } from 'lucide-react';
import { DropdownMenu as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { cn } from './cn';
import { KeyHint } from './key-hint';

interface MenuProps {
  /** A Button or IconButton. */
  trigger: ReactNode;
  children: ReactNode;
  align?: 'start' | 'end';
  side?: 'top' | 'bottom' | 'right';
  className?: string;
}

/** A list of things to do or to choose from. */
export function Menu({ trigger, children, align = 'start', side = 'bottom', className }: MenuProps) {
  return (
    <Radix.Root modal={false}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          align={align}
          side={side}
          sideOffset={4}
          collisionPadding={8}
          className={cn(
            'z-40 max-h-(--radix-dropdown-menu-content-available-height) min-w-44 animate-arrive overflow-y-auto rounded-8 bg-overlay p-1 shadow-overlay',
            className,
          )}
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

const item =
  'flex min-h-7 select-none items-center gap-2 rounded-6 px-2 py-1 text-13 outline-none data-[highlighted]:bg-highlight data-[disabled]:opacity-50 max-md:min-h-10 [&>svg]:size-3.5 [&>svg]:shrink-0 [&>svg]:text-faint';

interface MenuItemProps {
  onSelect: () => void;
  children: ReactNode;
  icon?: ReactNode;
  keys?: string;
  danger?: boolean;
  disabled?: boolean;
}

/** Something to do. */
export function MenuItem({
  onSelect,
  children,
  icon,
  keys,
  danger = false,
  disabled = false,
}: MenuItemProps) {
  return (
    <Radix.Item
      onSelect={onSelect}
      disabled={disabled}
      className={cn(item, danger && 'text-red data-[highlighted]:bg-red-soft [&>svg]:text-red')}
    >
      {icon}
      <span className="min-w-0 flex-1 truncate">{children}</span>
      {keys !== undefined && <KeyHint keys={keys} />}
    </Radix.Item>
  );
}

export interface MenuOption<Value extends string> {
  readonly value: Value;
  readonly label: ReactNode;
}

interface MenuChoiceProps<Value extends string> {
  value: Value;
  onChange: (value: Value) => void;
  options: readonly MenuOption<Value>[];
}

/** One of several, the chosen one checked. */
export function MenuChoice<Value extends string>({ value, onChange, options }: MenuChoiceProps<Value>) {
  return (
    <Radix.RadioGroup value={value} onValueChange={(chosen) => onChange(chosen as Value)}>
      {options.map((option) => (
        <Radix.RadioItem key={option.value} value={option.value} className={item}>
          <span className="min-w-0 flex-1 truncate">{option.label}</span>
          <span className="flex w-3.5 justify-end">
            <Radix.ItemIndicator>
              <Check aria-hidden className="size-3.5 text-accent-text" />
            </Radix.ItemIndicator>
          </span>
        </Radix.RadioItem>
      ))}
    </Radix.RadioGroup>
  );
}

/** What the following items are about. */
export function MenuLabel({ children }: { children: ReactNode }) {
  return <Radix.Label className="px-2 pt-1.5 pb-1 text-11 text-faint">{children}</Radix.Label>;
}

/** A line between two groups. */
export function MenuSeparator() {
  return <Radix.Separator className="-mx-1 my-1 h-px bg-line" />;
}
