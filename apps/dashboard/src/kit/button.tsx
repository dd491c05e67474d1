import { cva } from 'class-variance-authority';
import { LoaderCircle } from 'lucide-react';
import { Slot } from 'radix-ui';
import type { ComponentProps } from 'react';
import { cn } from './cn';
import { hint } from './hint';
import { KeyHint } from './key-hint';

const look = cva(
  'inline-flex shrink-0 select-none items-center justify-center gap-1.5 whitespace-nowrap rounded-6 border font-medium transition-colors duration-75 disabled:pointer-events-none disabled:opacity-50 aria-disabled:pointer-events-none aria-disabled:opacity-50 [&_svg]:shrink-0',
  {
    variants: {
      variant: {
        primary: 'border-transparent bg-accent text-on-accent hover:bg-accent-hover',
        secondary: 'border-line-strong bg-surface text-ink hover:bg-hover active:bg-pressed',
        ghost:
          'border-transparent text-muted hover:bg-hover hover:text-ink active:bg-pressed data-[state=open]:bg-hover data-[state=open]:text-ink',
        danger: 'border-line-strong bg-surface text-red hover:border-red hover:bg-red-soft',
      },
      size: {
        small: 'h-6 px-2 text-12 [&_svg]:size-3.5',
        medium: 'h-7 px-2.5 text-13 [&_svg]:size-3.5',
        large: 'h-9 px-3.5 text-13 [&_svg]:size-4',
      },
    },
    defaultVariants: { variant: 'secondary', size: 'medium' },
  },
);

interface ButtonProps extends ComponentProps<'button'> {
  variant?: 'primary' | 'secondary' | 'ghost' | 'danger';
  size?: 'small' | 'medium' | 'large';
  /** The key that does the same; shown, not bound. */
  keyHint?: string;
  /** What it does is under way: it stays in place and cannot be pressed. */
  busy?: boolean;
  /** Its one child becomes the button: for links. */
  asChild?: boolean;
}

/** Something to press. One primary at most on a page or dialog. */
export function Button(props: ButtonProps) {
  const {
    variant,
    size,
    keyHint,
    busy = false,
    asChild = false,
    className,
    children,
    disabled,
    ...rest
  } = props;
  if (asChild) {
    return (
      <Slot.Root className={cn(look({ variant, size }), className)} {...rest}>
        {children}
      </Slot.Root>
    );
  }
  return (
    <button
      type="button"
      className={cn(look({ variant, size }), className)}
      disabled={disabled || busy}
      aria-busy={busy || undefined}
      {...rest}
    >
      {busy && <LoaderCircle aria-hidden className="animate-spin" />}
      {children}
      {keyHint !== undefined && <KeyHint keys={keyHint} on={variant === 'primary' ? 'accent' : 'surface'} />}
    </button>
  );
}

const square = { small: 'w-6 px-0', medium: 'w-7 px-0', large: 'w-9 px-0' };

interface IconButtonProps extends Omit<ButtonProps, 'asChild' | 'keyHint' | 'busy'> {
  /** What it does: its name, and its hint. */
  label: string;
  keys?: string;
}

/** A button that is only a shape; its label is its name and its hint. */
export function IconButton({
  label,
  keys,
  className,
  variant = 'ghost',
  size = 'medium',
  ...rest
}: IconButtonProps) {
  return (
    <Button
      aria-label={label}
      variant={variant}
      size={size}
      className={cn(square[size], className)}
      {...hint(label, keys)}
      {...rest}
    />
  );
}
