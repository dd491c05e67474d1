'use client';

import { ChevronDown, X } from 'lucide-react';
import { Popover } from 'radix-ui';
import { type ComponentProps, type ReactNode, useState } from 'react';
import { Button } from './button';
import { cn } from './cn';
import { Field, Input } from './field';
import { Menu, MenuChoice, type MenuOption } from './menu';

const ANY = '';

interface FilterChoiceProps {
  label: string;
  /** null: any. */
  value: string | null;
  options: readonly MenuOption<string>[];
  onChange: (value: string | null) => void;
  /** What no choice is called. */
  any?: string;
}

/** Narrows a list to one of several values. */
export function FilterChoice({ label, value, options, onChange, any = 'Any' }: FilterChoiceProps) {
  const chosen = options.find((option) => option.value === value)?.label ?? value;
  return (
    <FilterShell label={label} value={chosen} onClear={() => onChange(null)}>
      {(trigger) => (
        <Menu trigger={trigger} className="max-w-72">
          <MenuChoice
            value={value ?? ANY}
            onChange={(next) => onChange(next === ANY ? null : next)}
            options={[{ value: ANY, label: any }, ...options]}
          />
        </Menu>
      )}
    </FilterShell>
  );
}

interface FilterTextProps {
  label: string;
  /** null: any. */
  value: string | null;
  onChange: (value: string | null) => void;
  /** What is compared: `Exactly this id`. */
  note: string;
}

/** Narrows a list to one value that is typed. */
export function FilterText({ label, value, onChange, note }: FilterTextProps) {
  const [open, setOpen] = useState(false);
  return (
    <FilterShell label={label} value={value} onClear={() => onChange(null)}>
      {(trigger) => (
        <Popover.Root open={open} onOpenChange={setOpen}>
          <Popover.Trigger asChild>{trigger}</Popover.Trigger>
          <Popover.Portal>
            <Popover.Content
              align="start"
              sideOffset={4}
              collisionPadding={8}
              aria-label={label}
              className="z-40 w-72 animate-arrive rounded-8 bg-overlay p-3 shadow-overlay"
            >
              <form
                className="flex flex-col gap-3"
                onSubmit={(event) => {
                  event.preventDefault();
                  const typed = String(new FormData(event.currentTarget).get('value')).trim();
                  onChange(typed === '' ? null : typed);
                  setOpen(false);
                }}
              >
                <Field label={label} note={note}>
                  <Input name="value" defaultValue={value ?? ''} autoComplete="off" spellCheck={false} />
                </Field>
                <Button type="submit" className="self-end">
                  Apply
                </Button>
              </form>
            </Popover.Content>
          </Popover.Portal>
        </Popover.Root>
      )}
    </FilterShell>
  );
}

interface FilterShellProps {
  label: string;
  value: ReactNode;
  onClear: () => void;
  children: (trigger: ReactNode) => ReactNode;
}

/** The label alone, or the label with its value and a cross that clears it. */
function FilterShell({ label, value, onClear, children }: FilterShellProps) {
  const set = value !== null && value !== undefined;
  return (
    <span
      className={cn(
        'inline-flex h-7 shrink-0 items-stretch rounded-6 border max-md:h-9',
        set ? 'border-line-strong bg-hover' : 'border-line',
      )}
    >
      {children(<FilterTrigger label={label} value={value} set={set} />)}
      {set && (
        <button
          type="button"
          aria-label={`Any ${label.toLowerCase()}`}
          onClick={onClear}
          className="ring-inside flex w-6 items-center justify-center rounded-r-6 text-faint hover:bg-pressed hover:text-ink max-md:w-9"
        >
          <X aria-hidden className="size-3" />
        </button>
      )}
    </span>
  );
}

interface FilterTriggerProps extends Omit<ComponentProps<'button'>, 'value'> {
  label: string;
  value: ReactNode;
  set: boolean;
}

function FilterTrigger({ label, value, set, ...rest }: FilterTriggerProps) {
  return (
    <button
      type="button"
      {...rest}
      className={cn(
        'ring-inside flex items-center gap-1.5 rounded-6 text-12 text-muted hover:text-ink',
        set ? 'rounded-r-none pr-1 pl-2 hover:bg-pressed' : 'px-2 hover:bg-hover',
      )}
    >
      {label}
      {set ? (
        <span className="max-w-40 truncate font-medium text-ink">{value}</span>
      ) : (
        <ChevronDown aria-hidden className="size-3 text-faint" />
      )}
    </button>
  );
}
