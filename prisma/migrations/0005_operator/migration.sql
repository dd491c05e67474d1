-- Rules, definitions, budgets and what the operator does. Functions return JSON text or null; outcomes are values.

-- ---- rules_of: what holds for a tenant's runs right now, for the worker's cache
CREATE FUNCTION rules_of(p_tenant text) RETURNS text
LANGUAGE plpgsql
AS $$
DECLARE
  found text;
  unused text;
BEGIN
  unused := set_config('app.tenant', p_tenant, true);
  SELECT json_build_object(
    'revision', t.revision, 'suspended', t.suspended_at IS NOT NULL, 'policyVersion', t.policy_version,
    'rules', p.rules, 'allowlist', p.allowlist, 'agentsMayLoosen', coalesce(p.agents_may_loosen, false),
    'withdrawn', (SELECT coalesce(json_agg(name), '[]') FROM tools WHERE tenant_id = p_tenant AND deleted_at IS NOT NULL),
    'members', (SELECT coalesce(json_object_agg(user_id, role), '{}') FROM members
                WHERE tenant_id = p_tenant AND removed_at IS NULL),
    'keys', (SELECT coalesce(json_object_agg(id, milliseconds(expires_at)), '{}') FROM api_keys
             WHERE tenant_id = p_tenant AND revoked_at IS NULL AND 'approvals:decide' = ANY (scopes)))::text
  INTO found
  FROM tenants AS t LEFT JOIN policies AS p ON p.tenant_id = t.id AND p.version = t.policy_version
  WHERE t.id = p_tenant;
  RETURN found;
END $$;

-- ---- intents_of: who holds these intents, and the recorded result of those that are done
CREATE FUNCTION intents_of(p_tenant text, p_keys text[]) RETURNS text
LANGUAGE plpgsql
AS $$
DECLARE
  found text;
  unused text;
BEGIN
  unused := set_config('app.tenant', p_tenant, true);
  SELECT json_agg(json_build_object('intentKey', i.intent_key, 'state', i.state, 'toolCallId', i.tool_call_id,
    'runId', i.run_id, 'argumentsDigest', c.arguments_digest, 'output', c.result, 'message', m.content))::text
  INTO found
  FROM intents AS i
  LEFT JOIN tool_calls AS c ON i.state = 'succeeded'
    AND c.tenant_id = p_tenant AND c.run_id = i.run_id AND c.id = i.tool_call_id
  LEFT JOIN messages AS m ON m.tenant_id = p_tenant AND m.run_id = c.run_id AND m.turn = c.turn AND m.position = c.index + 1
  WHERE i.tenant_id = p_tenant AND i.intent_key = ANY (p_keys) AND i.state <> 'free';
  RETURN coalesce(found, '[]');
END $$;

-- ---- What API and workers look up; most of it never changes and is kept by who asked

-- The versions that a run of this agent begins with: at the version given, else the current one. Null: no such agent.
CREATE FUNCTION current_versions(p_tenant text, p_agent text, p_version int) RETURNS text
LANGUAGE plpgsql
AS $$
DECLARE
  found text;
  unused text;
BEGIN
  unused := set_config('app.tenant', p_tenant, true);
  SELECT json_build_object('catalogRevision', c.catalog_revision, 'agentVersion', v.version, 'toolVersions', (
    SELECT coalesce(json_object_agg(t.name, t.current_version), '{}') FROM tools AS t
    WHERE t.tenant_id = p_tenant AND t.deleted_at IS NULL
      AND t.name = ANY (ARRAY(SELECT json_array_elements_text(v.definition::json -> 'tools')))))::text
  INTO found
  FROM agents AS a JOIN agent_versions AS v
    ON v.tenant_id = a.tenant_id AND v.name = a.name AND v.version = coalesce(p_version, a.current_version)
  JOIN tenants AS c ON c.id = a.tenant_id
  WHERE a.tenant_id = p_tenant AND a.name = p_agent;
  RETURN found;
END $$;

-- {agent, tools} of these versions ({name: version}), deleted tools included. Null: no such version of the agent.
CREATE FUNCTION definitions_of(p_tenant text, p_agent text, p_version int, p_tools json) RETURNS text
LANGUAGE plpgsql
AS $$
DECLARE
  agent text;
  unused text;
BEGIN
  unused := set_config('app.tenant', p_tenant, true);
  SELECT definition INTO agent FROM agent_versions
  WHERE tenant_id = p_tenant AND name = p_agent AND version = p_version;
  RETURN '{"agent":' || agent || ',"tools":[' || coalesce(
    (SELECT string_agg(t.definition, ',') FROM json_each_text(p_tools) AS w
     JOIN tool_versions AS t ON t.tenant_id = p_tenant AND t.name = w.key AND t.version = w.value::int), '') || ']}';
END $$;

-- A tenant's sealed key for a provider; null: none.
CREATE FUNCTION credential_of(p_tenant text, p_provider text) RETURNS text
LANGUAGE plpgsql
AS $$
DECLARE
  found text;
  unused text;
BEGIN
  unused := set_config('app.tenant', p_tenant, true);
  SELECT json_build_object('apiKeySealed', api_key_sealed, 'baseUrl', nullif(base_url, ''))::text INTO found
  FROM provider_credentials WHERE tenant_id = p_tenant AND provider = p_provider;
  RETURN found;
END $$;

CREATE FUNCTION may_use_deployment_keys(p_tenant text) RETURNS boolean
LANGUAGE plpgsql
AS $$
DECLARE
  unused text;
BEGIN
  unused := set_config('app.tenant', p_tenant, true);
  RETURN coalesce((SELECT use_deployment_keys FROM tenants WHERE id = p_tenant), false);
END $$;

-- The sealed secrets of one version of a tool, deleted or not; null: no such version.
CREATE FUNCTION tool_secrets_of(p_tenant text, p_tool text, p_version int) RETURNS text
LANGUAGE plpgsql
AS $$
DECLARE
  found text;
  unused text;
BEGIN
  unused := set_config('app.tenant', p_tenant, true);
  SELECT json_build_object('signingSecretSealed', t.signing_secret_sealed, 'headersSealed', v.headers_sealed)::text INTO found
  FROM tools AS t JOIN tool_versions AS v ON v.tenant_id = t.tenant_id AND v.name = t.name
  WHERE t.tenant_id = p_tenant AND t.name = p_tool AND v.version = p_version;
  RETURN found;
END $$;

-- ---- put_budget: a limit, and a window that is exact from its first moment
-- Alone among the tenant's steps, so that what is reserved and spent can be added up. A tenant cannot raise what its
-- operator has set. Returns 'set' or 'set_by_operator'.
CREATE FUNCTION put_budget(p_tenant text, p_scope text, p_period text, p_limit numeric, p_set_by text) RETURNS text
LANGUAGE plpgsql
AS $$
DECLARE
  known record;
  start timestamptz;
BEGIN
  PERFORM set_config('app.tenant', p_tenant, true);
  PERFORM pg_advisory_xact_lock(rules_lock(p_tenant));
  SELECT limit_usd, set_by INTO known FROM budgets
  WHERE tenant_id = p_tenant AND scope = p_scope AND period = p_period FOR NO KEY UPDATE;
  IF FOUND THEN
    IF p_set_by = 'tenant' AND known.set_by = 'operator' AND p_limit > known.limit_usd THEN
      RETURN 'set_by_operator';
    END IF;
    UPDATE budgets SET limit_usd = p_limit, set_by = CASE WHEN p_set_by = 'operator' THEN 'operator' ELSE set_by END
    WHERE tenant_id = p_tenant AND scope = p_scope AND period = p_period;
    RETURN 'set';
  END IF;

  start := window_start(p_period, clock_timestamp());
  INSERT INTO budgets (tenant_id, scope, period, limit_usd, set_by, starts_at, spent_usd, overrun_usd, reserved_usd)
  SELECT p_tenant, p_scope, p_period, p_limit, p_set_by, start, past.spent, past.overrun, open.reserved
  FROM (
    SELECT coalesce(sum(m.cost_usd), 0) AS spent, coalesce(sum(greatest(m.cost_usd - m.reserved_usd, 0)), 0) AS overrun
    FROM model_calls AS m JOIN runs AS r ON r.tenant_id = m.tenant_id AND r.id = m.run_id
    WHERE m.tenant_id = p_tenant AND m.reserved_at >= start AND p_scope = ANY (budget_scopes(r.agent_name, r.subject_id))
  ) AS past, (
    SELECT coalesce(sum(reserved_usd), 0) AS reserved FROM runs
    WHERE tenant_id = p_tenant AND status = 'running' AND reserved_at >= start
      AND p_scope = ANY (budget_scopes(agent_name, subject_id))
  ) AS open;
  RETURN 'set';
END $$;

-- ---- budgets_of: limits with their current windows, as JSON text of an array; a window that is over counts as empty
CREATE FUNCTION budgets_of(p_tenant text) RETURNS text
LANGUAGE plpgsql
AS $$
DECLARE
  found text;
  unused text;
BEGIN
  unused := set_config('app.tenant', p_tenant, true);
  SELECT json_agg(json_build_object('scope', scope, 'period', period, 'setBy', set_by, 'limitUsd', limit_usd::text,
    'spentUsd', CASE WHEN live THEN spent_usd ELSE 0 END::text,
    'reservedUsd', CASE WHEN live THEN reserved_usd ELSE 0 END::text,
    'overrunUsd', CASE WHEN live THEN overrun_usd ELSE 0 END::text,
    'now', milliseconds(clock_timestamp())) ORDER BY scope, period)::text
  INTO found
  FROM (SELECT *, starts_at = window_start(period, clock_timestamp()) AS live FROM budgets WHERE tenant_id = p_tenant) AS b;
  RETURN coalesce(found, '[]');
END $$;

-- ---- find_api_key: whose key this is, by its digest; null for none, revoked or expired
CREATE FUNCTION find_api_key(p_hash text) RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
AS $$
  SELECT json_build_object('id', k.id, 'name', k.name, 'tenant', k.tenant_id, 'tenantSlug', t.slug, 'tenantName', t.name,
    'scopes', k.scopes, 'expiresAt', milliseconds(k.expires_at), 'suspended', t.suspended_at IS NOT NULL,
    'requestsPerSecond', t.requests_per_second)::text
  FROM api_keys AS k JOIN tenants AS t ON t.id = k.tenant_id
  WHERE k.key_hash = p_hash AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > clock_timestamp())
$$;

-- ---- The operator's functions (/admin/v1)

CREATE FUNCTION tenant_json(p_tenant text) RETURNS json
LANGUAGE sql STABLE
AS $$
  SELECT json_build_object('id', t.id, 'slug', t.slug, 'name', t.name, 'weight', t.weight,
    'maxConcurrentRuns', t.max_concurrent_runs, 'requestsPerSecond', t.requests_per_second,
    'useDeploymentKeys', t.use_deployment_keys, 'suspendedAt', milliseconds(t.suspended_at),
    'createdAt', milliseconds(t.created_at),
    'monthlyBudgetUsd', (SELECT limit_usd::text FROM budgets WHERE tenant_id = t.id AND scope = 'tenant'
                         AND period = 'month' AND set_by = 'operator'))
  FROM tenants AS t WHERE t.id = p_tenant
$$;

-- A tenant with its first key, in one transaction. p_key: {id, name, keyHash, prefix, scopes}. Null: the slug is taken.
CREATE FUNCTION operator_create_tenant(p_tenant text, p_fields text, p_key text) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
AS $$
DECLARE
  monthly numeric := (p_fields::json ->> 'monthlyBudgetUsd')::numeric;
BEGIN
  INSERT INTO tenants (id, slug, name, weight, max_concurrent_runs, requests_per_second, use_deployment_keys)
  SELECT p_tenant, slug, name, coalesce(weight, 1), coalesce("maxConcurrentRuns", 50), coalesce("requestsPerSecond", 100),
    coalesce("useDeploymentKeys", false)
  FROM json_to_record(p_fields::json) AS f(slug text, name text, weight int, "maxConcurrentRuns" int,
    "requestsPerSecond" int, "useDeploymentKeys" boolean)
  ON CONFLICT (slug) DO NOTHING;
  IF NOT FOUND THEN RETURN NULL; END IF;

  INSERT INTO tenant_schedule (tenant_id, weight, max_running)
  SELECT id, weight, max_concurrent_runs FROM tenants WHERE id = p_tenant;
  INSERT INTO api_keys (tenant_id, id, name, key_hash, prefix, scopes)
  SELECT p_tenant, id, name, "keyHash", prefix, scopes
  FROM json_to_record(p_key::json) AS k(id text, name text, "keyHash" text, prefix text, scopes text[]);
  IF monthly IS NOT NULL THEN
    PERFORM put_budget(p_tenant, 'tenant', 'month', monthly, 'operator');
  END IF;
  RETURN tenant_json(p_tenant)::text;
END $$;

CREATE FUNCTION operator_get_tenant(p_tenant text) RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
AS $$ SELECT tenant_json(p_tenant)::text $$;

-- Newest first, those before the id p_before (null: from the newest).
CREATE FUNCTION operator_list_tenants(p_limit int, p_before text) RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
AS $$
  SELECT coalesce(json_agg(tenant_json(id) ORDER BY id DESC), '[]')::text
  FROM (SELECT id FROM tenants WHERE p_before IS NULL OR id < p_before ORDER BY id DESC LIMIT p_limit) AS page
$$;

-- Changes what p_fields names: {name, weight, maxConcurrentRuns, requestsPerSecond, useDeploymentKeys, monthlyBudgetUsd,
-- suspended}. A null monthlyBudgetUsd takes the operator's budget away. Null: no such tenant.
CREATE FUNCTION operator_patch_tenant(p_tenant text, p_fields text) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
AS $$
DECLARE
  fields jsonb := p_fields::jsonb;
BEGIN
  UPDATE tenants SET
    name = coalesce(fields ->> 'name', name),
    weight = coalesce((fields ->> 'weight')::int, weight),
    max_concurrent_runs = coalesce((fields ->> 'maxConcurrentRuns')::int, max_concurrent_runs),
    requests_per_second = coalesce((fields ->> 'requestsPerSecond')::int, requests_per_second),
    use_deployment_keys = coalesce((fields ->> 'useDeploymentKeys')::boolean, use_deployment_keys),
    suspended_at = CASE (fields ->> 'suspended')::boolean
      WHEN true THEN coalesce(suspended_at, clock_timestamp()) WHEN false THEN NULL ELSE suspended_at END,
    revision = revision + 1
  WHERE id = p_tenant;
  IF NOT FOUND THEN RETURN NULL; END IF;

  IF fields ? 'monthlyBudgetUsd' THEN
    IF fields ->> 'monthlyBudgetUsd' IS NULL THEN
      DELETE FROM budgets WHERE tenant_id = p_tenant AND scope = 'tenant' AND period = 'month' AND set_by = 'operator';
    ELSE
      PERFORM put_budget(p_tenant, 'tenant', 'month', (fields ->> 'monthlyBudgetUsd')::numeric, 'operator');
    END IF;
  END IF;
  UPDATE tenant_schedule AS s SET weight = t.weight, max_running = t.max_concurrent_runs, suspended = t.suspended_at IS NOT NULL
  FROM tenants AS t WHERE t.id = p_tenant AND s.tenant_id = p_tenant;
  RETURN tenant_json(p_tenant)::text;
END $$;

-- A new version of a model's price. p_price: {validFrom?, inputPerMTok, cachedInputPerMTok?, cacheWritePerMTok?,
-- outputPerMTok, contextWindow?, maxOutputTokens?}. Returns the version.
CREATE FUNCTION operator_set_model_price(p_provider text, p_model text, p_price text) RETURNS int
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
AS $$
DECLARE
  next_version int;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended(p_provider || '/' || p_model, 3));
  SELECT coalesce(max(version), 0) + 1 INTO next_version FROM model_prices WHERE provider = p_provider AND model = p_model;
  INSERT INTO model_prices (provider, model, version, valid_from, input_per_mtok, cached_input_per_mtok,
    cache_write_per_mtok, output_per_mtok, context_window, max_output_tokens)
  SELECT p_provider, p_model, next_version, coalesce(instant("validFrom"), clock_timestamp()), "inputPerMTok",
    "cachedInputPerMTok", "cacheWritePerMTok", "outputPerMTok", "contextWindow", "maxOutputTokens"
  FROM json_to_record(p_price::json) AS p("validFrom" bigint, "inputPerMTok" numeric, "cachedInputPerMTok" numeric,
    "cacheWritePerMTok" numeric, "outputPerMTok" numeric, "contextWindow" int, "maxOutputTokens" int);
  RETURN next_version;
END $$;

-- Depth and oldest wait of the queue, for each tenant with work, with its running runs; and the workers that hold runs.
CREATE FUNCTION operator_queue() RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
AS $$
  SELECT json_build_object(
    'data', (
      SELECT coalesce(json_agg(json_build_object('tenant', s.tenant_id, 'queued', coalesce(q.depth, 0),
        'running', s.running, 'oldestQueuedAt', milliseconds(q.oldest)) ORDER BY q.oldest, s.tenant_id), '[]')
      FROM tenant_schedule AS s
      LEFT JOIN (SELECT tenant_id, count(*) AS depth, min(queued_at) AS oldest FROM runs WHERE status = 'queued' GROUP BY tenant_id)
        AS q USING (tenant_id)
      WHERE q.depth > 0 OR s.running > 0),
    'workers', (
      SELECT coalesce(json_agg(json_build_object('worker', w.lease_owner, 'running', w.held) ORDER BY w.lease_owner), '[]')
      FROM (SELECT lease_owner, count(*) AS held FROM runs WHERE status = 'running' GROUP BY lease_owner) AS w))::text
$$;

-- Idempotency keys are kept for 24 hours. Returns how many were forgotten.
CREATE FUNCTION forget_idempotency_keys(p_limit int) RETURNS int
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
AS $$
DECLARE
  forgotten int;
BEGIN
  DELETE FROM idempotency_requests WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM idempotency_requests WHERE created_at < clock_timestamp() - interval '24 hours' LIMIT p_limit));
  GET DIAGNOSTICS forgotten = ROW_COUNT;
  RETURN forgotten;
END $$;

-- ---- Who owns and who may call
-- Functions that cross tenants go to countersign_claimer, whose policies see all rows. To give something away, the
-- receiver must be able to create in the schema: only for this moment.
GRANT CREATE ON SCHEMA public TO countersign_claimer;
DO $$
DECLARE
  signature regprocedure;
BEGIN
  FOR signature IN
    SELECT p.oid FROM pg_proc AS p WHERE p.pronamespace = 'public'::regnamespace AND p.prokind = 'f'
      AND NOT EXISTS (SELECT 1 FROM pg_depend AS d WHERE d.objid = p.oid AND d.deptype = 'e')
  LOOP
    EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', signature);
    EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO countersign_app, countersign_claimer', signature);
    IF (SELECT prosecdef FROM pg_proc WHERE oid = signature) THEN
      EXECUTE format('ALTER FUNCTION %s OWNER TO countersign_claimer', signature);
    END IF;
  END LOOP;
END $$;
REVOKE CREATE ON SCHEMA public FROM countersign_claimer;
