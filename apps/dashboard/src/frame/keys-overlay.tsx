'use client';

import { Dialog } from '../kit/dialog';
import { KeyHint } from '../kit/key-hint';
import { useAllActions } from './actions';

/** Every key that does something on this page. */
export function KeysOverlay({ open, onClose }: { open: boolean; onClose: () => void }) {
  const groups = useAllActions()
    .map((group) => ({
      ...group,
      actions: group.actions.filter(({ keys, listed }) => keys !== undefined && listed !== false),
    }))
    .filter(({ actions }) => actions.length > 0);
  return (
    <Dialog open={open} onOpenChange={(next) => !next && onClose()} title="Keys" className="max-w-[560px]">
      <div className="gap-x-10 md:columns-2">
        {groups.map(({ name, actions }) => (
          <section key={name} className="mb-5 break-inside-avoid">
            <h3 className="mb-1 font-medium text-12 text-faint">{name}</h3>
            <dl>
              {actions.map(({ label, keys = '' }) => (
                <div key={label} className="flex h-7 items-center justify-between gap-4">
                  <dt>{label}</dt>
                  <dd>
                    <KeyHint keys={keys} />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
