-- The ledger's hot path: a worker's step is one statement, so that a transaction never waits for the network. Functions
-- return outcomes as JSON text and raise for none of them. They run as the caller and set the tenant first; the few that
-- cross tenants belong to countersign_claimer, with a pinned search_path (0005 gives them away).
--
-- Locks are always taken in this order, so that nobody waits in a circle:
--   the tenant's rules (advisory) -> the thread -> the run -> intents, by key -> the tenant's metrics (advisory)
--   -> budgets, by scope and period -> the tenant's schedule
-- The claim begins at the schedule and only ever skips locked runs. The most contended rows come last, held shortest.
--
-- `unused := f(...)` calls a function without the executor's start that PERFORM costs.

-- ---- Small pure pieces

CREATE FUNCTION instant(ms bigint) RETURNS timestamptz
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT to_timestamp(ms::float8 / 1000) $$;

-- STABLE because extract() is: a function that promises more than its body is not inlined.
CREATE FUNCTION milliseconds(at timestamptz) RETURNS bigint
LANGUAGE sql STABLE PARALLEL SAFE AS $$ SELECT round(extract(epoch FROM at) * 1000)::bigint $$;

-- The first moment of the period in which `at` lies, in UTC. A total has run since the epoch.
CREATE FUNCTION window_start(period text, at timestamptz) RETURNS timestamptz
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
  SELECT CASE period WHEN 'total' THEN to_timestamp(0)
                     ELSE date_trunc(period, at AT TIME ZONE 'UTC') AT TIME ZONE 'UTC' END
$$;

-- The budgets that a run's model calls count in.
CREATE FUNCTION budget_scopes(agent_name text, subject_id text) RETURNS text[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$ SELECT array_remove(ARRAY['tenant', 'agent:' || agent_name, 'subject:' || subject_id], NULL) $$;

-- What a claim costs a tenant at least, in US dollars: free runs count too.
CREATE FUNCTION claim_charge() RETURNS double precision
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT 0.0001::float8 $$;

-- Held shared by steps that intend, reserve or settle; held alone by whoever changes what they were judged by (policy,
-- a tool's deletion, suspension, budgets). So after such a change has answered, nothing begins by the old rules.
CREATE FUNCTION rules_lock(tenant text) RETURNS bigint
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT hashtextextended(tenant, 1) $$;

-- Whoever raises the revision, by whatever way, takes the lock with it.
CREATE FUNCTION take_rules_lock() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(rules_lock(NEW.id));
  RETURN NEW;
END $$;

CREATE TRIGGER rules_change_alone BEFORE UPDATE OF revision ON tenants
FOR EACH ROW EXECUTE FUNCTION take_rules_lock();

-- Held shared by what queues a run; tried alone by the claim before it says that a tenant has nothing queued.
CREATE FUNCTION queue_lock(tenant text) RETURNS bigint
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT hashtextextended(tenant, 2) $$;

-- ---- note_queued: a tenant has work
-- Writes only where has_queued is false, so that many starts of one tenant do not queue up for one row. The shared lock
-- makes that safe: the claim that is about to clear has_queued cannot overlook the run that we queue in this transaction.
-- A tenant that wakes starts from the minimum of those who are busy (or, if nobody is, from the maximum): time that it
-- did not use is not saved up.
CREATE FUNCTION note_queued(p_tenant text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
AS $$
DECLARE
  unused text;
BEGIN
  unused := pg_advisory_xact_lock_shared(queue_lock(p_tenant))::text;
  PERFORM 1 FROM tenant_schedule WHERE tenant_id = p_tenant AND has_queued;
  IF FOUND THEN RETURN; END IF;
  UPDATE tenant_schedule SET
    has_queued = true,
    virtual_time = CASE WHEN running > 0 THEN virtual_time ELSE greatest(virtual_time, coalesce(
      least(
        (SELECT min(virtual_time) FROM tenant_schedule WHERE has_queued AND NOT suspended AND running < max_running),
        (SELECT min(virtual_time) FROM tenant_schedule WHERE running > 0)),
      (SELECT max(virtual_time) FROM tenant_schedule))) END
  WHERE tenant_id = p_tenant AND NOT has_queued;
END $$;

-- ---- note_catalog_change: a tenant's agents or tools are other than they were
CREATE FUNCTION note_catalog_change() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
  UPDATE tenants SET catalog_revision = catalog_revision + 1 WHERE id = NEW.tenant_id;
  RETURN NULL;
END $$;

CREATE TRIGGER agents_change_catalog AFTER INSERT OR UPDATE OF current_version ON agents
FOR EACH ROW EXECUTE FUNCTION note_catalog_change();

CREATE TRIGGER tools_change_catalog AFTER INSERT OR UPDATE OF current_version, deleted_at ON tools
FOR EACH ROW EXECUTE FUNCTION note_catalog_change();

-- ---- What a step adds, as rows
-- Arrays of them come as text that is read once; json would be read twice and its names looked up for each row. The order
-- is that of apps/api/src/runs/projection/composite-rows.ts. Moments are in milliseconds.
CREATE TYPE event_row AS (seq int, type text, at bigint, data text);

CREATE TYPE message_row AS (turn int, "position" int, id text, role text, content text, created_at bigint);

CREATE TYPE model_call_row AS (
  id text, turn int, choice int, provider text, api text, model text, response_id text, request_digest text,
  adapter_revision text, sdk_revision text, price_version text, finish text, finish_raw text, failure text,
  http_status int, input_tokens int, cached_input_tokens int, cache_write_tokens int, output_tokens int,
  reasoning_tokens int, estimated boolean, cost_usd numeric, waste_usd numeric, started_at bigint, finished_at bigint
);

CREATE TYPE tool_call_row AS (
  id text, turn int, index int, tool text, tool_version int, effect text, status text, arguments text,
  arguments_digest text, checks text, result text, error text, replay_of text, call_id text, provider_call_id text,
  model_call_id text, provider text, api text, response_id text, idempotency_key text, approval_id text, revisions text,
  request_digest text, result_digest text, binding_digest text, attempts int, created_at bigint, started_at bigint,
  finished_at bigint
);

-- ---- start_run: a run with its first event
-- Returns {outcome: 'started' | 'queue_full' | 'stale' | 'thread_moved' | 'thread_busy', now, cancelled}. The ceiling is
-- the operator's; counting stops at it. Stale: the versions in the event are those of an older catalog, and thread_moved:
-- another run has this place in the thread; look again. In a busy thread the run waits for its turn (0007), but not longer
-- than it may live; `cancelled` are the runs whose end was asked for, as they stand then.
CREATE FUNCTION start_run(
  p_tenant text, p_run text, p_queue_ceiling int, p_catalog_revision int,
  p_agent_name text, p_agent_version int, p_thread_id text, p_thread_position int,
  p_on_busy text, -- 'queue' | 'reject' | 'cancel_previous'
  p_started_by text, -- JSON text of an actor
  p_operation_id text, p_subject text, p_subject_id text,
  p_metadata text, p_budget_limit_usd numeric, p_running_ms_left int, p_created_at bigint, p_expires_at bigint,
  p_created text, -- the data of event 1
  p_messages message_row[]
) RETURNS text
LANGUAGE plpgsql
AS $$
DECLARE
  now_at timestamptz(3) := clock_timestamp();
  queued int;
  busy boolean := false;
  cancelled text := '[]';
  unused text;
BEGIN
  unused := set_config('app.tenant', p_tenant, true);
  SELECT count(*) INTO queued
  FROM (SELECT 1 FROM runs WHERE tenant_id = p_tenant AND status = 'queued' LIMIT p_queue_ceiling) AS q;
  IF queued >= p_queue_ceiling THEN
    RETURN json_build_object('outcome', 'queue_full', 'now', milliseconds(now_at))::text;
  END IF;
  IF NOT EXISTS (SELECT FROM tenants WHERE id = p_tenant AND catalog_revision = p_catalog_revision) THEN
    RETURN json_build_object('outcome', 'stale', 'now', milliseconds(now_at))::text;
  END IF;

  IF p_thread_id IS NOT NULL THEN
    PERFORM 1 FROM threads WHERE tenant_id = p_tenant AND id = p_thread_id AND runs = p_thread_position - 1
    FOR NO KEY UPDATE;
    IF NOT FOUND THEN RETURN json_build_object('outcome', 'thread_moved', 'now', milliseconds(now_at))::text; END IF;
    busy := EXISTS (
      SELECT FROM runs WHERE tenant_id = p_tenant AND thread_id = p_thread_id AND finished_at IS NULL);
    IF busy AND p_on_busy = 'reject' THEN
      RETURN json_build_object('outcome', 'thread_busy', 'now', milliseconds(now_at))::text;
    END IF;
    UPDATE threads SET runs = p_thread_position WHERE tenant_id = p_tenant AND id = p_thread_id;
    IF busy AND p_on_busy = 'cancel_previous' THEN
      cancelled := cancel_open_runs(p_tenant, p_thread_id, p_started_by);
    END IF;
  END IF;

  INSERT INTO runs (tenant_id, id, agent_name, agent_version, thread_id, thread_position, operation_id, subject,
    subject_id, status, metadata, messages, budget_limit_usd, seq, running_ms_left, queued_at, wake_at, created_at)
  VALUES (p_tenant, p_run, p_agent_name, p_agent_version, p_thread_id, p_thread_position, p_operation_id, p_subject,
    p_subject_id, 'queued', p_metadata, cardinality(p_messages), p_budget_limit_usd, 1, p_running_ms_left,
    CASE WHEN NOT busy THEN now_at END, CASE WHEN busy THEN instant(p_expires_at) END, instant(p_created_at));
  INSERT INTO run_events (tenant_id, run_id, seq, type, at, data)
  VALUES (p_tenant, p_run, 1, 'run.queued', instant(p_created_at), p_created);
  INSERT INTO messages (tenant_id, run_id, turn, position, id, role, content, created_at)
  SELECT p_tenant, p_run, turn, position, id, role, content, instant(created_at) FROM unnest(p_messages);
  IF NOT busy OR cancelled <> '[]' THEN unused := note_queued(p_tenant)::text; END IF;
  RETURN '{"outcome":"started","now":' || milliseconds(now_at) || ',"cancelled":' || cancelled || '}';
END $$;

-- ---- spent_budget: which budget has no room for another p_amount by what is spent alone; the run's own comes first
CREATE FUNCTION spent_budget(p_tenant text, p_scopes text[], p_amount numeric, p_run_limit numeric, p_run_cost numeric)
RETURNS json
LANGUAGE sql STABLE
AS $$
  SELECT json_build_object('scope', scope, 'period', period, 'limitUsd', limit_usd::text, 'spentUsd', spent_usd::text)
  FROM (
    SELECT 0 AS place, NULL AS scope, NULL AS period, p_run_limit AS limit_usd, p_run_cost AS spent_usd
    UNION ALL
    SELECT 1, scope, period, limit_usd, spent_usd FROM budgets WHERE tenant_id = p_tenant AND scope = ANY (p_scopes)
  ) AS b
  WHERE spent_usd + p_amount > limit_usd ORDER BY place, scope, period LIMIT 1
$$;

-- ---- book_model_call: settle one call and reserve the next, in every scope at once (invariant I5)
-- Locks the run's budgets in a fixed order, then reads them in a new statement (whose snapshot is taken after the lock),
-- then writes. A settlement belongs to the window in which the call was reserved; if that is over, nothing is left to
-- book. Null where nothing is reserved. Only called where the tenant has a budget at all.
CREATE FUNCTION book_model_call(
  p_tenant text, p_scopes text[], p_now timestamptz,
  p_reserved_at timestamptz, p_reserved numeric, p_cost numeric, -- the call to settle; p_cost null: none
  p_amount numeric -- to reserve; null: nothing
) RETURNS text
LANGUAGE plpgsql
AS $$
DECLARE
  fits boolean;
  fits_alone boolean;
BEGIN
  PERFORM 1 FROM budgets WHERE tenant_id = p_tenant AND scope = ANY (p_scopes)
  ORDER BY scope, period FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN CASE WHEN p_amount IS NOT NULL THEN 'granted' END; END IF;

  IF p_cost IS NOT NULL THEN
    UPDATE budgets SET
      spent_usd = spent_usd + p_cost,
      reserved_usd = reserved_usd - p_reserved,
      overrun_usd = overrun_usd + greatest(p_cost - p_reserved, 0)
    WHERE tenant_id = p_tenant AND scope = ANY (p_scopes) AND starts_at = window_start(period, p_reserved_at);
  END IF;
  IF p_amount IS NULL THEN RETURN NULL; END IF;

  UPDATE budgets SET starts_at = window_start(period, p_now), spent_usd = 0, reserved_usd = 0, overrun_usd = 0
  WHERE tenant_id = p_tenant AND scope = ANY (p_scopes) AND starts_at < window_start(period, p_now);
  SELECT bool_and(spent_usd + reserved_usd + p_amount <= limit_usd), bool_and(spent_usd + p_amount <= limit_usd)
  INTO fits, fits_alone
  FROM budgets WHERE tenant_id = p_tenant AND scope = ANY (p_scopes);
  IF NOT fits THEN
    RETURN CASE WHEN fits_alone THEN 'blocked_by_reservations' ELSE 'blocked_by_spending' END;
  END IF;
  UPDATE budgets SET reserved_usd = reserved_usd + p_amount WHERE tenant_id = p_tenant AND scope = ANY (p_scopes);
  RETURN 'granted';
END $$;

-- ---- change_calls: what earlier steps wrote of calls, and is said anew
-- What is absent of a call stays as it is; a result takes the place of an error. A result that is said anew (an outcome
-- that became known) takes its message's place.
CREATE FUNCTION change_calls(p_tenant text, p_run text, p_changed_calls json, p_changed_messages json) RETURNS void
LANGUAGE plpgsql
AS $$
BEGIN
  IF p_changed_calls IS NOT NULL THEN
    UPDATE tool_calls AS t SET
      status = u.status,
      arguments = coalesce(u.arguments, t.arguments),
      arguments_digest = coalesce(u."argumentsDigest", t.arguments_digest),
      checks = coalesce(u.checks, t.checks),
      result = coalesce(u.result, t.result),
      error = CASE WHEN u.result IS NULL THEN coalesce(u.error, t.error) END,
      replay_of = coalesce(u."replayOf", t.replay_of),
      idempotency_key = coalesce(u."idempotencyKey", t.idempotency_key),
      approval_id = coalesce(u."approvalId", t.approval_id),
      revisions = CASE WHEN u.revisions IS NULL THEN t.revisions
                       ELSE (t.revisions::jsonb || u.revisions::jsonb)::text END,
      result_digest = coalesce(u."resultDigest", t.result_digest),
      binding_digest = coalesce(u."bindingDigest", t.binding_digest),
      attempts = t.attempts + coalesce(u.attempts, 0),
      started_at = coalesce(t.started_at, instant(u."startedAt")),
      finished_at = coalesce(instant(u."finishedAt"), t.finished_at)
    FROM json_to_recordset(p_changed_calls) AS u(id text, status text, arguments text, "argumentsDigest" text,
      checks text, result text, error text, "replayOf" text, "idempotencyKey" text, "approvalId" text, revisions text,
      "resultDigest" text, "bindingDigest" text, attempts int, "startedAt" bigint, "finishedAt" bigint)
    WHERE t.tenant_id = p_tenant AND t.run_id = p_run AND t.id = u.id;
  END IF;
  IF p_changed_messages IS NOT NULL THEN
    UPDATE messages AS m SET content = u.content
    FROM json_to_recordset(p_changed_messages) AS u(turn int, position int, content text)
    WHERE m.tenant_id = p_tenant AND m.run_id = p_run AND m.turn = u.turn AND m.position = u.position;
  END IF;
END $$;

-- ---- write_approvals: approvals asked for, what became of them, and who decided
CREATE FUNCTION write_approvals(p_tenant text, p_run text, p_approvals json) RETURNS void
LANGUAGE plpgsql
AS $$
DECLARE
  given record;
BEGIN
  SELECT * INTO given FROM json_to_record(p_approvals) AS g(requested json, changed json, decisions json, voided json);

  INSERT INTO approvals (tenant_id, id, run_id, agent_name, agent_version, tool_call_id, tool, tool_version, arguments,
    arguments_digest, effect, money, reason, policy_rule, policy_version, subject, subject_id, status, required_approvals,
    approver_roles, started_by, requested_at, expires_at, closed_at)
  SELECT p_tenant, id, p_run, "agentName", "agentVersion", "toolCallId", tool, "toolVersion", arguments,
    "argumentsDigest", effect, money, reason, "policyRule", "policyVersion", subject, "subjectId", status,
    "requiredApprovals", "approverRoles", "startedBy", instant("requestedAt"), instant("expiresAt"), instant("closedAt")
  FROM json_to_recordset(given.requested) AS a(id text, "agentName" text, "agentVersion" int, "toolCallId" text, tool text,
    "toolVersion" int, arguments text, "argumentsDigest" text, effect text, money text, reason text, "policyRule" text,
    "policyVersion" int, subject text, "subjectId" text, status text, "requiredApprovals" int, "approverRoles" text[],
    "startedBy" text, "requestedAt" bigint, "expiresAt" bigint, "closedAt" bigint);

  UPDATE approvals AS a SET
    status = u.status,
    arguments = coalesce(u.arguments, a.arguments),
    arguments_digest = coalesce(u."argumentsDigest", a.arguments_digest),
    money = CASE WHEN u.arguments IS NULL THEN a.money ELSE u.money END,
    closed_at = instant(u."closedAt")
  FROM json_to_recordset(given.changed)
    AS u(id text, status text, arguments text, "argumentsDigest" text, money text, "closedAt" bigint)
  WHERE a.tenant_id = p_tenant AND a.id = u.id;

  INSERT INTO approval_decisions (tenant_id, approval_id, seq, by_type, by_id, decision, message, edited_arguments, at)
  SELECT p_tenant, "approvalId", seq, "byType", "byId", decision, message, "editedArguments", instant(at)
  FROM json_to_recordset(given.decisions) AS d("approvalId" text, seq int, "byType" text, "byId" text, decision text,
    message text, "editedArguments" text, at bigint);

  UPDATE approval_decisions AS d SET voided_at = instant(v.at)
  FROM json_to_recordset(given.voided) AS v("approvalId" text, before int, at bigint)
  WHERE d.tenant_id = p_tenant AND d.approval_id = v."approvalId" AND d.seq < v.before AND d.voided_at IS NULL;
END $$;

-- ---- write_effects: what may have happened in the world, and what became of it
-- An outcome moves its effect and every intent that is held for it.
CREATE FUNCTION write_effects(p_tenant text, p_run text, p_effects json, p_outcomes json) RETURNS void
LANGUAGE plpgsql
AS $$
BEGIN
  IF p_effects IS NOT NULL THEN
    INSERT INTO effects (tenant_id, id, run_id, tool_call_id, tool, intent_keys, state, arguments_digest, intended_at)
    SELECT p_tenant, id, p_run, "toolCallId", tool, "intentKeys", 'executing', "argumentsDigest", instant("intendedAt")
    FROM json_to_recordset(p_effects)
      AS e(id text, "toolCallId" text, tool text, "intentKeys" text[], "argumentsDigest" text, "intendedAt" bigint)
    -- Again under its key: a second try after the first is known not to have happened, or a repeat that the tool can tell.
    ON CONFLICT (tenant_id, id) DO UPDATE SET state = 'executing', settled_at = NULL,
      run_id = excluded.run_id, tool_call_id = excluded.tool_call_id, intent_keys = excluded.intent_keys,
      tries = CASE WHEN effects.tool_call_id = excluded.tool_call_id THEN effects.tries + 1 ELSE 1 END;
  END IF;

  IF p_outcomes IS NOT NULL THEN
    UPDATE effects AS e SET state = o.state, settled_at = instant(o."settledAt")
    FROM json_to_recordset(p_outcomes) AS o(id text, state text, "settledAt" bigint)
    WHERE e.tenant_id = p_tenant AND e.id = o.id;

    UPDATE intents AS i SET state = CASE o.state WHEN 'failed' THEN 'free' ELSE o.state END
    FROM json_to_recordset(p_outcomes) AS o(id text, state text)
    JOIN effects AS e ON e.tenant_id = p_tenant AND e.id = o.id
    WHERE i.tenant_id = p_tenant AND i.intent_key = ANY (e.intent_keys) AND i.effect_id = e.id;
  END IF;
END $$;

-- ---- commit_step: one durable step of a run, or nothing (invariants I1, I2, I4, I5, I6)
-- p_fence null: an append from outside (a decision, a cancellation), guarded by the expected seq alone. Events are
-- numbered from there. Lists are null where there is nothing of the kind.
-- Returns {outcome, now, reservation, blockedBy, more}; `blockedBy`: the budget {scope, period, limitUsd, spentUsd} that
-- spending leaves no room in, the run's own having neither scope nor period; `more`: the run made room for another, of its thread or of a tenant
-- that had none: it is queued, and nobody is woken for it. Guards come before the first write; all of it happens or nothing.
CREATE FUNCTION commit_step(
  p_tenant text, p_run text, p_expected_seq int, p_fence bigint, p_lease_ms int, p_revision int,
  -- the run afterwards
  p_status text, p_reason_code text, p_reason_message text, p_waiting_on text, p_output text,
  p_turn_count int, p_model_call_count int, p_tool_call_count int, p_tools_used text, p_message_count int,
  p_input_tokens int, p_cached_input_tokens int, p_cache_write_tokens int, p_output_tokens int, p_reasoning_tokens int,
  p_estimated boolean, p_cost_usd numeric, p_waste_usd numeric, p_running_ms_left int,
  p_wake_at bigint, p_started_at bigint, p_finished_at bigint, p_deadline_at bigint,
  p_freed_thread text, -- the thread of a run that ends with this step
  -- what is added
  p_events event_row[], p_messages message_row[], p_model_calls model_call_row[], p_tool_calls tool_call_row[],
  p_changed_calls json, p_changed_messages json,
  p_approvals json, -- {requested, changed, decisions, voided}
  p_effects json, p_intents json, p_effect_outcomes json,
  p_settle_call text, p_settle_cost numeric, p_reserve numeric, p_open_model_call text
) RETURNS text
LANGUAGE plpgsql
AS $$
DECLARE
  run record;
  now_at timestamptz(3);
  settled boolean;
  reservation text;
  more boolean := false;
  blocked_by json;
  booked text;
  held int;
  unused text;
BEGIN
  unused := set_config('app.tenant', p_tenant, true);

  -- By the rules as they are now: whoever changes them waits for us, or we for them. What was decided by older rules is
  -- decided again; what has happened (p_revision null) is written whatever the rules say.
  IF p_revision IS NOT NULL OR p_settle_call IS NOT NULL THEN
    unused := pg_advisory_xact_lock_shared(rules_lock(p_tenant))::text;
  END IF;
  IF p_freed_thread IS NOT NULL THEN
    PERFORM 1 FROM threads WHERE tenant_id = p_tenant AND id = p_freed_thread FOR NO KEY UPDATE;
  END IF;
  SELECT r.status, r.seq, r.fence, r.queued_at, r.lease_expires_at, r.agent_name, r.subject_id, r.reserved_usd, r.reserved_at,
    r.budget_limit_usd, r.charged_usd, r.open_model_call::json ->> 'modelCallId' AS reserved_for,
    r.counted_at IS NOT NULL AS counted,
    coalesce(t.revision = p_revision, true) AS informed, t.suspended_at IS NULL AS permitted,
    EXISTS (SELECT FROM budgets WHERE tenant_id = p_tenant) AS budgeted
  INTO run
  FROM runs AS r JOIN tenants AS t ON t.id = p_tenant
  WHERE r.tenant_id = p_tenant AND r.id = p_run FOR NO KEY UPDATE OF r;
  now_at := clock_timestamp();

  IF p_fence IS NOT NULL AND (run.status IS DISTINCT FROM 'running' OR run.fence <> p_fence
                              OR run.lease_expires_at <= now_at) THEN
    RETURN '{"outcome":"lost"}';
  END IF;
  IF run.seq IS DISTINCT FROM p_expected_seq THEN
    RETURN '{"outcome":"moved"}';
  END IF;
  IF NOT run.informed OR (NOT run.permitted AND (p_effects IS NOT NULL OR p_reserve IS NOT NULL)) THEN
    RETURN '{"outcome":"governance_changed"}';
  END IF;

  -- At most one call holds an intent. Two that come together wait here for one another; the second is told.
  IF p_intents IS NOT NULL THEN
    BEGIN
      INSERT INTO intents (tenant_id, intent_key, state, run_id, tool_call_id, effect_id)
      SELECT p_tenant, "intentKey", 'executing', p_run, "toolCallId", "effectId"
      FROM json_to_recordset(p_intents) AS i("intentKey" text, "toolCallId" text, "effectId" text)
      ORDER BY "intentKey" COLLATE "C"
      ON CONFLICT (tenant_id, intent_key) DO UPDATE
        SET state = 'executing', run_id = excluded.run_id, tool_call_id = excluded.tool_call_id,
            effect_id = excluded.effect_id
        WHERE intents.state = 'free'
           OR (intents.state = 'executing' AND intents.tool_call_id = excluded.tool_call_id);
      GET DIAGNOSTICS held = ROW_COUNT;
      IF held < json_array_length(p_intents) THEN
        RAISE SQLSTATE 'CS001';
      END IF;
    EXCEPTION WHEN SQLSTATE 'CS001' THEN
      RETURN '{"outcome":"intent_taken"}';
    END;
  END IF;

  -- A late outcome: what the ended run has added to the metrics is added up again afterwards.
  IF run.counted THEN unused := uncount_runs(p_tenant, ARRAY[p_run])::text; END IF;

  -- What happened, and what is read of it.
  IF p_events IS NOT NULL THEN
    INSERT INTO run_events (tenant_id, run_id, seq, type, at, data)
    SELECT p_tenant, p_run, seq, type, instant(at), data FROM unnest(p_events);
  END IF;
  IF p_messages IS NOT NULL THEN
    INSERT INTO messages (tenant_id, run_id, turn, position, id, role, content, created_at)
    SELECT p_tenant, p_run, turn, position, id, role, content, instant(created_at) FROM unnest(p_messages);
  END IF;
  IF p_model_calls IS NOT NULL THEN
    INSERT INTO model_calls (tenant_id, run_id, id, turn, choice, provider, api, model, response_id, request_digest,
      adapter_revision, sdk_revision, price_version, finish, finish_raw, failure, http_status, input_tokens,
      cached_input_tokens, cache_write_tokens, output_tokens, reasoning_tokens, estimated, cost_usd, waste_usd,
      reserved_usd, reserved_at, started_at, finished_at)
    SELECT p_tenant, p_run, id, turn, choice, provider, api, model, response_id, request_digest,
      adapter_revision, sdk_revision, price_version, finish, finish_raw, failure, http_status, input_tokens,
      cached_input_tokens, cache_write_tokens, output_tokens, reasoning_tokens, estimated, cost_usd, waste_usd,
      CASE WHEN id = run.reserved_for THEN run.reserved_usd ELSE 0 END,
      CASE WHEN id = run.reserved_for THEN run.reserved_at ELSE instant(started_at) END,
      instant(started_at), instant(finished_at)
    FROM unnest(p_model_calls);
  END IF;
  IF p_tool_calls IS NOT NULL THEN
    INSERT INTO tool_calls (tenant_id, run_id, id, turn, index, tool, tool_version, effect, status, arguments,
      arguments_digest, checks, result, error, replay_of, call_id, provider_call_id, model_call_id, provider, api,
      response_id, idempotency_key, approval_id, revisions, request_digest, result_digest, binding_digest, attempts,
      created_at, started_at, finished_at)
    SELECT p_tenant, p_run, id, turn, index, tool, tool_version, effect, status, arguments,
      arguments_digest, checks, result, error, replay_of, call_id, provider_call_id, model_call_id, provider, api,
      response_id, idempotency_key, approval_id, revisions, request_digest, result_digest, binding_digest, attempts,
      instant(created_at), instant(started_at), instant(finished_at)
    FROM unnest(p_tool_calls);
  END IF;
  IF p_changed_calls IS NOT NULL OR p_changed_messages IS NOT NULL THEN
    unused := change_calls(p_tenant, p_run, p_changed_calls, p_changed_messages)::text;
  END IF;
  IF p_approvals IS NOT NULL THEN
    unused := write_approvals(p_tenant, p_run, p_approvals)::text;
  END IF;
  IF p_effects IS NOT NULL OR p_effect_outcomes IS NOT NULL THEN
    unused := write_effects(p_tenant, p_run, p_effects, p_effect_outcomes)::text;
  END IF;

  settled := p_settle_call IS NOT NULL AND p_settle_call IS NOT DISTINCT FROM run.reserved_for;
  IF p_reserve IS NOT NULL AND p_cost_usd + p_reserve > run.budget_limit_usd THEN
    reservation := 'blocked_by_spending';
  ELSIF p_reserve IS NOT NULL AND NOT run.budgeted THEN
    reservation := 'granted';
  END IF;
  -- The settlement is booked in any case; where the run's own limit has the last word, it alone.
  IF run.budgeted AND (p_settle_call IS NOT NULL OR (p_reserve IS NOT NULL AND reservation IS NULL)) THEN
    booked := book_model_call(
      p_tenant, budget_scopes(run.agent_name, run.subject_id), now_at,
      CASE WHEN settled THEN run.reserved_at ELSE now_at END, CASE WHEN settled THEN run.reserved_usd ELSE 0 END,
      p_settle_cost, CASE WHEN reservation IS NULL THEN p_reserve END);
    reservation := coalesce(reservation, booked);
  END IF;
  IF reservation = 'blocked_by_spending' THEN
    blocked_by := spent_budget(p_tenant, budget_scopes(run.agent_name, run.subject_id), p_reserve, run.budget_limit_usd, p_cost_usd);
  END IF;

  UPDATE runs AS r SET
    seq = p_expected_seq + coalesce(cardinality(p_events), 0),
    status = p_status, reason_code = p_reason_code, reason_message = p_reason_message,
    waiting_on = p_waiting_on, output = p_output, turns = p_turn_count, model_calls = p_model_call_count,
    tool_calls = p_tool_call_count, tools_used = p_tools_used, messages = p_message_count,
    input_tokens = p_input_tokens, cached_input_tokens = p_cached_input_tokens,
    cache_write_tokens = p_cache_write_tokens, output_tokens = p_output_tokens,
    reasoning_tokens = p_reasoning_tokens, estimated = p_estimated, cost_usd = p_cost_usd, waste_usd = p_waste_usd,
    running_ms_left = p_running_ms_left, wake_at = instant(p_wake_at), started_at = instant(p_started_at),
    finished_at = instant(p_finished_at), deadline_at = instant(p_deadline_at),
    -- What is appended to a run that waits for its thread (a cancellation) is a worker's business at once.
    queued_at = CASE WHEN p_status = 'queued' AND run.status <> 'queued' THEN now_at
                     ELSE coalesce(r.queued_at, now_at) END,
    charged_usd = CASE WHEN p_status <> 'running' THEN p_cost_usd ELSE r.charged_usd END,
    reserved_usd = CASE WHEN reservation = 'granted' THEN p_reserve WHEN settled THEN 0 ELSE r.reserved_usd END,
    reserved_at = CASE WHEN reservation = 'granted' THEN now_at WHEN settled THEN NULL ELSE r.reserved_at END,
    open_model_call =
      CASE WHEN reservation = 'granted' THEN p_open_model_call WHEN settled THEN NULL ELSE r.open_model_call END,
    lease_owner = CASE WHEN p_status = 'running' THEN r.lease_owner END,
    lease_expires_at = CASE WHEN p_status <> 'running' THEN NULL
                            WHEN p_fence IS NULL THEN r.lease_expires_at
                            ELSE now_at + p_lease_ms * interval '1 millisecond' END
  WHERE r.tenant_id = p_tenant AND r.id = p_run;

  IF p_freed_thread IS NOT NULL THEN more := next_in_thread(p_tenant, p_freed_thread); END IF;
  IF run.status = 'running' AND p_status <> 'running' THEN
    UPDATE tenant_schedule SET
      running = running - 1,
      virtual_time = virtual_time + greatest(p_cost_usd::float8 - run.charged_usd::float8 - claim_charge(), 0) / weight,
      has_queued = has_queued OR p_status = 'queued'
    WHERE tenant_id = p_tenant
    RETURNING more OR (has_queued AND running + 1 >= max_running) INTO more;
  ELSIF p_status = 'queued' AND (run.status <> 'queued' OR run.queued_at IS NULL) THEN
    unused := note_queued(p_tenant)::text;
  END IF;

  RETURN '{"outcome":"committed","now":' || milliseconds(now_at)
    || ',"reservation":' || coalesce('"' || reservation || '"', 'null')
    || ',"blockedBy":' || coalesce(blocked_by::text, 'null') || ',"more":' || more || '}';
END $$;

-- ---- events_json, load_events: a run's events after a number, oldest first, as the JSON text of an array
-- `data` is JSON text already and goes in as it is.
CREATE FUNCTION events_json(p_tenant text, p_run text, p_after int) RETURNS text
LANGUAGE sql STABLE
AS $$
  SELECT '[' || coalesce(string_agg(
    '{"seq":' || seq || ',"type":"' || type || '","at":' || milliseconds(at) || ',"data":' || data || '}', ',' ORDER BY seq), '')
    || ']'
  FROM run_events WHERE tenant_id = p_tenant AND run_id = p_run AND seq > p_after
$$;

CREATE FUNCTION load_events(p_tenant text, p_run text, p_after int) RETURNS text
LANGUAGE plpgsql
AS $$
DECLARE
  unused text;
BEGIN
  unused := set_config('app.tenant', p_tenant, true);
  RETURN events_json(p_tenant, p_run, p_after);
END $$;

-- ---- find_run: a run's row in one round trip; it is what a customer who waits asks for
CREATE FUNCTION find_run(p_tenant text, p_run text) RETURNS SETOF runs
LANGUAGE plpgsql
AS $$
DECLARE
  unused text;
BEGIN
  unused := set_config('app.tenant', p_tenant, true);
  RETURN QUERY SELECT * FROM runs WHERE tenant_id = p_tenant AND id = p_run;
END $$;

-- ---- begin_idempotent: a use of an idempotency key, taken or known
-- Returns {taken: true, reserved} where the use is the caller's: the key is new, or its earlier use is too old, or was
-- given up by a process that ended; else what is known of that use. While a use is in progress `response` holds the id
-- that it reserved, and whoever takes it over with the same body gets the same id.
CREATE FUNCTION begin_idempotent(
  p_tenant text, p_route text, p_key text, p_request_digest text, p_reserved text
) RETURNS text
LANGUAGE plpgsql
AS $$
DECLARE
  known record;
  unused text;
BEGIN
  unused := set_config('app.tenant', p_tenant, true);
  INSERT INTO idempotency_requests AS r (tenant_id, route, key, request_digest, state, response, created_at)
  VALUES (p_tenant, p_route, p_key, p_request_digest, 'in_progress', p_reserved, clock_timestamp())
  ON CONFLICT (tenant_id, route, key) DO UPDATE SET
    request_digest = excluded.request_digest, state = 'in_progress', status = NULL,
    response = CASE WHEN r.state = 'in_progress' AND r.request_digest = excluded.request_digest
                    THEN r.response ELSE excluded.response END,
    created_at = excluded.created_at
  WHERE r.created_at < clock_timestamp() - CASE r.state WHEN 'done' THEN interval '24 hours' ELSE interval '1 minute' END
  RETURNING r.response AS reserved INTO known;
  IF FOUND THEN RETURN json_build_object('taken', true, 'reserved', known.reserved)::text; END IF;
  SELECT state, request_digest, status, response INTO known
  FROM idempotency_requests WHERE tenant_id = p_tenant AND route = p_route AND key = p_key;
  -- Given up between our two looks: whoever asks again will be the first.
  IF NOT FOUND THEN
    RETURN json_build_object('taken', false, 'state', 'in_progress', 'requestDigest', p_request_digest)::text;
  END IF;
  RETURN json_build_object('taken', false, 'state', known.state, 'requestDigest', known.request_digest,
    'status', known.status, 'response', known.response)::text;
END $$;

-- ---- end_idempotent: the answer to keep, or, without a status, none: the key is free again
-- Only of a use that is in progress with that body: somebody else may have taken it over.
CREATE FUNCTION end_idempotent(
  p_tenant text, p_route text, p_key text, p_request_digest text, p_status int, p_response text
) RETURNS void
LANGUAGE plpgsql
AS $$
DECLARE
  unused text;
BEGIN
  unused := set_config('app.tenant', p_tenant, true);
  IF p_status IS NULL THEN
    DELETE FROM idempotency_requests WHERE tenant_id = p_tenant AND route = p_route AND key = p_key
      AND request_digest = p_request_digest AND state = 'in_progress';
  ELSE
    UPDATE idempotency_requests SET state = 'done', status = p_status, response = p_response
    WHERE tenant_id = p_tenant AND route = p_route AND key = p_key
      AND request_digest = p_request_digest AND state = 'in_progress';
  END IF;
END $$;
