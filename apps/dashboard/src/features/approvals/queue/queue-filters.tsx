'use client';

import type { ApprovalSummary } from '@countersign/contracts';
import { ChevronDown, X } from 'lucide-react';
import { useRead } from '../../../api/use-read';
import { Button, IconButton } from '../../../kit/button';
import { Menu, MenuChoice, type MenuOption } from '../../../kit/menu';
import { APPROVAL_SUMMARY } from '../data/paths';
import type { QueueFilters } from './queue';

interface QueueFiltersBarProps {
  filters: QueueFilters;
  onChange: (filters: Partial<QueueFilters>) => void;
}

const ANY = '';

const WITHIN: readonly MenuOption<string>[] = [
  { value: ANY, label: 'Any time' },
  { value: '15', label: 'Within 15 minutes' },
  { value: '60', label: 'Within an hour' },
  { value: '1440', label: 'Within a day' },
];

/** What the queue is narrowed to. The choices are what waits now, with how much of it. */
export function QueueFiltersBar({ filters, onChange }: QueueFiltersBarProps) {
  const summary = useRead<ApprovalSummary>(APPROVAL_SUMMARY);
  const tools = summary.data?.tools.map(({ tool, pending }) => ({ name: tool, pending })) ?? [];
  const agents = summary.data?.agents.map(({ agent, pending }) => ({ name: agent, pending })) ?? [];
  const narrowed = Object.values(filters).some((filter) => filter !== null);
  return (
    <div className="flex h-10 shrink-0 items-center gap-1 border-line border-b px-2">
      <Filter
        label="Tool"
        value={filters.tool ?? ANY}
        options={options('Every tool', tools, filters.tool)}
        onChange={(tool) => onChange({ tool: tool === ANY ? null : tool })}
      />
      <Filter
        label="Agent"
        value={filters.agent ?? ANY}
        options={options('Every agent', agents, filters.agent)}
        onChange={(agent) => onChange({ agent: agent === ANY ? null : agent })}
      />
      <Filter
        label="Expiring"
        value={filters.within === null ? ANY : String(filters.within)}
        options={WITHIN}
        onChange={(within) => onChange({ within: within === ANY ? null : Number(within) })}
      />
      {narrowed && (
        <IconButton
          label="Clear the filters"
          size="small"
          className="ml-auto"
          onClick={() => onChange({ tool: null, agent: null, within: null })}
        >
          <X aria-hidden />
        </IconButton>
      )}
    </div>
  );
}

interface Counted {
  readonly name: string;
  readonly pending: number;
}

/** A filter that is set stays a choice, though nothing of it waits any more. */
function options(any: string, counted: readonly Counted[], chosen: string | null): MenuOption<string>[] {
  const gone =
    chosen === null || counted.some(({ name }) => name === chosen) ? [] : [{ name: chosen, pending: 0 }];
  return [
    { value: ANY, label: any },
    ...[...counted, ...gone].map(({ name, pending }) => ({
      value: name,
      label: (
        <span className="flex justify-between gap-6">
          {name}
          <span className="figures text-faint">{pending}</span>
        </span>
      ),
    })),
  ];
}

interface FilterProps {
  label: string;
  value: string;
  options: readonly MenuOption<string>[];
  onChange: (value: string) => void;
}

function Filter({ label, value, options: choices, onChange }: FilterProps) {
  const set = value !== ANY;
  const shown = label === 'Expiring' ? choices.find((choice) => choice.value === value)?.label : value;
  return (
    <Menu
      trigger={
        <Button
          variant="ghost"
          size="small"
          className={set ? 'min-w-0 shrink bg-accent-soft text-accent-text' : undefined}
          aria-label={set ? `${label}: ${value}` : label}
        >
          <span className="truncate">{set ? shown : label}</span>
          <ChevronDown aria-hidden />
        </Button>
      }
    >
      <MenuChoice value={value} onChange={onChange} options={choices} />
    </Menu>
  );
}
