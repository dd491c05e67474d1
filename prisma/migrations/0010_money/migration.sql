-- Looking back at what was decided, and at what it cost.

-- Calls of a time, whoever's: rows are added in the order of time, so that a few blocks hold them.
CREATE INDEX "tool_calls_created_at_idx" ON "tool_calls" USING BRIN ("created_at");

-- ---- operator_calls_to_re_rate: model calls of any tenant that may cost something else by now, as JSON text of an array
-- In the order of their keys, behind p_after (null: from the first). Estimated ones are among them, to be counted: what
-- was reserved is no price of theirs.
CREATE FUNCTION operator_calls_to_re_rate(
  p_provider text, p_model text, p_from bigint, p_after_tenant text, p_after_run text, p_after_call text, p_limit int
) RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
AS $$
  SELECT coalesce(json_agg(json_build_object('tenant', tenant_id, 'runId', run_id, 'modelCallId', id,
    'reservedAt', milliseconds(reserved_at), 'priceVersion', price_version, 'estimated', estimated, 'failed', failure IS NOT NULL,
    'costUsd', cost_usd::text, 'wasteUsd', waste_usd::text,
    'usage', json_build_object('inputTokens', input_tokens, 'cachedInputTokens', cached_input_tokens,
      'cacheWriteTokens', cache_write_tokens, 'outputTokens', output_tokens, 'reasoningTokens', reasoning_tokens))
    ORDER BY tenant_id, run_id, id), '[]')::text
  FROM (
    SELECT * FROM model_calls
    WHERE provider = p_provider AND model = p_model AND reserved_at >= instant(p_from)
      AND (p_after_tenant IS NULL OR (tenant_id, run_id, id) > (p_after_tenant, p_after_run, p_after_call))
    ORDER BY tenant_id, run_id, id LIMIT p_limit
  ) AS m
$$;

-- ---- operator_re_rate_run: what calls of a run cost by another price (invariants I1, I5)
-- p_calls: [{modelCallId, priceVersion, costUsd, wasteUsd, before: {priceVersion, costUsd, wasteUsd}}]. Each leaves an
-- event with both costs, and the run and the budgets of the window in which the call was reserved move by the difference.
-- A call that does not cost what `before` says was re-rated by somebody else meanwhile and stays. Returns the ids of those
-- that moved, as JSON text of an array.
CREATE FUNCTION operator_re_rate_run(p_tenant text, p_run text, p_calls text) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
AS $$
DECLARE
  run record;
  call record;
  scopes text[];
  now_at timestamptz(3);
  moved int := 0;
  ids text[] := '{}';
BEGIN
  PERFORM pg_advisory_xact_lock_shared(rules_lock(p_tenant));
  SELECT seq, agent_name, subject_id, counted_at IS NOT NULL AS counted INTO run FROM runs
  WHERE tenant_id = p_tenant AND id = p_run FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN '[]'; END IF;
  IF run.counted THEN PERFORM uncount_runs(p_tenant, ARRAY[p_run]); END IF;
  SELECT greatest(clock_timestamp(), at) INTO now_at FROM run_events
  WHERE tenant_id = p_tenant AND run_id = p_run AND seq = run.seq;
  scopes := budget_scopes(run.agent_name, run.subject_id);
  PERFORM 1 FROM budgets WHERE tenant_id = p_tenant AND scope = ANY (scopes) ORDER BY scope, period FOR NO KEY UPDATE;

  FOR call IN
    SELECT m.id, m.cost_usd, m.waste_usd, m.reserved_usd, m.reserved_at, c.data, c.price_version,
      c.cost_usd AS new_cost, c.waste_usd AS new_waste
    FROM (
      SELECT value AS data, value ->> 'modelCallId' AS id, value ->> 'priceVersion' AS price_version,
        (value ->> 'costUsd')::numeric AS cost_usd, (value ->> 'wasteUsd')::numeric AS waste_usd,
        (value -> 'before' ->> 'costUsd')::numeric AS old_cost, value -> 'before' ->> 'priceVersion' AS old_version
      FROM json_array_elements(p_calls::json)
    ) AS c JOIN model_calls AS m ON m.tenant_id = p_tenant AND m.run_id = p_run AND m.id = c.id
    WHERE m.cost_usd = c.old_cost AND m.price_version = c.old_version
    ORDER BY m.id
  LOOP
    moved := moved + 1;
    ids := ids || call.id;
    INSERT INTO run_events (tenant_id, run_id, seq, type, at, data)
    VALUES (p_tenant, p_run, run.seq + moved, 'model.re_rated', now_at, call.data::text);
    UPDATE model_calls SET cost_usd = call.new_cost, waste_usd = call.new_waste, price_version = call.price_version
    WHERE tenant_id = p_tenant AND run_id = p_run AND id = call.id;
    UPDATE runs SET seq = run.seq + moved, cost_usd = cost_usd + call.new_cost - call.cost_usd,
      waste_usd = waste_usd + call.new_waste - call.waste_usd
    WHERE tenant_id = p_tenant AND id = p_run;
    UPDATE budgets SET spent_usd = spent_usd + call.new_cost - call.cost_usd,
      overrun_usd = overrun_usd + greatest(call.new_cost - call.reserved_usd, 0) - greatest(call.cost_usd - call.reserved_usd, 0)
    WHERE tenant_id = p_tenant AND scope = ANY (scopes) AND starts_at = window_start(period, call.reserved_at);
  END LOOP;
  RETURN array_to_json(ids)::text;
END $$;

-- ---- budget_crossings: that a budget's window was used up by 80 and by 100 %, once each
-- Whoever tells people of it finds it here, however long after. Written by what changes the budget, in its transaction.
CREATE TABLE "budget_crossings" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "scope" TEXT COLLATE "C" NOT NULL,
    "period" TEXT COLLATE "C" NOT NULL,
    "starts_at" TIMESTAMPTZ(3) NOT NULL,
    "percent" INTEGER NOT NULL,
    "limit_usd" DECIMAL NOT NULL,
    "spent_usd" DECIMAL NOT NULL,
    "crossed_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "budget_crossings_pkey" PRIMARY KEY ("tenant_id","scope","period","starts_at","percent")
);

ALTER TABLE budget_crossings ENABLE ROW LEVEL SECURITY;
ALTER TABLE budget_crossings FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON budget_crossings FOR ALL TO countersign_app
  USING (tenant_id = app_tenant()) WITH CHECK (tenant_id = app_tenant());
CREATE POLICY across_tenants ON budget_crossings FOR ALL TO countersign_claimer USING (true);
GRANT SELECT, INSERT ON budget_crossings TO countersign_app, countersign_claimer;

CREATE FUNCTION note_crossing() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
  INSERT INTO budget_crossings (tenant_id, scope, period, starts_at, percent, limit_usd, spent_usd, crossed_at)
  SELECT NEW.tenant_id, NEW.scope, NEW.period, NEW.starts_at, percent, NEW.limit_usd, NEW.spent_usd, clock_timestamp()
  FROM unnest(ARRAY[80, 100]) AS percent
  WHERE NEW.spent_usd * 100 >= NEW.limit_usd * percent
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;

-- The condition is all that a settlement below 80 % costs.
CREATE TRIGGER budget_is_crossed AFTER INSERT OR UPDATE OF spent_usd, limit_usd ON budgets
FOR EACH ROW WHEN (NEW.spent_usd > 0 AND NEW.spent_usd * 100 >= NEW.limit_usd * 80)
EXECUTE FUNCTION note_crossing();

-- ---- Who owns and who may call (see 0005)
GRANT CREATE ON SCHEMA public TO countersign_claimer;
REVOKE ALL ON FUNCTION operator_calls_to_re_rate, operator_re_rate_run, note_crossing FROM PUBLIC;
GRANT EXECUTE ON FUNCTION operator_calls_to_re_rate, operator_re_rate_run, note_crossing TO countersign_app;
GRANT EXECUTE ON FUNCTION note_crossing TO countersign_claimer;
ALTER FUNCTION operator_calls_to_re_rate OWNER TO countersign_claimer;
ALTER FUNCTION operator_re_rate_run OWNER TO countersign_claimer;
REVOKE CREATE ON SCHEMA public FROM countersign_claimer;
