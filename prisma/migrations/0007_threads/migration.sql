-- Threads: conversations of one subject over several runs, one run at a time.
--
-- A run has its place in the thread from the moment it is posted; its first event says so. While an earlier one is open
-- it is queued without queued_at: no claim sees it. Whoever starts a run, or ends one, holds the thread's row.

CREATE TABLE "threads" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "subject" TEXT NOT NULL,
    "runs" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "threads_pkey" PRIMARY KEY ("tenant_id","id")
);

ALTER TABLE threads SET (fillfactor = 60);

-- ---- Row security (see 0002)
ALTER TABLE threads ENABLE ROW LEVEL SECURITY;
ALTER TABLE threads FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON threads FOR ALL TO countersign_app
  USING (tenant_id = app_tenant()) WITH CHECK (tenant_id = app_tenant());
GRANT SELECT, INSERT, UPDATE (runs) ON threads TO countersign_app;

-- ---- next_in_thread: the oldest open run of a thread may be claimed, if it was waiting for that
-- The caller holds the thread. Gives whether it was.
CREATE FUNCTION next_in_thread(p_tenant text, p_thread text) RETURNS boolean
LANGUAGE plpgsql
AS $$
DECLARE
  oldest record;
BEGIN
  SELECT id, queued_at INTO oldest FROM runs
  WHERE tenant_id = p_tenant AND thread_id = p_thread AND finished_at IS NULL
  ORDER BY thread_position LIMIT 1;
  IF NOT FOUND OR oldest.queued_at IS NOT NULL THEN RETURN false; END IF;
  UPDATE runs SET queued_at = clock_timestamp(), wake_at = NULL
  WHERE tenant_id = p_tenant AND id = oldest.id AND queued_at IS NULL;
  PERFORM note_queued(p_tenant);
  RETURN true;
END $$;

-- ---- cancel_open_runs: asks for the end of every open run of a thread
-- What evolve() makes of run.cancel_requested: a run that waits is queued. Gives the runs as they stand then, as JSON
-- text. The caller holds the thread, so none of them ends meanwhile, and has the tenant's queue noted.
CREATE FUNCTION cancel_open_runs(p_tenant text, p_thread text, p_by text) RETURNS text
LANGUAGE plpgsql
AS $$
DECLARE
  earlier record;
  now_at timestamptz(3) := clock_timestamp();
  cancelled text[] := '{}';
BEGIN
  FOR earlier IN
    SELECT id, seq, status, queued_at FROM runs AS r
    WHERE tenant_id = p_tenant AND thread_id = p_thread AND finished_at IS NULL
      AND NOT EXISTS (SELECT FROM run_events AS e
                      WHERE e.tenant_id = p_tenant AND e.run_id = r.id AND e.type = 'run.cancel_requested')
    ORDER BY thread_position FOR NO KEY UPDATE
  LOOP
    INSERT INTO run_events (tenant_id, run_id, seq, type, at, data)
    VALUES (p_tenant, earlier.id, earlier.seq + 1, 'run.cancel_requested', now_at, '{"by":' || p_by || '}');
    UPDATE runs SET
      seq = earlier.seq + 1,
      status = CASE WHEN earlier.status = 'waiting' THEN 'queued' ELSE earlier.status END,
      queued_at = CASE WHEN earlier.status = 'waiting' THEN now_at ELSE coalesce(earlier.queued_at, now_at) END,
      waiting_on = NULL, wake_at = NULL
    WHERE tenant_id = p_tenant AND id = earlier.id;
    cancelled := cancelled || json_build_object('runId', earlier.id, 'seq', earlier.seq + 1,
      'status', CASE WHEN earlier.status = 'waiting' THEN 'queued' ELSE earlier.status END)::text;
  END LOOP;
  RETURN '[' || array_to_string(cancelled, ',') || ']';
END $$;

-- ---- thread_events: what the runs before a place in a thread recorded, as JSON text [{runId, events}], oldest run first
CREATE FUNCTION thread_events(p_tenant text, p_thread text, p_before int) RETURNS text
LANGUAGE plpgsql
AS $$
DECLARE
  unused text;
BEGIN
  unused := set_config('app.tenant', p_tenant, true);
  RETURN (
    SELECT '[' || coalesce(string_agg(
      '{"runId":' || to_json(id) || ',"events":' || events_json(p_tenant, id, 0) || '}', ',' ORDER BY thread_position), '')
      || ']'
    FROM runs WHERE tenant_id = p_tenant AND thread_id = p_thread AND thread_position < p_before);
END $$;

-- ---- Who may call (see 0005)
REVOKE ALL ON FUNCTION next_in_thread, cancel_open_runs, thread_events FROM PUBLIC;
GRANT EXECUTE ON FUNCTION next_in_thread, cancel_open_runs, thread_events TO countersign_app, countersign_claimer;
