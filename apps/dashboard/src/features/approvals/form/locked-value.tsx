import { Lock as LockIcon } from 'lucide-react';
import type { Lock } from './field';

const WHY: Readonly<Record<Lock, string>> = {
  intent: 'Stays: it names what the call is about',
  subject: 'Stays: it comes from whom the run is for',
  unlisted: 'Stays: the tool does not let it be edited',
};

/** In place of a control: why there is none. */
export function LockedValue({ lock }: { lock: Lock }) {
  return (
    <p className="flex items-start gap-1.5 py-1.5 text-12 text-faint leading-5">
      <LockIcon aria-hidden className="mt-1 size-3 shrink-0" />
      {WHY[lock]}
    </p>
  );
}
