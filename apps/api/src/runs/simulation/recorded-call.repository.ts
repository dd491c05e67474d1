import type { EffectClass } from '@countersign/agent-core';
import { type Database, readPages } from '../../platform/database.js';

/** The last that policy said of a call, as the event that says it. */
interface JudgedCall {
  readonly type: 'tool.permitted' | 'approval.requested' | 'tool.denied';
  /** JSON text. */
  readonly data: string;
}

/** A call that was proposed; `type` and `data` null: policy has not judged it. */
export type RecordedCall = {
  readonly runId: string;
  readonly toolCallId: string;
  readonly tool: string;
  readonly toolVersion: number | null;
  readonly effect: EffectClass | null;
  readonly agentName: string;
  readonly agentVersion: number;
  readonly proposedAt: Date;
  readonly approvalId: string | null;
  /** Of the newest request for a signature. */
  readonly approvalStatus: string | null;
  /** Calls up to then are left out, since there are more than were asked for; null: none is. */
  readonly leftOutUntil: Date | null;
} & (JudgedCall | { readonly type: null; readonly data: null });

/** Which calls: those that were proposed from `from` until before `to`, the newest `most` of them. */
export interface RecordedCallQuery {
  readonly from: Date;
  readonly to: Date;
  readonly most: number;
}

/** Calls a page. Each carries its arguments, which may be large. */
const PAGE = 500;

/** What became of the calls that models proposed, read for looking back. */
export class RecordedCallRepository {
  constructor(private readonly database: Database) {}

  /** Page by page, in no order, all as of one moment. @throws DatabaseError */
  pages(tenant: string, { from, to, most }: RecordedCallQuery): AsyncGenerator<readonly RecordedCall[]> {
    const values = [tenant, from.toISOString(), to.toISOString(), most];
    return readPages<RecordedCall>(this.database, tenant, { text: RECORDED_CALLS, values, rows: PAGE });
  }
}

/**
 * A verdict is looked up by what JSON.stringify wrote: within a JSON string a quote is never bare, so a member's name and
 * value stand in the text only where the event has them. Postgres reads no json with `\u0000` in it.
 */
const RECORDED_CALLS = `
  WITH left_out AS MATERIALIZED (
    SELECT created_at AS until FROM tool_calls
    WHERE tenant_id = $1 AND created_at >= $2::timestamptz AND created_at < $3::timestamptz
    ORDER BY created_at DESC OFFSET $4::int LIMIT 1
  )
  SELECT c.run_id AS "runId", c.id AS "toolCallId", c.tool, c.tool_version AS "toolVersion", c.effect,
    r.agent_name AS "agentName", r.agent_version AS "agentVersion", c.created_at AS "proposedAt",
    a.id AS "approvalId", a.status AS "approvalStatus", v.type, v.data, (SELECT until FROM left_out) AS "leftOutUntil"
  FROM tool_calls AS c
  JOIN runs AS r ON r.tenant_id = c.tenant_id AND r.id = c.run_id
  LEFT JOIN approvals AS a ON a.tenant_id = c.tenant_id AND a.id = c.approval_id
  LEFT JOIN LATERAL (
    SELECT e.type, e.data FROM run_events AS e
    WHERE e.tenant_id = c.tenant_id AND e.run_id = c.run_id
      AND e.type IN ('tool.permitted', 'approval.requested', 'tool.denied')
      AND strpos(e.data, '"toolCallId":"' || c.id || '"') > 0
      AND (e.type <> 'tool.denied' OR strpos(e.data, '"code":"policy_denied"') > 0)
    ORDER BY e.seq DESC LIMIT 1
  ) AS v ON true
  WHERE c.tenant_id = $1 AND c.created_at < $3::timestamptz
    AND c.created_at >= $2::timestamptz AND c.created_at > coalesce((SELECT until FROM left_out), '-infinity')`;
