-- Circuit breakers: what failed so often running that nothing is sent to it for a while.
--
-- A row stands where failures stand; a success takes it away. Five failures running open it, and it may be probed after
-- a time that doubles with each probe in vain: half-open is a matter of the clock, Postgres's (invariant I2), and of who
-- holds the probe. A tool's breaker is its tenant's; a provider's belongs to whoever's credential is sent: a tenant, or
-- the deployment, whose rows no tenant sees (tenant_id 'deployment', which is no tenant's id).
--
-- Each function is a statement of its own and takes the breaker's row first; none is called with a run locked.

CREATE TABLE "breakers" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "kind" TEXT NOT NULL,
    "about" TEXT NOT NULL,
    "failures" INTEGER NOT NULL DEFAULT 1,
    "last_error" TEXT NOT NULL,
    "last_failure_at" TIMESTAMPTZ(3) NOT NULL,
    "openings" INTEGER NOT NULL DEFAULT 0,
    "opened_at" TIMESTAMPTZ(3),
    "retry_at" TIMESTAMPTZ(3),
    "probe" TEXT,
    "probe_tenant" TEXT,
    "probe_run" TEXT,
    "probe_fence" BIGINT,
    "probe_began_at" TIMESTAMPTZ(3),
    "probe_until" TIMESTAMPTZ(3),

    CONSTRAINT "breakers_pkey" PRIMARY KEY ("tenant_id","id")
);

ALTER TABLE breakers SET (fillfactor = 60);

-- ---- Row security (see 0002)
ALTER TABLE breakers ENABLE ROW LEVEL SECURITY;
ALTER TABLE breakers FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON breakers FOR ALL TO countersign_app
  USING (tenant_id = app_tenant()) WITH CHECK (tenant_id = app_tenant());
CREATE POLICY across_tenants ON breakers FOR ALL TO countersign_claimer USING (true);
GRANT SELECT ON breakers TO countersign_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON breakers TO countersign_claimer;

-- ---- breaker_state: what a worker keeps of a breaker, as JSON text
CREATE FUNCTION breaker_state(b breakers) RETURNS text
LANGUAGE sql STABLE
AS $$
  SELECT json_build_object('owner', b.tenant_id, 'id', b.id, 'failures', b.failures,
    'sinceFailure', milliseconds(clock_timestamp()) - milliseconds(b.last_failure_at),
    'openUntil', CASE WHEN b.opened_at IS NOT NULL THEN milliseconds(b.retry_at) END)::text
$$;

-- ---- open_for: how long a breaker stays open that opens for the nth time running
-- 30 seconds, doubled each time up to five minutes (the times of Envoy's outlier detection), a fifth more or less so that
-- many do not come back together; longer where the other side asked for it, within the same bound.
CREATE FUNCTION open_for(p_openings int, p_retry_after_ms bigint) RETURNS interval
LANGUAGE sql VOLATILE
AS $$
  SELECT greatest(
    least(30 * 2 ^ least(p_openings - 1, 10), 300) * (0.8 + 0.4 * random()),
    least(coalesce(p_retry_after_ms, 0) / 1000.0, 300)) * interval '1 second'
$$;

-- ---- breaker_failed: one more failure
-- It opens a closed breaker when it is the fifth running, and an open one again when it is the probe's; the failure of a
-- call that was under way when the breaker opened is counted, and changes nothing else.
CREATE FUNCTION breaker_failed(
  p_owner text, p_id text, p_kind text, p_about text, p_code text, p_retry_after_ms bigint, p_caller text
) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
AS $$
DECLARE
  known breakers;
  opens boolean;
BEGIN
  INSERT INTO breakers AS b (tenant_id, id, kind, about, last_error, last_failure_at)
  VALUES (p_owner, p_id, p_kind, p_about, p_code, clock_timestamp())
  ON CONFLICT (tenant_id, id) DO UPDATE SET
    failures = b.failures + 1, last_error = excluded.last_error, last_failure_at = clock_timestamp()
  RETURNING * INTO known;
  opens := CASE WHEN known.opened_at IS NULL THEN known.failures >= 5 ELSE known.probe IS NOT DISTINCT FROM p_caller END;
  IF opens THEN
    UPDATE breakers SET
      openings = openings + 1, opened_at = coalesce(opened_at, clock_timestamp()), probe = NULL,
      retry_at = clock_timestamp() + open_for(openings + 1, p_retry_after_ms)
    WHERE tenant_id = p_owner AND id = p_id
    RETURNING * INTO known;
  END IF;
  RETURN breaker_state(known);
END $$;

-- ---- breaker_answered: the other side works
-- Takes the row away: of a closed breaker at once, of an open one where it is the probe that was answered. Runs that
-- wait for a provider look again then. Gives the state that stands afterwards; null: none.
CREATE FUNCTION breaker_answered(p_owner text, p_id text, p_caller text) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
AS $$
DECLARE
  known breakers;
BEGIN
  DELETE FROM breakers WHERE tenant_id = p_owner AND id = p_id AND (opened_at IS NULL OR probe = p_caller)
  RETURNING * INTO known;
  IF NOT FOUND THEN
    RETURN (SELECT breaker_state(b) FROM breakers AS b WHERE tenant_id = p_owner AND id = p_id);
  END IF;
  IF known.opened_at IS NOT NULL AND known.kind = 'provider' THEN PERFORM wake_for_provider(p_owner); END IF;
  RETURN NULL;
END $$;

-- ---- breaker_undecided: the probe was not sent, or said nothing; the next caller may probe
CREATE FUNCTION breaker_undecided(p_owner text, p_id text, p_caller text) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp
AS $$ UPDATE breakers SET probe = NULL WHERE tenant_id = p_owner AND id = p_id AND probe = p_caller $$;

-- ---- breaker_open: until when nothing is sent, for whoever has seen that it is open
-- Returns {until, state}; `until` null: closed, or half-open.
CREATE FUNCTION breaker_open(p_owner text, p_id text) RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
AS $$
  SELECT '{"until":' || coalesce((SELECT milliseconds(retry_at) FROM breakers
      WHERE tenant_id = p_owner AND id = p_id AND retry_at > clock_timestamp())::text, 'null')
    || ',"state":' || coalesce((SELECT breaker_state(b) FROM breakers AS b WHERE tenant_id = p_owner AND id = p_id), 'null')
    || '}'
$$;

-- ---- breaker_admit: may this call be sent?
-- Exactly one caller is given the probe of a half-open breaker, and is given it again when it asks again. It holds it for
-- as long as its run is worked on by the same worker, p_longest_ms at most: a worker that dies leaves nothing half-open.
-- Returns {verdict: 'closed' | 'probe' | 'held_back', until, state}.
CREATE FUNCTION breaker_admit(
  p_owner text, p_id text, p_tenant text, p_run text, p_caller text, p_longest_ms int
) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
AS $$
DECLARE
  known breakers;
  now_at timestamptz(3);
  until timestamptz;
BEGIN
  SELECT * INTO known FROM breakers WHERE tenant_id = p_owner AND id = p_id FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN '{"verdict":"closed","until":null,"state":null}'; END IF;
  now_at := clock_timestamp();
  IF known.opened_at IS NULL THEN
    RETURN '{"verdict":"closed","until":null,"state":' || breaker_state(known) || '}';
  END IF;
  IF known.retry_at > now_at THEN
    until := known.retry_at;
  ELSIF known.probe <> p_caller AND known.probe_until > now_at AND EXISTS (
    SELECT FROM runs WHERE tenant_id = known.probe_tenant AND id = known.probe_run AND fence = known.probe_fence
      AND status = 'running' AND lease_expires_at > now_at) THEN
    -- Looks again after as long as the probe has taken already.
    until := now_at + least(greatest(now_at - known.probe_began_at, interval '5 seconds'), interval '1 minute');
  END IF;
  IF until IS NOT NULL THEN
    RETURN '{"verdict":"held_back","until":' || milliseconds(until) || ',"state":' || breaker_state(known) || '}';
  END IF;
  UPDATE breakers SET
    probe = p_caller, probe_tenant = p_tenant, probe_run = p_run,
    probe_fence = (SELECT fence FROM runs WHERE tenant_id = p_tenant AND id = p_run),
    probe_began_at = now_at, probe_until = now_at + p_longest_ms * interval '1 millisecond'
  WHERE tenant_id = p_owner AND id = p_id;
  RETURN '{"verdict":"probe","until":null,"state":' || breaker_state(known) || '}';
END $$;

-- ---- wake_for_provider: runs that wait for a provider of this owner look again at once
-- What they wait on ends with the reason, as the projection writes it. One that is being written just now is passed over:
-- it looks again by itself.
CREATE FUNCTION wake_for_provider(p_owner text) RETURNS void
LANGUAGE sql
AS $$
  UPDATE runs AS r SET wake_at = clock_timestamp()
  FROM (SELECT tenant_id, id FROM runs
        WHERE wake_at > clock_timestamp() AND status = 'waiting' AND waiting_on LIKE '%"why":"provider_unavailable"}'
          AND (p_owner = 'deployment' OR tenant_id = p_owner)
        FOR NO KEY UPDATE SKIP LOCKED) AS w
  WHERE r.tenant_id = w.tenant_id AND r.id = w.id
$$;

-- ---- standing_breakers: every breaker that has failures, as a JSON array, for the view that workers keep
CREATE FUNCTION standing_breakers() RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
AS $$ SELECT '[' || coalesce(string_agg(breaker_state(b), ','), '') || ']' FROM breakers AS b $$;

-- ---- tenant_meets: whether one of a tenant's agents is served with the deployment's key for this model
CREATE FUNCTION tenant_meets(p_tenant text, p_about json) RETURNS boolean
LANGUAGE sql STABLE
AS $$
  SELECT EXISTS (SELECT FROM tenants WHERE id = p_tenant AND use_deployment_keys)
    AND NOT EXISTS (SELECT FROM provider_credentials WHERE tenant_id = p_tenant AND provider = p_about ->> 'provider')
    AND EXISTS (
      SELECT FROM agents AS a
      JOIN agent_versions AS v ON v.tenant_id = a.tenant_id AND v.name = a.name AND v.version = a.current_version,
      json_array_elements(v.definition::json -> 'models') AS m
      WHERE a.tenant_id = p_tenant AND m ->> 'provider' = p_about ->> 'provider' AND m ->> 'model' = p_about ->> 'model'
        AND m ->> 'baseUrl' IS NULL)
$$;

-- ---- breakers_of: a tenant's breakers, as a JSON array, those that are open first
-- Its own, whole. Of the deployment's those that are open and that the tenant's own agents would meet, without what
-- would tell of other tenants: how many calls failed, and with what.
CREATE FUNCTION breakers_of(p_tenant text) RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
AS $$
  SELECT coalesce(json_agg(json_build_object('id', id, 'kind', kind, 'about', about::json, 'owner', owner,
    'failures', failures, 'lastError', last_error, 'openedAt', milliseconds(opened_at), 'retryAt', milliseconds(retry_at),
    'state', CASE WHEN opened_at IS NULL THEN 'closed' WHEN retry_at > clock_timestamp() THEN 'open' ELSE 'half_open' END)
    ORDER BY opened_at DESC NULLS LAST, id), '[]')::text
  FROM (
    SELECT id, kind, about, 'tenant' AS owner, failures, last_error, opened_at, retry_at
    FROM breakers WHERE tenant_id = p_tenant
    UNION ALL
    SELECT id, kind, about, 'deployment', NULL, NULL, opened_at, retry_at
    FROM breakers AS b
    WHERE tenant_id = 'deployment' AND opened_at IS NOT NULL AND tenant_meets(p_tenant, b.about::json)
  ) AS found
$$;

-- ---- reset_breaker: a person says that it works again
-- 'reset'; 'shared': it is the deployment's; 'unknown'. Gone with its count, as after a success.
CREATE FUNCTION reset_breaker(p_tenant text, p_id text) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
AS $$
DECLARE
  known breakers;
BEGIN
  DELETE FROM breakers WHERE tenant_id = p_tenant AND id = p_id RETURNING * INTO known;
  IF FOUND THEN
    IF known.kind = 'provider' THEN PERFORM wake_for_provider(p_tenant); END IF;
    RETURN 'reset';
  END IF;
  PERFORM FROM breakers WHERE tenant_id = 'deployment' AND id = p_id AND opened_at IS NOT NULL
    AND tenant_meets(p_tenant, about::json);
  RETURN CASE WHEN FOUND THEN 'shared' ELSE 'unknown' END;
END $$;

-- ---- forget_breakers: failures that nobody has met again for an hour, and open breakers that nobody probed for a day
CREATE FUNCTION forget_breakers(p_limit int) RETURNS int
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
AS $$
DECLARE
  forgotten int;
BEGIN
  DELETE FROM breakers WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM breakers
    WHERE (opened_at IS NULL AND last_failure_at < clock_timestamp() - interval '1 hour')
       OR retry_at < clock_timestamp() - interval '1 day'
    LIMIT p_limit FOR UPDATE SKIP LOCKED));
  GET DIAGNOSTICS forgotten = ROW_COUNT;
  RETURN forgotten;
END $$;

-- ---- Who owns and who may call (see 0005)
GRANT CREATE ON SCHEMA public TO countersign_claimer;
DO $$
DECLARE
  signature regprocedure;
BEGIN
  FOREACH signature IN ARRAY ARRAY['breaker_state(breakers)', 'open_for(int, bigint)',
    'breaker_failed(text, text, text, text, text, bigint, text)', 'breaker_answered(text, text, text)',
    'breaker_undecided(text, text, text)', 'breaker_open(text, text)', 'breaker_admit(text, text, text, text, text, int)',
    'wake_for_provider(text)', 'standing_breakers()', 'breakers_of(text)', 'tenant_meets(text, json)',
    'reset_breaker(text, text)', 'forget_breakers(int)']::regprocedure[]
  LOOP
    EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', signature);
    EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO countersign_claimer', signature);
    IF (SELECT prosecdef FROM pg_proc WHERE oid = signature) THEN
      EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO countersign_app', signature);
      EXECUTE format('ALTER FUNCTION %s OWNER TO countersign_claimer', signature);
    END IF;
  END LOOP;
END $$;
REVOKE CREATE ON SCHEMA public FROM countersign_claimer;
