'use client';

import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { Button } from './button';
import { cn } from './cn';
import { InertText } from './inert-text';

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
          <Radix.Title className="px-5 pt-4 pr-12 font-semibold text-14">
            <InertText text={title} />
          </Radix.Title>
          <div className="overflow-y-auto px-5 pb-5">
            {description !== undefined && (
              <Radix.Description className="mt-1 text-muted">
                {typeof description === 'string' ? <InertText text={description} /> : description}
              </Radix.Description>
            )}
            {children !== undefined && <div className="mt-4">{children}</div>}
          </div>
          {actions !== undefined && (
            <footer className="flex justify-end gap-2 border-line border-t px-5 py-3">{actions}</footer>
          )}
          {/* Last, so that what the dialog asks for is focused first. */}
          <Radix.Close asChild>
            <Button
              aria-label="Close"
              variant="ghost"
              size="small"
              className="absolute top-3.5 right-3.5 w-6 px-0"
            >
              <X aria-hidden />
            </Button>
          </Radix.Close>
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
