-- Rate limits that hold over all processes of the API: a token bucket for each tenant and for each key or member in it.
-- Each holds one second's worth and fills at that rate, by the clock of Postgres.
--
-- Unlogged: a crash of Postgres fills every bucket, which is no harm, and nothing is written to the log for a request.

CREATE UNLOGGED TABLE "rate_limits" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "actor_id" TEXT COLLATE "C" NOT NULL,
    "tokens" DOUBLE PRECISION NOT NULL,
    "filled_at" TIMESTAMPTZ NOT NULL,

    CONSTRAINT "rate_limits_pkey" PRIMARY KEY ("tenant_id","actor_id")
);

ALTER TABLE rate_limits SET (fillfactor = 50);

-- ---- Row security (see 0002)
ALTER TABLE rate_limits ENABLE ROW LEVEL SECURITY;
ALTER TABLE rate_limits FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON rate_limits FOR ALL TO countersign_app
  USING (tenant_id = app_tenant()) WITH CHECK (tenant_id = app_tenant());
CREATE POLICY across_tenants ON rate_limits FOR ALL TO countersign_claimer USING (true);
GRANT SELECT, INSERT, UPDATE ON rate_limits TO countersign_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON rate_limits TO countersign_claimer;

-- ---- fill_bucket: locks a bucket (new ones are full) and gives what is in it now
CREATE FUNCTION fill_bucket(p_tenant text, p_actor text, p_per_second int) RETURNS double precision
LANGUAGE sql
AS $$
  INSERT INTO rate_limits AS r (tenant_id, actor_id, tokens, filled_at)
  VALUES (p_tenant, p_actor, p_per_second, clock_timestamp())
  ON CONFLICT (tenant_id, actor_id) DO UPDATE SET
    tokens = least(p_per_second,
      r.tokens + greatest(0, extract(epoch FROM clock_timestamp() - r.filled_at)::float8) * p_per_second),
    filled_at = clock_timestamp()
  RETURNING tokens
$$;

-- ---- take_requests: up to so many requests out of a tenant's bucket and out of its actor's
-- The tenant's bucket stands under the empty name; it is locked first, always. Returns {granted, emptyForMs}: how many
-- both had, and after how long the emptier one has another where it was none.
CREATE FUNCTION take_requests(p_tenant text, p_actor text, p_per_second int, p_wanted int) RETURNS text
LANGUAGE plpgsql
AS $$
DECLARE
  available double precision;
  granted int;
  unused text;
BEGIN
  unused := set_config('app.tenant', p_tenant, true);
  unused := set_config('synchronous_commit', 'off', true);
  available := fill_bucket(p_tenant, '', p_per_second);
  available := least(available, fill_bucket(p_tenant, p_actor, p_per_second));
  granted := least(p_wanted, floor(available)::int);
  IF granted > 0 THEN
    UPDATE rate_limits SET tokens = tokens - granted WHERE tenant_id = p_tenant AND actor_id IN ('', p_actor);
  END IF;
  RETURN json_build_object('granted', granted,
    'emptyForMs', CASE WHEN granted = 0 THEN ceil((1 - available) * 1000 / p_per_second) ELSE 0 END)::text;
END $$;

-- ---- forget_rate_limits: buckets that have long been full again
CREATE FUNCTION forget_rate_limits(p_limit int) RETURNS int
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
AS $$
DECLARE
  forgotten int;
BEGIN
  DELETE FROM rate_limits WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM rate_limits WHERE filled_at < clock_timestamp() - interval '1 minute'
    LIMIT p_limit FOR UPDATE SKIP LOCKED));
  GET DIAGNOSTICS forgotten = ROW_COUNT;
  RETURN forgotten;
END $$;

-- ---- Who owns and who may call (see 0005)
REVOKE ALL ON FUNCTION fill_bucket, take_requests, forget_rate_limits FROM PUBLIC;
GRANT EXECUTE ON FUNCTION fill_bucket, take_requests, forget_rate_limits TO countersign_app, countersign_claimer;
GRANT CREATE ON SCHEMA public TO countersign_claimer;
ALTER FUNCTION forget_rate_limits OWNER TO countersign_claimer;
REVOKE CREATE ON SCHEMA public FROM countersign_claimer;
