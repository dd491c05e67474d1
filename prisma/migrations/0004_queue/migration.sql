-- The queue is the runs table: who claims what, whose lease is renewed, and what is put right when a worker is lost.
-- All of it crosses tenants, so it belongs to countersign_claimer (see 0003 on locks and on `unused := f(...)`).

-- ---- claim_run: the oldest queued run of the tenant that has waited its fair share the longest
-- Returns null where nobody has work and room, {again: true} where only locked tenants are left, else the run, with how
-- long it has waited in milliseconds.
-- p_newcomers: only of tenants that have nothing running. A worker keeps one hand for them.
-- It waits for the first tenant's row, holding nothing yet (skipping it would hand its turn to others); after that it
-- only skips. The commit is not waited for: should Postgres crash before it is on disk, the run is queued again, and
-- every later commit of this worker comes after it in the log. The fence contains the time, so that it is not given
-- out twice even then.
CREATE FUNCTION claim_run(p_worker text, p_lease_ms int, p_newcomers boolean) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
AS $$
DECLARE
  tenant record;
  queued record;
  tried text[] := '{}';
  now_at timestamptz(3);
  waited bigint;
  next_fence bigint;
  more boolean := true;
  unused text;
BEGIN
  unused := set_config('synchronous_commit', 'off', true);
  SELECT tenant_id INTO tenant FROM tenant_schedule
  WHERE has_queued AND NOT suspended AND running < max_running AND (NOT p_newcomers OR running = 0)
  ORDER BY virtual_time LIMIT 1;
  IF NOT FOUND THEN RETURN NULL; END IF;
  SELECT tenant_id,
    has_queued AND NOT suspended AND running < max_running AND (NOT p_newcomers OR running = 0) AS claimable INTO tenant
  FROM tenant_schedule WHERE tenant_id = tenant.tenant_id FOR NO KEY UPDATE;

  LOOP
    IF tenant.claimable THEN
      SELECT id, agent_name, agent_version, seq, fence, started_at, queued_at INTO queued
      FROM runs WHERE tenant_id = tenant.tenant_id AND status = 'queued' AND queued_at IS NOT NULL
      ORDER BY queued_at LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED;
      EXIT WHEN FOUND;
      -- Nobody is about to queue a run: then there is none. Else leave it, and look at the next tenant.
      IF pg_try_advisory_xact_lock(queue_lock(tenant.tenant_id)) THEN
        UPDATE tenant_schedule SET has_queued = false WHERE tenant_id = tenant.tenant_id
          AND NOT EXISTS (SELECT 1 FROM runs WHERE runs.tenant_id = tenant.tenant_id AND status = 'queued'
                            AND queued_at IS NOT NULL);
      END IF;
    END IF;
    tried := tried || tenant.tenant_id;
    SELECT tenant_id, true AS claimable INTO tenant FROM tenant_schedule
    WHERE has_queued AND NOT suspended AND running < max_running AND (NOT p_newcomers OR running = 0)
      AND tenant_id <> ALL (tried)
    ORDER BY virtual_time LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED;
    IF NOT FOUND THEN
      PERFORM 1 FROM tenant_schedule
      WHERE has_queued AND NOT suspended AND running < max_running AND (NOT p_newcomers OR running = 0)
        AND tenant_id <> ALL (tried);
      RETURN CASE WHEN FOUND THEN '{"again":true}' END;
    END IF;
  END LOOP;

  now_at := clock_timestamp();
  waited := greatest(0, milliseconds(now_at) - milliseconds(queued.queued_at));
  next_fence := greatest(queued.fence + 1, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint);
  UPDATE runs SET
    status = 'running', seq = queued.seq + 1, fence = next_fence, lease_owner = p_worker,
    lease_expires_at = now_at + p_lease_ms * interval '1 millisecond',
    started_at = coalesce(started_at, now_at), deadline_at = now_at + running_ms_left * interval '1 millisecond'
  WHERE tenant_id = tenant.tenant_id AND id = queued.id;
  INSERT INTO run_events (tenant_id, run_id, seq, type, at, data)
  VALUES (tenant.tenant_id, queued.id, queued.seq + 1,
    CASE WHEN queued.started_at IS NULL THEN 'run.started' ELSE 'run.resumed' END, now_at,
    '{"worker":' || to_json(p_worker) || ',"waitedMs":' || waited || '}');
  -- Nobody is about to queue another: then it is known whether this was the last.
  IF pg_try_advisory_xact_lock(queue_lock(tenant.tenant_id)) THEN
    more := EXISTS (SELECT 1 FROM runs WHERE tenant_id = tenant.tenant_id AND status = 'queued' AND queued_at IS NOT NULL);
  END IF;
  UPDATE tenant_schedule SET
    running = running + 1, has_queued = more, virtual_time = virtual_time + claim_charge() / weight
  WHERE tenant_id = tenant.tenant_id;

  RETURN '{"tenant":' || to_json(tenant.tenant_id) || ',"runId":' || to_json(queued.id) || ',"fence":' || next_fence
    || ',"now":' || milliseconds(now_at)
    || ',"agent":{"name":' || to_json(queued.agent_name) || ',"version":' || queued.agent_version || '}'
    || ',"waited":' || waited
    || ',"events":' || events_json(tenant.tenant_id, queued.id, 0) || '}';
END $$;

-- ---- renew_leases: a worker's heartbeat
-- Gives the runs that are still its own; an expired lease is not renewed, even where nobody took the run yet
-- (invariant I2). `yield` asks for a run back at its next step: another tenant, behind its share, has had work waiting
-- for more than a second.
CREATE FUNCTION renew_leases(p_worker text, p_lease_ms int, p_leases text) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
AS $$
DECLARE
  kept text;
  unused text;
BEGIN
  unused := set_config('synchronous_commit', 'off', true);
  WITH renewed AS (
    UPDATE runs AS r SET lease_expires_at = clock_timestamp() + p_lease_ms * interval '1 millisecond'
    FROM json_to_recordset(p_leases::json) AS l(tenant text, "runId" text, fence bigint)
    WHERE r.tenant_id = l.tenant AND r.id = l."runId" AND r.fence = l.fence AND r.lease_owner = p_worker
      AND r.status = 'running' AND r.lease_expires_at > clock_timestamp()
    RETURNING r.tenant_id, r.id, (r.cost_usd - r.charged_usd)::float8 AS uncharged
  ), waiting AS (
    SELECT o.tenant_id, o.virtual_time FROM tenant_schedule AS o
    WHERE o.has_queued AND NOT o.suspended AND o.running < o.max_running AND EXISTS (
      SELECT 1 FROM runs AS q
      WHERE q.tenant_id = o.tenant_id AND q.status = 'queued' AND q.queued_at < clock_timestamp() - interval '1 second')
    ORDER BY o.virtual_time LIMIT 2
  )
  SELECT json_agg(json_build_object('tenant', n.tenant_id, 'runId', n.id, 'yield', EXISTS (
    SELECT 1 FROM waiting AS w
    WHERE w.tenant_id <> n.tenant_id AND w.virtual_time < s.virtual_time + n.uncharged / s.weight)))::text
  INTO kept FROM renewed AS n JOIN tenant_schedule AS s USING (tenant_id);
  RETURN coalesce(kept, '[]');
END $$;

-- ---- hands_asked_for: what a worker without a free hand gives up for tenants that have nothing running
-- Gives how many of those wait with work that is theirs to have now, and which of the worker's runs are not before them
-- by their share; null where there is nothing to give up. Asked many times a second: where nobody waits it looks at
-- one index.
CREATE FUNCTION hands_asked_for(p_leases text) RETURNS text
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp
AS $$
DECLARE
  waiting record;
  runs_after json;
BEGIN
  SELECT count(*) AS tenants, min(virtual_time) AS first_time INTO waiting FROM (
    SELECT virtual_time FROM tenant_schedule
    WHERE has_queued AND NOT suspended AND running < max_running AND running = 0 ORDER BY virtual_time LIMIT 32) AS w;
  IF waiting.tenants = 0 THEN RETURN NULL; END IF;
  SELECT coalesce(json_agg(r.id), '[]') INTO runs_after
  FROM json_to_recordset(p_leases::json) AS l(tenant text, "runId" text)
  JOIN runs AS r ON r.tenant_id = l.tenant AND r.id = l."runId"
  JOIN tenant_schedule AS s ON s.tenant_id = l.tenant
  WHERE s.virtual_time + (r.cost_usd - r.charged_usd)::float8 / s.weight >= waiting.first_time;
  RETURN '{"hands":' || waiting.tenants || ',"runs":' || runs_after || '}';
END $$;

-- ---- sweep_one: puts right one run that nobody else will
-- A wait whose time has come: the run is queued. A lease that ran out: the run is handed back. One run a transaction:
-- locks of several tenants are never held together. Null where there is nothing to do. A run that cannot be put right
-- now is given with `passedOver` (why): whoever sweeps leaves it out of the rest of the pass, so that it stops no other.
CREATE FUNCTION sweep_one(p_passed_over text[]) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
AS $$
DECLARE
  swept runs;
  now_at timestamptz(3) := clock_timestamp();
  last_seq int;
  why text;
BEGIN
  SELECT * INTO swept FROM runs WHERE status = 'running' AND lease_expires_at < now_at AND id <> ALL (p_passed_over)
  LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED;
  IF NOT FOUND THEN
    SELECT * INTO swept FROM runs WHERE wake_at <= now_at AND id <> ALL (p_passed_over)
    ORDER BY wake_at LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED;
    IF NOT FOUND THEN RETURN NULL; END IF;
  END IF;
  BEGIN
    last_seq := CASE swept.status WHEN 'running' THEN hand_back_lost(swept, now_at) ELSE end_wait(swept, now_at) END;
    why := CASE WHEN last_seq IS NULL THEN 'rules are being changed' END;
  EXCEPTION WHEN OTHERS THEN
    why := SQLSTATE || ' ' || SQLERRM;
  END;
  RETURN json_build_object('tenant', swept.tenant_id, 'runId', swept.id, 'seq', last_seq, 'status', 'queued',
    'passedOver', why)::text;
END $$;

-- ---- end_wait: queues a run whose wait is over; gives its last seq
-- One that has waited for its turn in a thread until it is too old is queued already: a worker may take it, to end it.
CREATE FUNCTION end_wait(swept runs, now_at timestamptz) RETURNS int
LANGUAGE plpgsql
AS $$
DECLARE
  last_seq int := swept.seq + CASE swept.status WHEN 'waiting' THEN 1 ELSE 0 END;
BEGIN
  IF swept.status = 'waiting' THEN
    INSERT INTO run_events (tenant_id, run_id, seq, type, at, data)
    VALUES (swept.tenant_id, swept.id, last_seq, 'run.queued', now_at, '{"reason":"timer"}');
  END IF;
  UPDATE runs SET status = 'queued', queued_at = now_at, wake_at = NULL, waiting_on = NULL, seq = last_seq
  WHERE tenant_id = swept.tenant_id AND id = swept.id;
  PERFORM note_queued(swept.tenant_id);
  RETURN last_seq;
END $$;

-- ---- hand_back_lost: queues a run whose worker is gone; gives its last seq
-- Its open reservation is settled in full (what was sent may have been billed) as a model call that failed. Null where
-- its tenant's budgets are being set right now, which must see this call either as reserved or as spent: the run is
-- locked already, so the rules' lock is only tried.
CREATE FUNCTION hand_back_lost(swept runs, now_at timestamptz) RETURNS int
LANGUAGE plpgsql
AS $$
DECLARE
  last_seq int := swept.seq + 1;
  spent numeric := 0;
BEGIN
  IF swept.open_model_call IS NOT NULL THEN
    IF NOT pg_try_advisory_xact_lock_shared(rules_lock(swept.tenant_id)) THEN RETURN NULL; END IF;
    spent := swept.reserved_usd;
    PERFORM settle_lost_call(swept.tenant_id, swept.id, last_seq, now_at, swept.open_model_call, swept.reserved_at, spent);
    PERFORM book_model_call(swept.tenant_id, budget_scopes(swept.agent_name, swept.subject_id), now_at,
      swept.reserved_at, spent, spent, NULL);
    last_seq := last_seq + 1;
  END IF;
  INSERT INTO run_events (tenant_id, run_id, seq, type, at, data)
  VALUES (swept.tenant_id, swept.id, last_seq, 'run.handed_back', now_at, '{"reason":"lease_expired"}');
  UPDATE runs SET
    status = 'queued', queued_at = now_at, seq = last_seq, lease_owner = NULL, lease_expires_at = NULL,
    running_ms_left = greatest(0, milliseconds(deadline_at) - milliseconds(now_at)), deadline_at = NULL,
    model_calls = model_calls + CASE WHEN swept.open_model_call IS NULL THEN 0 ELSE 1 END,
    estimated = estimated OR swept.open_model_call IS NOT NULL,
    cost_usd = cost_usd + spent, waste_usd = waste_usd + spent, charged_usd = cost_usd + spent,
    reserved_usd = 0, reserved_at = NULL, open_model_call = NULL
  WHERE tenant_id = swept.tenant_id AND id = swept.id;
  UPDATE tenant_schedule SET
    running = running - 1, has_queued = true,
    virtual_time = virtual_time
      + greatest((swept.cost_usd + spent - swept.charged_usd)::float8 - claim_charge(), 0) / weight
  WHERE tenant_id = swept.tenant_id;
  RETURN last_seq;
END $$;

-- ---- settle_lost_call: the record of a model call whose worker is gone
CREATE FUNCTION settle_lost_call(
  p_tenant text, p_run text, p_seq int, p_now timestamptz, p_call text, p_reserved_at timestamptz, p_cost numeric
) RETURNS void
LANGUAGE plpgsql
AS $$
DECLARE
  call record;
BEGIN
  SELECT * INTO call FROM json_to_record(p_call::json) AS c("modelCallId" text, choice int, provider text, api text,
    model text, "requestDigest" text, revision json, "priceVersion" text, "startedAt" bigint);
  INSERT INTO run_events (tenant_id, run_id, seq, type, at, data)
  VALUES (p_tenant, p_run, p_seq, 'model.failed', p_now, json_build_object(
    'modelCallId', call."modelCallId", 'choice', call.choice, 'provider', call.provider, 'api', call.api,
    'model', call.model, 'requestDigest', call."requestDigest", 'revision', call.revision,
    'priceVersion', call."priceVersion", 'usage', NULL, 'estimated', true, 'costUsd', p_cost::text,
    'wasteUsd', p_cost::text, 'startedAt', call."startedAt", 'code', 'worker_lost',
    'message', 'The worker was lost during the call.', 'httpStatus', NULL, 'retryable', true, 'retryAfterMs', NULL)::text);
  INSERT INTO model_calls (tenant_id, run_id, id, choice, provider, api, model, request_digest, adapter_revision,
    sdk_revision, price_version, failure, estimated, cost_usd, waste_usd, reserved_usd, reserved_at, started_at, finished_at)
  VALUES (p_tenant, p_run, call."modelCallId", call.choice, call.provider, call.api, call.model, call."requestDigest",
    call.revision ->> 'adapter', call.revision ->> 'sdk', call."priceVersion", 'worker_lost', true, p_cost, p_cost, p_cost,
    p_reserved_at, instant(call."startedAt"), p_now);
END $$;

-- ---- count_queued: how many runs wait for a worker, in all tenants; counting stops at p_limit
CREATE FUNCTION count_queued(p_limit int) RETURNS int
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
AS $$ SELECT count(*)::int FROM (SELECT 1 FROM runs WHERE status = 'queued' AND queued_at IS NOT NULL LIMIT p_limit) AS q $$;

-- ---- claimable_wait: for how long the run that could be claimed now has waited at most, in milliseconds; 0 where none could
CREATE FUNCTION claimable_wait() RETURNS bigint
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
AS $$
  SELECT coalesce(milliseconds(clock_timestamp()) - milliseconds(min(
    (SELECT min(queued_at) FROM runs WHERE runs.tenant_id = s.tenant_id AND status = 'queued'))), 0)
  FROM tenant_schedule AS s WHERE has_queued AND NOT suspended AND running < max_running
$$;
