'use client';

import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { Button, IconButton } from './button';
import { cn } from './cn';

interface DialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  /** One sentence under the title. */
  description?: ReactNode;
  children?: ReactNode;
  /** Buttons, the one that acts last. */
  actions?: ReactNode;
  className?: string;
}

/** Something to settle before the page goes on. */
export function Dialog({
  open,
  onOpenChange,
  title,
  description,
  children,
  actions,
  className,
}: DialogProps) {
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 animate-arrive bg-scrim" />
        <Radix.Content
          {...(description === undefined ? { 'aria-describedby': undefined } : {})}
          className={cn(
            'fixed top-[12vh] left-1/2 z-40 flex max-h-[76vh] w-[calc(100vw-32px)] max-w-[440px] -translate-x-1/2 flex-col rounded-12 bg-overlay shadow-overlay',
            className,
          )}
        >
          <header className="flex items-start justify-between gap-4 px-5 pt-4">
            <Radix.Title className="font-semibold text-14">{title}</Radix.Title>
            <Radix.Close asChild>
              <IconButton label="Close" keys="escape" size="small" className="-mr-1">
                <X aria-hidden />
              </IconButton>
            </Radix.Close>
          </header>
          <div className="overflow-y-auto px-5 pb-5">
            {description !== undefined && (
              <Radix.Description className="mt-1 text-muted">{description}</Radix.Description>
            )}
            {children !== undefined && <div className="mt-4">{children}</div>}
          </div>
          {actions !== undefined && (
            <footer className="flex justify-end gap-2 border-line border-t px-5 py-3">{actions}</footer>
          )}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

interface ConfirmDialogProps extends Omit<DialogProps, 'actions'> {
  /** The verb of the button: `Remove`. */
  confirm: string;
  danger?: boolean;
  busy?: boolean;
  onConfirm: () => void;
}

/** Asks before something that is not easily taken back. */
export function ConfirmDialog({
  confirm,
  danger = false,
  busy = false,
  onConfirm,
  ...rest
}: ConfirmDialogProps) {
  return (
    <Dialog
      {...rest}
      actions={
        <>
          <Button onClick={() => rest.onOpenChange(false)}>Cancel</Button>
          <Button variant={danger ? 'danger' : 'primary'} busy={busy} onClick={onConfirm}>
            {confirm}
          </Button>
        </>
      }
    />
  );
}
