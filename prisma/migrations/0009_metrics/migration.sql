-- Metrics: what runs cost, how they end and how long things take, by the hour and by the day (UTC).
--
-- What a run adds to the metrics is read from its own rows (run_metrics). A run that has ended is counted into the rollups
-- once, in the background (counted_at); whatever is not counted yet is added up when somebody asks, in the same statement
-- and snapshot. So a figure is exact at every moment, and a step of a run writes nothing for it. What changes a run that
-- is counted (a late answer to an unknown outcome, another price) takes its part out first (uncount_runs), and the run is
-- counted again.
--
-- Everything counts in the hour in which it became known: a model call when its cost was settled (finished_at), a tool
-- call and a run when they ended, an approval when it was closed, a wait when it was over.

ALTER TABLE runs ADD COLUMN "counted_at" TIMESTAMPTZ(3);

-- Open runs have no finished_at and stand at the end of their tenant's part.
CREATE INDEX runs_uncounted ON runs (tenant_id, finished_at) WHERE counted_at IS NULL;
CREATE INDEX approvals_by_run ON approvals (tenant_id, run_id);

CREATE TABLE "metric_rollups" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "measure" TEXT COLLATE "C" NOT NULL,
    "span" TEXT COLLATE "C" NOT NULL,
    "starts_at" TIMESTAMPTZ(3) NOT NULL,
    "first" TEXT COLLATE "C" NOT NULL,
    "second" TEXT COLLATE "C" NOT NULL,
    "third" TEXT COLLATE "C" NOT NULL,
    "fourth" TEXT COLLATE "C" NOT NULL,
    "count" BIGINT NOT NULL,
    "cost_usd" DECIMAL NOT NULL,
    "waste_usd" DECIMAL NOT NULL,

    CONSTRAINT "metric_rollups_pkey" PRIMARY KEY ("tenant_id","measure","span","starts_at","first","second","third","fourth")
);

ALTER TABLE metric_rollups SET (fillfactor = 70);

-- ---- Row security (see 0002)
ALTER TABLE metric_rollups ENABLE ROW LEVEL SECURITY;
ALTER TABLE metric_rollups FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON metric_rollups FOR ALL TO countersign_app
  USING (tenant_id = app_tenant()) WITH CHECK (tenant_id = app_tenant());
CREATE POLICY across_tenants ON metric_rollups FOR ALL TO countersign_claimer USING (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON metric_rollups TO countersign_app, countersign_claimer;

-- Held by whoever moves runs into a tenant's rollups or out of them. Taken after the run's lock; who counts only tries it.
CREATE FUNCTION metrics_lock(tenant text) RETURNS bigint
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT hashtextextended(tenant, 9) $$;

CREATE FUNCTION hour_of(at timestamptz) RETURNS timestamptz
LANGUAGE sql STABLE PARALLEL SAFE AS $$ SELECT date_trunc('hour', at, 'UTC') $$;

-- The place of a stretch of milliseconds in a histogram whose places can be added up: exact below 64; above, each power
-- of two is divided into 32 equal parts, so that the middle of a place is at most 1/64 (1.6 %) away from whatever is in
-- it. The half keeps the logarithm off the border between two powers.
CREATE FUNCTION duration_place(ms bigint) RETURNS int
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
  SELECT CASE WHEN ms < 64 THEN greatest(ms, 0)::int
              ELSE (floor(ln(ms + 0.5::float8) / ln(2::float8))::int - 5) * 32
                   + (ms >> (floor(ln(ms + 0.5::float8) / ln(2::float8))::int - 5))::int END
$$;

-- ---- run_metrics: what these runs add to the metrics, read from their rows; p_measure null: to all of them
--   measure     first      second       third      fourth
--   model_call  agent      provider     model      failure, '' where a reply came
--   subject     subject's id, '' for none          cost of model calls
--   tool_cost   tool, '' where none was asked for  a reply's cost, in equal parts over the calls that it asked for
--   tool_call   tool       status       error's code
--   run         agent      status       reason's code          cost of the whole run
--   approval    tool       policy rule  status     'edited' or ''
--   duration    what       place in the histogram
-- A reply's cost is divided to twelve decimals and what is left over goes to its first call: the parts add up to it.
-- Names are cut to 255 characters: a model may call tools by any name.
CREATE FUNCTION run_metrics(p_tenant text, p_runs text[], p_measure text)
RETURNS TABLE (measure text, hour timestamptz, first text, second text, third text, fourth text,
  count bigint, cost_usd numeric, waste_usd numeric)
LANGUAGE plpgsql STABLE
AS $$
#variable_conflict use_column
BEGIN
  IF p_measure IS NULL OR p_measure = 'model_call' THEN
    RETURN QUERY
    SELECT 'model_call', hour_of(m.finished_at), r.agent_name, m.provider, left(m.model, 255), coalesce(m.failure, ''),
      1::bigint, m.cost_usd, m.waste_usd
    FROM runs AS r JOIN model_calls AS m ON m.tenant_id = p_tenant AND m.run_id = r.id
    WHERE r.tenant_id = p_tenant AND r.id = ANY (p_runs);
  END IF;

  IF p_measure IS NULL OR p_measure = 'subject' THEN
    RETURN QUERY
    SELECT 'subject', hour_of(m.finished_at), left(coalesce(r.subject_id, ''), 255), '', '', '',
      1::bigint, m.cost_usd, m.waste_usd
    FROM runs AS r JOIN model_calls AS m ON m.tenant_id = p_tenant AND m.run_id = r.id
    WHERE r.tenant_id = p_tenant AND r.id = ANY (p_runs);
  END IF;

  IF p_measure IS NULL OR p_measure = 'tool_cost' THEN
    RETURN QUERY
    SELECT 'tool_cost', hour_of(m.finished_at), left(coalesce(c.tool, ''), 255), '', '', '', 1::bigint,
      CASE WHEN c.tool IS NULL THEN m.cost_usd
           ELSE trunc(m.cost_usd / c.calls, 12)
             + CASE WHEN c.place = 1 THEN m.cost_usd - trunc(m.cost_usd / c.calls, 12) * c.calls ELSE 0 END END,
      CASE WHEN c.tool IS NULL THEN m.waste_usd
           ELSE trunc(m.waste_usd / c.calls, 12)
             + CASE WHEN c.place = 1 THEN m.waste_usd - trunc(m.waste_usd / c.calls, 12) * c.calls ELSE 0 END END
    FROM model_calls AS m LEFT JOIN LATERAL (
      SELECT t.tool, row_number() OVER (ORDER BY t.index) AS place, count(*) OVER () AS calls
      FROM tool_calls AS t WHERE t.tenant_id = p_tenant AND t.run_id = m.run_id AND t.model_call_id = m.id
    ) AS c ON true
    WHERE m.tenant_id = p_tenant AND m.run_id = ANY (p_runs);
  END IF;

  IF p_measure IS NULL OR p_measure = 'tool_call' THEN
    RETURN QUERY
    SELECT 'tool_call', hour_of(t.finished_at), left(t.tool, 255), t.status, coalesce(t.error::json ->> 'code', ''), '',
      1::bigint, 0::numeric, 0::numeric
    FROM tool_calls AS t
    WHERE t.tenant_id = p_tenant AND t.run_id = ANY (p_runs) AND t.finished_at IS NOT NULL;
  END IF;

  IF p_measure IS NULL OR p_measure = 'run' THEN
    RETURN QUERY
    SELECT 'run', hour_of(r.finished_at), r.agent_name, r.status, coalesce(r.reason_code, ''), '',
      1::bigint, r.cost_usd, r.waste_usd
    FROM runs AS r WHERE r.tenant_id = p_tenant AND r.id = ANY (p_runs) AND r.finished_at IS NOT NULL;
  END IF;

  IF p_measure IS NULL OR p_measure = 'approval' THEN
    RETURN QUERY
    SELECT 'approval', hour_of(a.closed_at), left(a.tool, 255), left(a.policy_rule, 255), a.status,
      CASE WHEN EXISTS (
        SELECT FROM approval_decisions AS d WHERE d.tenant_id = p_tenant AND d.approval_id = a.id
          AND d.edited_arguments IS NOT NULL AND d.voided_at IS NULL) THEN 'edited' ELSE '' END,
      1::bigint, 0::numeric, 0::numeric
    FROM approvals AS a
    WHERE a.tenant_id = p_tenant AND a.run_id = ANY (p_runs) AND a.closed_at IS NOT NULL;
  END IF;

  IF p_measure IS NULL OR p_measure = 'duration' THEN
    RETURN QUERY
    SELECT 'duration', hour_of(d.until), d.what, duration_place(d.ms)::text, '', '', 1::bigint, 0::numeric, 0::numeric
    FROM (
      SELECT 'model' AS what, m.finished_at AS until, milliseconds(m.finished_at) - milliseconds(m.started_at) AS ms
      FROM model_calls AS m WHERE m.tenant_id = p_tenant AND m.run_id = ANY (p_runs) AND m.failure IS NULL
      UNION ALL
      SELECT 'tool', t.finished_at, milliseconds(t.finished_at) - milliseconds(t.started_at)
      FROM tool_calls AS t WHERE t.tenant_id = p_tenant AND t.run_id = ANY (p_runs)
        AND t.started_at IS NOT NULL AND t.finished_at IS NOT NULL AND t.status IN ('succeeded', 'failed')
        -- What became known later, from a person or a question, is no time that the tool took.
        AND (t.effect = 'read' OR NOT EXISTS (
          SELECT FROM run_events AS e WHERE e.tenant_id = p_tenant AND e.run_id = t.run_id AND e.type = 'tool.unknown'
            AND e.data::json ->> 'toolCallId' = t.id))
      UNION ALL
      SELECT 'approval', a.closed_at, milliseconds(a.closed_at) - milliseconds(a.requested_at)
      FROM approvals AS a WHERE a.tenant_id = p_tenant AND a.run_id = ANY (p_runs) AND a.status IN ('approved', 'rejected')
      UNION ALL
      SELECT 'queue', e.at, (e.data::json ->> 'waitedMs')::bigint
      FROM run_events AS e WHERE e.tenant_id = p_tenant AND e.run_id = ANY (p_runs) AND e.type IN ('run.started', 'run.resumed')
    ) AS d WHERE d.ms IS NOT NULL;
  END IF;
END $$;

-- ---- add_metrics: adds what these runs are, p_times over (1: in, -1: out), to the rollups
-- Each hour counts in its day too: a time is read in whole days as far as it has them. What came to nothing keeps a row of
-- zeros, which nobody reads. The caller holds the tenant's metrics.
CREATE FUNCTION add_metrics(p_tenant text, p_runs text[], p_times int) RETURNS void
LANGUAGE sql
AS $$
  INSERT INTO metric_rollups AS known
    (tenant_id, measure, span, starts_at, first, second, third, fourth, count, cost_usd, waste_usd)
  SELECT p_tenant, measure, span, date_trunc(span, hour, 'UTC'), first, second, third, fourth,
    p_times * sum(count), p_times * sum(cost_usd), p_times * sum(waste_usd)
  FROM (
    -- Runs that are counted together share most of their keys: days are made of hours, not of runs.
    SELECT measure, hour, first, second, third, fourth, sum(count) AS count, sum(cost_usd) AS cost_usd, sum(waste_usd) AS waste_usd
    FROM run_metrics(p_tenant, p_runs, NULL) GROUP BY measure, hour, first, second, third, fourth
  ) AS hours, unnest(ARRAY['hour', 'day']) AS span
  GROUP BY measure, span, date_trunc(span, hour, 'UTC'), first, second, third, fourth
  ON CONFLICT (tenant_id, measure, span, starts_at, first, second, third, fourth) DO UPDATE SET
    count = known.count + excluded.count,
    cost_usd = known.cost_usd + excluded.cost_usd,
    waste_usd = known.waste_usd + excluded.waste_usd
$$;

-- ---- count_ended_runs: counts runs of one tenant that have ended; gives how many
-- The tenant whose run has waited for it the longest, and at least p_patience_ms: so runs are counted many at once. Who
-- comes second to a tenant takes the next one. The commit is not waited for: what is lost is counted again.
CREATE FUNCTION count_ended_runs(p_limit int, p_patience_ms int) RETURNS int
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
AS $$
DECLARE
  tenant text;
  ended text[];
  unused text;
BEGIN
  unused := set_config('synchronous_commit', 'off', true);
  FOR tenant IN
    SELECT s.tenant_id FROM tenant_schedule AS s, LATERAL (
      SELECT finished_at FROM runs WHERE tenant_id = s.tenant_id AND counted_at IS NULL AND finished_at IS NOT NULL
      ORDER BY finished_at LIMIT 1) AS oldest
    WHERE oldest.finished_at <= clock_timestamp() - p_patience_ms * interval '1 millisecond'
    ORDER BY oldest.finished_at
  LOOP
    CONTINUE WHEN NOT pg_try_advisory_xact_lock(metrics_lock(tenant));
    SELECT array_agg(id) INTO ended FROM (
      SELECT id FROM runs WHERE tenant_id = tenant AND counted_at IS NULL AND finished_at IS NOT NULL
      ORDER BY finished_at LIMIT p_limit FOR NO KEY UPDATE SKIP LOCKED) AS e;
    CONTINUE WHEN ended IS NULL;
    unused := add_metrics(tenant, ended, 1)::text;
    UPDATE runs SET counted_at = clock_timestamp() WHERE tenant_id = tenant AND id = ANY (ended);
    RETURN cardinality(ended);
  END LOOP;
  RETURN 0;
END $$;

-- ---- uncount_runs: takes out of the rollups those of these runs that are counted, before something of them changes
-- The caller holds the runs.
CREATE FUNCTION uncount_runs(p_tenant text, p_runs text[]) RETURNS void
LANGUAGE plpgsql
AS $$
DECLARE
  counted text[];
  unused text;
BEGIN
  unused := pg_advisory_xact_lock(metrics_lock(p_tenant))::text;
  SELECT array_agg(id) INTO counted FROM runs
  WHERE tenant_id = p_tenant AND id = ANY (p_runs) AND counted_at IS NOT NULL;
  IF counted IS NULL THEN RETURN; END IF;
  unused := add_metrics(p_tenant, counted, -1)::text;
  UPDATE runs SET counted_at = NULL WHERE tenant_id = p_tenant AND id = ANY (counted);
END $$;

-- ---- recount_metrics: makes a tenant's rollups of these days (UTC, p_to is the first that is not) anew
-- From the rows of the runs that are counted: it reads everything that the tenant's runs ever did. For repairs, and to
-- compare with.
CREATE FUNCTION recount_metrics(p_tenant text, p_from date, p_to date) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
AS $$
DECLARE
  since timestamptz := p_from::timestamp AT TIME ZONE 'UTC';
  before timestamptz := p_to::timestamp AT TIME ZONE 'UTC';
BEGIN
  PERFORM pg_advisory_xact_lock(metrics_lock(p_tenant));
  DELETE FROM metric_rollups WHERE tenant_id = p_tenant AND starts_at >= since AND starts_at < before;
  INSERT INTO metric_rollups (tenant_id, measure, span, starts_at, first, second, third, fourth, count, cost_usd, waste_usd)
  SELECT p_tenant, measure, span, date_trunc(span, hour, 'UTC'), first, second, third, fourth,
    sum(count), sum(cost_usd), sum(waste_usd)
  FROM run_metrics(p_tenant, ARRAY(SELECT id FROM runs WHERE tenant_id = p_tenant AND counted_at IS NOT NULL), NULL),
    unnest(ARRAY['hour', 'day']) AS span
  WHERE hour >= since AND hour < before
  GROUP BY measure, span, date_trunc(span, hour, 'UTC'), first, second, third, fourth;
END $$;

-- ---- metric_groups: a measure of these tenants from hour p_from to before p_to, as JSON text of an array
-- p_by names what is told apart: 'tenant', 'day' or 'hour', 'first' to 'fourth'. Of the keys (all but the time) the p_most
-- dearest are given, by cost, then count; the rest is one more with `others`. The dearest come first, times in their order.
CREATE FUNCTION metric_groups(
  p_tenants text[], p_measure text, p_from timestamptz, p_to timestamptz, p_by text[], p_most int
) RETURNS text
LANGUAGE sql STABLE
AS $$
  WITH days AS (
    SELECT CASE WHEN whole THEN first ELSE p_to END AS first, CASE WHEN whole THEN last ELSE p_to END AS last
    FROM (
      SELECT first, last, first < last AND 'hour' <> ALL (p_by) AS whole
      FROM (SELECT date_trunc('day', p_from + interval '1 day - 1 microsecond', 'UTC') AS first,
                   date_trunc('day', p_to, 'UTC') AS last) AS edges) AS e
  ), known AS (
    SELECT tenant_id, starts_at AS hour, first, second, third, fourth, count, cost_usd, waste_usd FROM metric_rollups
    WHERE tenant_id = ANY (p_tenants) AND measure = p_measure AND span = 'day' AND count <> 0
      AND starts_at >= (SELECT first FROM days) AND starts_at < (SELECT last FROM days)
    UNION ALL
    SELECT tenant_id, starts_at, first, second, third, fourth, count, cost_usd, waste_usd FROM metric_rollups
    WHERE tenant_id = ANY (p_tenants) AND measure = p_measure AND span = 'hour' AND count <> 0
      AND starts_at >= p_from AND starts_at < (SELECT first FROM days)
    UNION ALL
    SELECT tenant_id, starts_at, first, second, third, fourth, count, cost_usd, waste_usd FROM metric_rollups
    WHERE tenant_id = ANY (p_tenants) AND measure = p_measure AND span = 'hour' AND count <> 0
      AND starts_at >= (SELECT last FROM days) AND starts_at < p_to
    UNION ALL
    SELECT t.id, m.hour, m.first, m.second, m.third, m.fourth, m.count, m.cost_usd, m.waste_usd
    FROM unnest(p_tenants) AS t(id), run_metrics(
      t.id, ARRAY(SELECT r.id FROM runs AS r WHERE r.tenant_id = t.id AND r.counted_at IS NULL), p_measure) AS m
    WHERE m.hour >= p_from AND m.hour < p_to
  ), groups AS (
    SELECT CASE WHEN 'day' = ANY (p_by) THEN date_trunc('day', hour, 'UTC') WHEN 'hour' = ANY (p_by) THEN hour END AS at,
      CASE WHEN 'tenant' = ANY (p_by) THEN tenant_id ELSE '' END AS tenant,
      CASE WHEN 'first' = ANY (p_by) THEN first ELSE '' END AS first,
      CASE WHEN 'second' = ANY (p_by) THEN second ELSE '' END AS second,
      CASE WHEN 'third' = ANY (p_by) THEN third ELSE '' END AS third,
      CASE WHEN 'fourth' = ANY (p_by) THEN fourth ELSE '' END AS fourth,
      sum(count) AS count, sum(cost_usd) AS cost, sum(waste_usd) AS waste
    FROM known GROUP BY 1, 2, 3, 4, 5, 6
  ), keys AS (
    SELECT tenant, first, second, third, fourth,
      row_number() OVER (ORDER BY sum(cost) DESC, sum(count) DESC, tenant, first, second, third, fourth) AS rank
    FROM groups GROUP BY tenant, first, second, third, fourth
  ), ranked AS (
    SELECT g.at, g.count, g.cost, g.waste, least(k.rank, p_most + 1) AS rank, k.rank > p_most AS others,
      CASE WHEN k.rank <= p_most THEN json_build_array(g.tenant, g.first, g.second, g.third, g.fourth)::text END AS keys
    FROM groups AS g JOIN keys AS k USING (tenant, first, second, third, fourth)
  )
  SELECT coalesce(json_agg(json_build_object('at', milliseconds(at), 'keys', keys::json, 'others', others,
    'count', count, 'costUsd', cost::text, 'wasteUsd', waste::text) ORDER BY rank, at), '[]')::text
  FROM (SELECT at, rank, others, keys, sum(count) AS count, sum(cost) AS cost, sum(waste) AS waste
        FROM ranked GROUP BY at, rank, others, keys) AS g
$$;

-- ---- metric_present: what these tenants have under way right now, as JSON text of an array
CREATE FUNCTION metric_present(p_tenants text[]) RETURNS text
LANGUAGE sql STABLE
AS $$
  SELECT coalesce(json_agg(json_build_object('tenant', t.id, 'queued', r.queued, 'running', r.running,
    'waiting', r.waiting, 'oldestQueuedAt', milliseconds(r.oldest), 'approvals', (
      SELECT count(*) FROM approvals WHERE tenant_id = t.id AND status = 'pending')) ORDER BY t.id), '[]')::text
  FROM unnest(p_tenants) AS t(id), LATERAL (
    SELECT count(*) FILTER (WHERE status = 'queued') AS queued, count(*) FILTER (WHERE status = 'running') AS running,
      count(*) FILTER (WHERE status = 'waiting') AS waiting, min(queued_at) FILTER (WHERE status = 'queued') AS oldest
    FROM runs WHERE tenant_id = t.id AND counted_at IS NULL AND finished_at IS NULL) AS r
$$;

-- ---- For a tenant, and for the operator: of one tenant (its id or slug), or, null, of all
CREATE FUNCTION metrics_of(
  p_tenant text, p_measure text, p_from bigint, p_to bigint, p_by text[], p_most int
) RETURNS text
LANGUAGE plpgsql
AS $$
DECLARE
  unused text;
BEGIN
  unused := set_config('app.tenant', p_tenant, true);
  RETURN metric_groups(ARRAY[p_tenant], p_measure, instant(p_from), instant(p_to), p_by, p_most);
END $$;

CREATE FUNCTION present_of(p_tenant text) RETURNS text
LANGUAGE plpgsql
AS $$
DECLARE
  unused text;
BEGIN
  unused := set_config('app.tenant', p_tenant, true);
  RETURN metric_present(ARRAY[p_tenant]);
END $$;

CREATE FUNCTION operator_metrics(
  p_tenant text, p_measure text, p_from bigint, p_to bigint, p_by text[], p_most int
) RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
AS $$
  SELECT metric_groups(ARRAY(SELECT id FROM tenants WHERE p_tenant IS NULL OR id = p_tenant OR slug = p_tenant),
    p_measure, instant(p_from), instant(p_to), p_by, p_most)
$$;

CREATE FUNCTION operator_present(p_tenant text) RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
AS $$
  SELECT metric_present(ARRAY(SELECT id FROM tenants WHERE p_tenant IS NULL OR id = p_tenant OR slug = p_tenant))
$$;

-- ---- Who owns and who may call (see 0005)
GRANT CREATE ON SCHEMA public TO countersign_claimer;
DO $$
DECLARE
  signature regprocedure;
BEGIN
  FOREACH signature IN ARRAY ARRAY[
    'metrics_lock(text)', 'hour_of(timestamptz)', 'duration_place(bigint)', 'run_metrics(text,text[],text)',
    'add_metrics(text,text[],int)', 'count_ended_runs(int,int)', 'uncount_runs(text,text[])',
    'recount_metrics(text,date,date)', 'metric_groups(text[],text,timestamptz,timestamptz,text[],int)',
    'metric_present(text[])', 'metrics_of(text,text,bigint,bigint,text[],int)', 'present_of(text)',
    'operator_metrics(text,text,bigint,bigint,text[],int)', 'operator_present(text)'
  ]::regprocedure[] LOOP
    EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', signature);
    EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO countersign_app, countersign_claimer', signature);
    IF (SELECT prosecdef FROM pg_proc WHERE oid = signature) THEN
      EXECUTE format('ALTER FUNCTION %s OWNER TO countersign_claimer', signature);
    END IF;
  END LOOP;
END $$;
REVOKE CREATE ON SCHEMA public FROM countersign_claimer;
