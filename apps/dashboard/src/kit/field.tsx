'use client';

import { ChevronDown } from 'lucide-react';
import {
  type ComponentProps,
  createContext,
  type ReactNode,
  type SyntheticEvent,
  useContext,
  useId,
  useState,
} from 'react';
import { cn } from './cn';

interface FieldNames {
  readonly id: string;
  readonly describedBy: string | undefined;
  readonly invalid: boolean;
  /** The browser finds the value wanting, and says so; null: it is being changed. */
  readonly onFault: (words: string | null) => void;
}

const FieldContext = createContext<FieldNames | null>(null);

interface FieldProps {
  label: ReactNode;
  /** What is wrong with the value; replaces the note. */
  error?: string | undefined;
  note?: ReactNode;
  /** One Input, TextArea or Select. */
  children: ReactNode;
  className?: string;
}

/** A labelled control with its note or error; the control finds its names by itself. */
export function Field({ label, error, note, children, className }: FieldProps) {
  const id = useId();
  const [fault, setFault] = useState<string | null>(null);
  const wrong = fault ?? error;
  const below = wrong ?? note;
  const names: FieldNames = {
    id,
    describedBy: below === undefined ? undefined : `${id}-note`,
    invalid: wrong !== undefined,
    onFault: setFault,
  };
  return (
    <div className={cn('flex flex-col gap-1', className)}>
      <label htmlFor={id} className="font-medium text-12 text-muted">
        {label}
      </label>
      <FieldContext value={names}>{children}</FieldContext>
      {below !== undefined && (
        <p id={`${id}-note`} className={cn('text-12', wrong === undefined ? 'text-faint' : 'text-red')}>
          {below}
        </p>
      )}
    </div>
  );
}

function useFieldAttributes() {
  const field = useContext(FieldContext);
  return field === null
    ? {}
    : {
        id: field.id,
        'aria-describedby': field.describedBy,
        'aria-invalid': field.invalid || undefined,
        onInput: () => field.onFault(null),
        onInvalid: (event: SyntheticEvent<Control>) => {
          // Said below the field, in our words, instead of in the browser's own bubble.
          event.preventDefault();
          const control = event.currentTarget;
          field.onFault(faultOf(control));
          if (control.form?.querySelector(':invalid') === control) control.focus();
        },
      };
}

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** What is wrong with a value, as the browser found. */
function faultOf(control: Control): string {
  const { valueMissing, typeMismatch, tooShort } = control.validity;
  if (valueMissing) return 'Fill this in.';
  if (typeMismatch && control.type === 'email') return 'Takes an e-mail address, such as ada@example.com.';
  if (tooShort && 'minLength' in control) return `Takes ${control.minLength} characters at least.`;
  return control.validationMessage;
}

const box =
  'w-full min-w-0 rounded-6 border border-line-strong bg-surface px-2 text-13 text-ink transition-colors duration-75 hover:border-faint focus-visible:border-ring focus-visible:outline-1 focus-visible:outline-offset-0 disabled:opacity-50 aria-invalid:border-red max-md:text-16';

/** One line of text. */
export function Input({ className, ...rest }: ComponentProps<'input'>) {
  return <input className={cn(box, 'h-8', className)} {...useFieldAttributes()} {...rest} />;
}

/** Lines of text. */
export function TextArea({ className, ...rest }: ComponentProps<'textarea'>) {
  return (
    <textarea
      rows={3}
      className={cn(box, 'resize-y py-1.5', className)}
      {...useFieldAttributes()}
      {...rest}
    />
  );
}

interface SelectProps extends ComponentProps<'select'> {
  /** Looks like text until it is pointed at: within rows. */
  quiet?: boolean;
}

/** One of a few: the system's own list, which every phone and screen reader knows. */
export function Select({ quiet = false, className, children, ...rest }: SelectProps) {
  return (
    <span className={cn('relative inline-flex w-full', className)}>
      <select
        className={cn(
          box,
          'h-8 appearance-none truncate pr-7',
          quiet && 'border-transparent bg-transparent hover:border-line-strong max-md:text-13',
        )}
        {...useFieldAttributes()}
        {...rest}
      >
        {children}
      </select>
      <ChevronDown
        aria-hidden
        className="pointer-events-none absolute top-1/2 right-2 size-3.5 -translate-y-1/2 text-faint"
      />
    </span>
  );
}
