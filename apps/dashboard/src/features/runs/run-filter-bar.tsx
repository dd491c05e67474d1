'use client';

import type { RunStatus } from '@countersign/contracts';
import { useRef } from 'react';
import { type Page, useRead } from '../../api/use-read';
import { useActions } from '../../frame/actions';
import { useSession } from '../../frame/session';
import { Button } from '../../kit/button';
import { FilterChoice, FilterText } from '../../kit/filter';
import { SearchInput } from '../../kit/search-input';
import { RUN_LOOKS, RunState } from '../../kit/state';
import { MOMENTS, type Moment, type RunFilters } from './run-filters';
import { TimeFilter } from './time-filter';

const STATUS_OPTIONS = (Object.keys(RUN_LOOKS) as RunStatus[]).map((status) => ({
  value: status,
  label: <RunState status={status} />,
}));

/** Everything that the list can be narrowed by. */
export function RunFilterBar({ filters: { filters, setFilters, narrowed, clear } }: { filters: RunFilters }) {
  const { can } = useSession();
  const search = useRef<HTMLInputElement>(null);
  const agents = useRead<Page<{ name: string }>>(
    '/v1/agents',
    { limit: 100 },
    { enabled: can('agents:read') },
  );
  useActions('Runs', [
    { label: 'Search runs', keys: '/', palette: false, run: () => search.current?.focus() },
  ]);
  return (
    <>
      <SearchInput
        ref={search}
        label="Search runs"
        placeholder="Id, operation, subject or output"
        value={filters.q ?? ''}
        onChange={(q) => void setFilters({ q: q === '' ? null : q }, { history: 'replace', throttleMs: 250 })}
        className="w-72 max-md:w-full"
      />
      <div className="flex items-center gap-1.5 max-md:-mx-4 max-md:w-[calc(100%+32px)] max-md:overflow-x-auto max-md:px-4">
        <FilterChoice
          label="Status"
          value={filters.status}
          options={STATUS_OPTIONS}
          onChange={(status) => void setFilters({ status: status as RunStatus | null })}
        />
        <FilterChoice
          label="Agent"
          value={filters.agent}
          options={(agents.data?.data ?? []).map(({ name }) => ({ value: name, label: name }))}
          onChange={(agent) => void setFilters({ agent })}
        />
        <TimeFilter filters={filters} onChange={(chosen) => void setFilters(chosen)} />
        <FilterText
          label="Subject"
          note="The id of whom the run acts for, exactly."
          value={filters.subject}
          onChange={(subject) => void setFilters({ subject })}
        />
        <FilterText
          label="Operation"
          note="Your own name for what the run is about, exactly."
          value={filters.operation}
          onChange={(operation) => void setFilters({ operation })}
        />
        <Followed filters={filters} set={setFilters} />
        {narrowed && (
          <Button variant="ghost" size="small" onClick={clear}>
            Clear
          </Button>
        )}
      </div>
    </>
  );
}

interface FollowedProps {
  filters: RunFilters['filters'];
  set: RunFilters['setFilters'];
}

/** What a figure of the metrics narrowed the list to; shown only then. */
function Followed({ filters: { moment, reason, model, tool }, set }: FollowedProps) {
  return (
    <>
      {moment !== null && (
        <FilterChoice
          label="Which"
          any="Runs created then"
          value={moment}
          options={Object.entries(MOMENTS).map(([value, label]) => ({ value, label }))}
          onChange={(chosen) => void set({ moment: chosen as Moment | null })}
        />
      )}
      {reason !== null && (
        <FilterText
          label="Reason"
          note="Why the run ended, as the API says it."
          value={reason}
          onChange={(chosen) => void set({ reason: chosen })}
        />
      )}
      {model !== null && (
        <FilterText
          label="Model"
          note="As provider/model, or a provider."
          value={model}
          onChange={(chosen) => void set({ model: chosen })}
        />
      )}
      {tool !== null && (
        <FilterText
          label="Tool"
          note="A tool that a model asked for."
          value={tool}
          onChange={(chosen) => void set({ tool: chosen })}
        />
      )}
    </>
  );
}
