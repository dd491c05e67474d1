-- Row-level security (invariant I8): the application's role owns nothing and sees, in every table, the rows of the
-- tenant that its transaction has set. A forgotten WHERE, or a forgotten tenant, gives no rows.
--
-- Two roles must exist before this runs (a managed Postgres may not let a migration make them):
--   countersign_app      group of the application's logins; owns nothing, gets the grants below
--   countersign_claimer  NOLOGIN; owns the few functions that cross tenants, and has a policy of its own for it

GRANT USAGE ON SCHEMA public TO countersign_app, countersign_claimer;

-- ---- app_tenant(): whose rows this transaction may see
-- Null where nothing was set, and where a pooled connection kept the empty string of an earlier transaction: no row
-- equals null. SQL and STABLE, so that the planner puts it into index conditions.
CREATE FUNCTION app_tenant() RETURNS text
LANGUAGE sql STABLE PARALLEL SAFE
AS $$ SELECT nullif(current_setting('app.tenant', true), '') $$;

-- ---- Policies and grants
-- FORCE holds the tables' owner to the policies as well. Grants are named one by one: ALL would let TRUNCATE through.
DO $$
DECLARE
  table_name text;
  tenant_column text;
BEGIN
  FOREACH table_name IN ARRAY ARRAY[
    'tenants', 'tenant_schedule', 'api_keys', 'idempotency_requests', 'provider_credentials', 'tools', 'tool_versions',
    'agents', 'agent_versions', 'policies', 'budgets', 'runs', 'run_events', 'messages', 'model_calls', 'tool_calls',
    'effects', 'intents', 'approvals', 'approval_decisions'
  ] LOOP
    tenant_column := CASE table_name WHEN 'tenants' THEN 'id' ELSE 'tenant_id' END;
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', table_name);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', table_name);
    EXECUTE format(
      'CREATE POLICY own_rows ON %I FOR ALL TO countersign_app USING (%2$I = app_tenant()) WITH CHECK (%2$I = app_tenant())',
      table_name, tenant_column);
    EXECUTE format('CREATE POLICY across_tenants ON %I FOR ALL TO countersign_claimer USING (true)', table_name);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO countersign_claimer', table_name);
  END LOOP;
END $$;

GRANT SELECT, INSERT, UPDATE, DELETE ON
  api_keys, idempotency_requests, provider_credentials, tools, tool_versions, agents, agent_versions, policies, budgets,
  runs, run_events, messages, model_calls, tool_calls, effects, intents, approvals, approval_decisions
TO countersign_app;

-- A tenant sees its own row and moves the versions in it; weight, ceilings and suspension are the operator's.
GRANT SELECT, UPDATE (revision, policy_version, catalog_revision) ON tenants TO countersign_app;
GRANT SELECT, UPDATE (virtual_time, running, has_queued) ON tenant_schedule TO countersign_app;

-- ---- Prices are nobody's: all read them, only set_model_price writes them.
ALTER TABLE model_prices ENABLE ROW LEVEL SECURITY;
ALTER TABLE model_prices FORCE ROW LEVEL SECURITY;
CREATE POLICY everybody_reads ON model_prices FOR SELECT TO countersign_app USING (true);
CREATE POLICY operator_writes ON model_prices FOR ALL TO countersign_claimer USING (true);
GRANT SELECT ON model_prices TO countersign_app;
GRANT SELECT, INSERT ON model_prices TO countersign_claimer;
