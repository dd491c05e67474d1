'use client';

import { CircleAlert, CircleCheck, Info, X } from 'lucide-react';
import { Toast as Radix } from 'radix-ui';
import { useSyncExternalStore } from 'react';
import { Button, IconButton } from './button';
import { InertText } from './inert-text';

interface ToastOptions {
  /** `note`: nothing happened, and why. `problem` stays until it is closed. */
  tone?: 'done' | 'note' | 'problem';
  detail?: string;
  /** One thing that can be done about it: `Undo`. */
  action?: { readonly label: string; readonly run: () => void };
  /** How long it stays, in milliseconds. */
  stays?: number;
}

interface Shown extends ToastOptions {
  readonly id: number;
  readonly title: string;
}

let shown: readonly Shown[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function show(next: readonly Shown[]): void {
  shown = next;
  for (const listener of listeners) {
    listener();
  }
}

/** Says what just happened, at the edge of the page. What is said again takes the place of the first. */
export function toast(title: string, options: ToastOptions = {}): void {
  lastId += 1;
  const others = shown.filter((one) => one.title !== title || one.detail !== options.detail);
  show([...others, { ...options, id: lastId, title }].slice(-4));
}

const close = (id: number) => show(shown.filter((one) => one.id !== id));

/** Where toasts appear: once, in the frame. Not on the server: Radix would write a style attribute into the document. */
export function Toaster() {
  const toasts = useSyncExternalStore<readonly Shown[] | null>(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => shown,
    () => null,
  );
  if (toasts === null) {
    return null;
  }
  return (
    <Radix.Provider label="What happened" swipeDirection="right">
      {toasts.map((one) => (
        <ToastCard key={one.id} {...one} />
      ))}
      <Radix.Viewport className="fixed right-4 bottom-4 z-50 flex w-80 max-w-[calc(100vw-32px)] flex-col gap-2 max-md:top-14 max-md:bottom-auto" />
    </Radix.Provider>
  );
}

const LOOKS = {
  done: { icon: CircleCheck, look: 'text-green' },
  note: { icon: Info, look: 'text-faint' },
  problem: { icon: CircleAlert, look: 'text-red' },
} as const;

function ToastCard({ id, title, detail, action, tone = 'done', stays = 5_000 }: Shown) {
  const { icon: Icon, look } = LOOKS[tone];
  return (
    <Radix.Root
      duration={tone === 'problem' ? Number.POSITIVE_INFINITY : stays}
      type={tone === 'problem' ? 'foreground' : 'background'}
      onOpenChange={(open) => !open && close(id)}
      className="flex animate-arrive items-start gap-2.5 rounded-8 bg-overlay py-2.5 pr-2 pl-3 shadow-overlay"
    >
      <Icon aria-hidden className={`mt-0.5 size-4 shrink-0 ${look}`} />
      <div className="min-w-0 flex-1">
        <Radix.Title className="font-medium">
          <InertText text={title} />
        </Radix.Title>
        {detail !== undefined && (
          <Radix.Description className="text-12 text-muted">
            <InertText text={detail} />
          </Radix.Description>
        )}
      </div>
      {action !== undefined && (
        <Radix.Action asChild altText={action.label}>
          <Button size="small" onClick={action.run}>
            {action.label}
          </Button>
        </Radix.Action>
      )}
      <Radix.Close asChild>
        <IconButton label="Close" size="small">
          <X aria-hidden />
        </IconButton>
      </Radix.Close>
    </Radix.Root>
  );
}
