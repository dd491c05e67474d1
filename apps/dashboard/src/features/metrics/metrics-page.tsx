'use client';

import type { Tenant } from '@countersign/contracts';
import { useQuery } from '@tanstack/react-query';
import { request } from '../../api/request';
import type { Page as Answer } from '../../api/use-read';
import { Page } from '../../frame/page';
import { useSession } from '../../frame/session';
import { FilterChoice } from '../../kit/filter';
import { NoPermission } from '../../kit/notice';
import { ScopeContext } from './behind';
import { MoneyRow } from './money-row';
import { PeopleRow } from './people-row';
import { ALL_TENANTS, PARTS, type Part, RANGES, type RangeName, useScope } from './scope';
import { TroubleRow } from './trouble-row';
import { WorkRow } from './work-row';

/** What runs cost, how they end, what goes wrong and how people decide: of the tenant, or of the platform. */
export function MetricsPage() {
  const { can, operator } = useSession();
  return can('metrics:read') || operator ? (
    <Metrics />
  ) : (
    <Page title="Metrics">
      <NoPermission what="see the metrics" />
    </Page>
  );
}

function Metrics() {
  const { operator, tenant } = useSession();
  const { scope, of, mayLeave, set } = useScope();
  const tenants = useQuery({
    queryKey: [null, '/admin/v1/tenants'],
    queryFn: ({ signal }) =>
      request<Answer<Tenant>>('/admin/v1/tenants', { tenant: null, query: { limit: 100 }, signal }),
    enabled: operator,
  });
  const names = new Map(tenants.data?.data.map(({ id, name }) => [id, name]));
  const usual = mayLeave ? tenant.name : 'All tenants';
  const chosen = !mayLeave && of === ALL_TENANTS ? null : of;
  const parts = (Object.keys(PARTS) as Part[]).filter(
    (part) => part !== 'tenant' || (scope.platform !== null && scope.platform.tenant === null),
  );
  return (
    <Page
      title="Metrics"
      toolbar={
        <>
          <FilterChoice
            label={scope.range === '30d' ? RANGES['30d'].label : 'Time'}
            value={scope.range === '30d' ? null : scope.range}
            any={RANGES['30d'].label}
            options={Object.entries(RANGES)
              .filter(([value]) => value !== '30d')
              .map(([value, { label }]) => ({ value, label }))}
            onChange={(range) => void set({ range: range as RangeName | null })}
          />
          <FilterChoice
            label={scope.by === 'agent' ? 'Spend by agent' : 'Spend by'}
            value={scope.by === 'agent' ? null : scope.by}
            any={PARTS.agent}
            options={parts
              .filter((part) => part !== 'agent')
              .map((part) => ({ value: part, label: PARTS[part] }))}
            onChange={(by) => void set({ by: by as Part | null })}
          />
          {operator && (
            <FilterChoice
              label={chosen === null ? usual : 'Tenant'}
              value={chosen}
              any={usual}
              options={[
                ...(mayLeave ? [{ value: ALL_TENANTS, label: 'All tenants' }] : []),
                ...[...names].map(([value, label]) => ({ value, label })),
              ]}
              onChange={(tenantId) => void set({ of: tenantId })}
            />
          )}
        </>
      }
    >
      <ScopeContext value={scope}>
        <div className="min-h-0 flex-1 overflow-y-auto">
          <MoneyRow tenantNames={names} hrefOfTenant={(id) => `/metrics?of=${id}&range=${scope.range}`} />
          <WorkRow />
          <TroubleRow />
          <PeopleRow />
        </div>
      </ScopeContext>
    </Page>
  );
}
