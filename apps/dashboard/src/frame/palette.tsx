'use client';

import { Command } from 'cmdk';
import { ArrowRight, ListTree, Search } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { Dialog } from 'radix-ui';
import { type ReactNode, useState } from 'react';
import { KeyHint } from '../kit/key-hint';
import { RunName } from '../kit/run-name';
import { RunState } from '../kit/state';
import { type Action, type ActionGroup, useAllActions } from './actions';
import { useFoundRuns } from './find-runs';
import { useHref } from './go';

interface PaletteProps {
  open: boolean;
  onClose: () => void;
}

/** Finds runs, and does whatever can be done here, by its name. */
export function Palette({ open, onClose }: PaletteProps) {
  return (
    <Dialog.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 bg-scrim" />
        <Dialog.Content
          aria-describedby={undefined}
          className="fixed top-[14vh] left-1/2 z-40 w-[calc(100vw-32px)] max-w-[600px] -translate-x-1/2 animate-arrive overflow-hidden rounded-12 bg-overlay shadow-overlay max-md:top-4"
        >
          <Dialog.Title className="sr-only">Search and act</Dialog.Title>
          <PaletteBody onClose={onClose} />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function PaletteBody({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState('');
  const groups = matching(useAllActions(), text);
  const found = useFoundRuns(text);
  const router = useRouter();
  const href = useHref();
  const go = (path: string) => {
    onClose();
    router.push(href(path));
  };
  return (
    <Command label="Search and act" loop shouldFilter={false}>
      <div className="flex items-center gap-2.5 border-line border-b px-4">
        <Search aria-hidden className="size-4 shrink-0 text-faint" />
        <Command.Input
          autoFocus
          value={text}
          onValueChange={setText}
          placeholder="Find a run by id, operation or text, or do something"
          className="h-12 min-w-0 flex-1 bg-transparent text-14 outline-none max-md:text-16"
        />
        <KeyHint keys="escape" />
      </div>
      <Command.List className="max-h-[min(420px,60vh)] scroll-py-2 overflow-y-auto p-2">
        {groups.map(({ name, actions }) => (
          <Group key={name} name={name}>
            {actions.map((action) => (
              <ActionItem key={action.label} group={name} action={action} onClose={onClose} />
            ))}
          </Group>
        ))}
        {text.trim() !== '' && (
          <Group name="Runs">
            {found.runs.map((run) => (
              <Item key={run.id} value={run.id} onSelect={() => go(`/runs/${run.id}`)}>
                <ListTree aria-hidden />
                <span className="min-w-0 flex-1 truncate">
                  <RunName run={run} />
                </span>
                <span className="shrink-0 text-12 text-muted max-md:hidden">{run.agent.name}</span>
                <RunState status={run.status} className="shrink-0 text-12" />
              </Item>
            ))}
            <Item
              value="all-runs"
              disabled={found.searching}
              onSelect={() => go(`/runs?q=${encodeURIComponent(text.trim())}`)}
            >
              <Search aria-hidden />
              <span className="min-w-0 flex-1 truncate">
                {found.searching ? 'Searching runs for' : 'All runs with'} “{text.trim()}”
              </span>
            </Item>
          </Group>
        )}
      </Command.List>
    </Command>
  );
}

/** The actions that every word typed is found in, by label, group or keyword. */
function matching(groups: readonly ActionGroup[], text: string): readonly ActionGroup[] {
  const words = text.toLowerCase().split(/\s+/);
  return groups
    .map(({ name, actions }) => ({
      name,
      actions: actions.filter(({ label, keywords = [], palette = true }) => {
        const searched = [name, label, ...keywords].join(' ').toLowerCase();
        return palette && words.every((word) => searched.includes(word));
      }),
    }))
    .filter(({ actions }) => actions.length > 0);
}

function Group({ name, children }: { name: string; children: ReactNode }) {
  return (
    <Command.Group
      heading={name}
      className="mb-1 [&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-11 [&_[cmdk-group-heading]]:text-faint"
    >
      {children}
    </Command.Group>
  );
}

interface ItemProps {
  value: string;
  disabled?: boolean;
  onSelect: () => void;
  children: ReactNode;
}

function Item({ value, disabled = false, onSelect, children }: ItemProps) {
  return (
    <Command.Item
      value={value}
      disabled={disabled}
      onSelect={onSelect}
      className="flex h-8 items-center gap-2.5 rounded-6 px-2 text-13 data-[selected=true]:bg-highlight data-[disabled=true]:text-muted max-md:h-11 [&>svg]:size-4 [&>svg]:shrink-0 [&>svg]:text-faint"
    >
      {children}
    </Command.Item>
  );
}

interface ActionItemProps {
  group: string;
  action: Action;
  onClose: () => void;
}

function ActionItem({ group, action, onClose }: ActionItemProps) {
  const { icon: Icon = ArrowRight, label, keys } = action;
  const run = () => {
    onClose();
    action.run();
  };
  return (
    <Item value={`${group} ${label}`} onSelect={run}>
      <Icon aria-hidden />
      <span className="min-w-0 flex-1 truncate">{label}</span>
      {keys !== undefined && <KeyHint keys={keys} />}
    </Item>
  );
}
