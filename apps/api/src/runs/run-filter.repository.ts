import type { RunListQuery } from '@countersign/contracts';
import { Prisma } from '../platform/generated/client.js';

export type RunFilter = Omit<RunListQuery, 'limit' | 'after'>;

/** The condition on a row `r` of runs that a filter is. */
export function fits(tenant: string, filter: RunFilter): Prisma.Sql {
  const { status, reason, agent, subject, operationId, threadId, q, moment = 'created' } = filter;
  const conditions = [
    Prisma.sql`r.tenant_id = ${tenant}`,
    ...equal(Prisma.sql`r.status`, status),
    ...equal(Prisma.sql`r.reason_code`, reason),
    ...equal(Prisma.sql`r.agent_name`, agent),
    ...equal(Prisma.sql`r.subject_id`, subject),
    ...equal(Prisma.sql`r.operation_id`, operationId),
    ...equal(Prisma.sql`r.thread_id`, threadId),
    ...(q === undefined ? [] : [searched(q)]),
    ...(moment === 'created' ? between(Prisma.sql`r.created_at`, filter) : []),
    ...(moment === 'ended' ? [Prisma.sql`r.finished_at IS NOT NULL`] : []),
    ...(moment === 'ended' ? between(Prisma.sql`r.finished_at`, filter) : []),
    ...called(tenant, filter),
  ];
  return Prisma.join(conditions, ' AND ');
}

function equal(column: Prisma.Sql, value: string | undefined): Prisma.Sql[] {
  return value === undefined ? [] : [Prisma.sql`${column} = ${value}`];
}

function between(column: Prisma.Sql, { from, to }: RunFilter): Prisma.Sql[] {
  return [
    ...(from === undefined ? [] : [Prisma.sql`${column} >= ${new Date(from)}`]),
    ...(to === undefined ? [] : [Prisma.sql`${column} < ${new Date(to)}`]),
  ];
}

/** That one call of the run is of the model and the tool, and is what happened at the moment. */
function called(tenant: string, filter: RunFilter): Prisma.Sql[] {
  const { moment = 'created', model, tool } = filter;
  if (moment === 'failed' && tool !== undefined) {
    const conditions = [
      Prisma.sql`t.tenant_id = ${tenant} AND t.run_id = r.id AND t.tool = ${tool}`,
      Prisma.sql`t.status IN ('failed', 'unknown')`,
      ...between(Prisma.sql`t.finished_at`, filter),
    ];
    return [Prisma.sql`EXISTS (SELECT FROM tool_calls AS t WHERE ${Prisma.join(conditions, ' AND ')})`];
  }
  const atMoment = moment === 'spent' || moment === 'failed';
  if (!atMoment && model === undefined && tool === undefined) return [];
  const conditions = [
    Prisma.sql`m.tenant_id = ${tenant} AND m.run_id = r.id`,
    ...(atMoment ? between(Prisma.sql`m.finished_at`, filter) : []),
    ...(moment === 'failed' ? [Prisma.sql`m.failure IS NOT NULL`] : []),
    ...(model === undefined ? [] : [ofModel(model)]),
    ...(tool === undefined ? [] : [askedFor(tenant, tool)]),
  ];
  return [Prisma.sql`EXISTS (SELECT FROM model_calls AS m WHERE ${Prisma.join(conditions, ' AND ')})`];
}

/** A provider's name holds no slash; a model's may. */
function ofModel(model: string): Prisma.Sql {
  const slash = model.indexOf('/');
  if (slash < 0) return Prisma.sql`m.provider = ${model}`;
  return Prisma.sql`m.provider = ${model.slice(0, slash)} AND m.model = ${model.slice(slash + 1)}`;
}

function askedFor(tenant: string, tool: string): Prisma.Sql {
  return Prisma.sql`EXISTS (SELECT FROM tool_calls AS t
    WHERE t.tenant_id = ${tenant} AND t.run_id = r.id AND t.model_call_id = m.id AND t.tool = ${tool})`;
}

/** What `q` is looked for in: names, and the answer, whose column holds the JSON text of a string. */
function searched(q: string): Prisma.Sql {
  const part = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`;
  const written = part(JSON.stringify(q).slice(1, -1));
  return Prisma.sql`(r.id = ${q} OR r.operation_id ILIKE ${part(q)} OR r.subject_id ILIKE ${part(q)} OR r.output ILIKE ${written})`;
}
