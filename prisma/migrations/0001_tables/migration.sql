-- The tables, as schema.prisma has them, and what it cannot say: collations, storage, partial indexes.
--
-- Columns of keys are COLLATE "C": ids sort as bytes whatever the database's locale, so cursors hold and
-- comparisons are cheap.

CREATE TABLE "tenants" (
    "id" TEXT COLLATE "C" NOT NULL,
    "slug" TEXT COLLATE "C" NOT NULL,
    "name" TEXT NOT NULL,
    "weight" INTEGER NOT NULL DEFAULT 1,
    "max_concurrent_runs" INTEGER NOT NULL DEFAULT 50,
    "requests_per_second" INTEGER NOT NULL DEFAULT 100,
    "use_deployment_keys" BOOLEAN NOT NULL DEFAULT false,
    "suspended_at" TIMESTAMPTZ(3),
    "revision" INTEGER NOT NULL DEFAULT 1,
    "policy_version" INTEGER NOT NULL DEFAULT 0,
    "catalog_revision" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "tenants_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "tenant_schedule" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "virtual_time" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "weight" INTEGER NOT NULL DEFAULT 1,
    "max_running" INTEGER NOT NULL DEFAULT 50,
    "running" INTEGER NOT NULL DEFAULT 0,
    "has_queued" BOOLEAN NOT NULL DEFAULT false,
    "suspended" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "tenant_schedule_pkey" PRIMARY KEY ("tenant_id")
);

CREATE TABLE "api_keys" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "name" TEXT NOT NULL,
    "key_hash" TEXT COLLATE "C" NOT NULL,
    "prefix" TEXT NOT NULL,
    "scopes" TEXT[],
    "expires_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "api_keys_pkey" PRIMARY KEY ("tenant_id","id")
);

CREATE TABLE "idempotency_requests" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "route" TEXT COLLATE "C" NOT NULL,
    "key" TEXT COLLATE "C" NOT NULL,
    "request_digest" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "status" INTEGER,
    "response" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "idempotency_requests_pkey" PRIMARY KEY ("tenant_id","route","key")
);

CREATE TABLE "provider_credentials" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "provider" TEXT NOT NULL,
    "base_url" TEXT NOT NULL DEFAULT '',
    "api_key_sealed" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "provider_credentials_pkey" PRIMARY KEY ("tenant_id","provider")
);

CREATE TABLE "model_prices" (
    "provider" TEXT NOT NULL,
    "model" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "valid_from" TIMESTAMPTZ(3) NOT NULL,
    "input_per_mtok" DECIMAL NOT NULL,
    "cached_input_per_mtok" DECIMAL,
    "cache_write_per_mtok" DECIMAL,
    "output_per_mtok" DECIMAL NOT NULL,
    "context_window" INTEGER,
    "max_output_tokens" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "model_prices_pkey" PRIMARY KEY ("provider","model","version")
);

CREATE TABLE "tools" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "name" TEXT NOT NULL,
    "current_version" INTEGER NOT NULL,
    "signing_secret_sealed" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "tools_pkey" PRIMARY KEY ("tenant_id","id")
);

CREATE TABLE "tool_versions" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "name" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "definition" TEXT NOT NULL,
    "headers_sealed" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "tool_versions_pkey" PRIMARY KEY ("tenant_id","name","version")
);

CREATE TABLE "agents" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "name" TEXT NOT NULL,
    "current_version" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "agents_pkey" PRIMARY KEY ("tenant_id","id")
);

CREATE TABLE "agent_versions" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "name" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "definition" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "agent_versions_pkey" PRIMARY KEY ("tenant_id","name","version")
);

CREATE TABLE "policies" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "version" INTEGER NOT NULL,
    "rules" TEXT NOT NULL,
    "allowlist" TEXT,
    "agents_may_loosen" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "policies_pkey" PRIMARY KEY ("tenant_id","version")
);

CREATE TABLE "budgets" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "scope" TEXT COLLATE "C" NOT NULL,
    "period" TEXT COLLATE "C" NOT NULL,
    "limit_usd" DECIMAL NOT NULL,
    "set_by" TEXT NOT NULL,
    "starts_at" TIMESTAMPTZ(3) NOT NULL,
    "spent_usd" DECIMAL NOT NULL DEFAULT 0,
    "reserved_usd" DECIMAL NOT NULL DEFAULT 0,
    "overrun_usd" DECIMAL NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "budgets_pkey" PRIMARY KEY ("tenant_id","scope","period")
);

CREATE TABLE "runs" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "agent_name" TEXT NOT NULL,
    "agent_version" INTEGER NOT NULL,
    "thread_id" TEXT COLLATE "C",
    "thread_position" INTEGER,
    "operation_id" TEXT NOT NULL,
    "subject" TEXT,
    "subject_id" TEXT,
    "status" TEXT NOT NULL,
    "reason_code" TEXT,
    "reason_message" TEXT,
    "waiting_on" TEXT,
    "output" TEXT,
    "metadata" TEXT,
    "turns" INTEGER NOT NULL DEFAULT 0,
    "model_calls" INTEGER NOT NULL DEFAULT 0,
    "tool_calls" INTEGER NOT NULL DEFAULT 0,
    "tools_used" TEXT NOT NULL DEFAULT '[]',
    "messages" INTEGER NOT NULL DEFAULT 0,
    "input_tokens" INTEGER NOT NULL DEFAULT 0,
    "cached_input_tokens" INTEGER NOT NULL DEFAULT 0,
    "cache_write_tokens" INTEGER NOT NULL DEFAULT 0,
    "output_tokens" INTEGER NOT NULL DEFAULT 0,
    "reasoning_tokens" INTEGER NOT NULL DEFAULT 0,
    "estimated" BOOLEAN NOT NULL DEFAULT false,
    "cost_usd" DECIMAL NOT NULL DEFAULT 0,
    "waste_usd" DECIMAL NOT NULL DEFAULT 0,
    "budget_limit_usd" DECIMAL,
    "reserved_usd" DECIMAL NOT NULL DEFAULT 0,
    "reserved_at" TIMESTAMPTZ(3),
    "open_model_call" TEXT,
    "charged_usd" DECIMAL NOT NULL DEFAULT 0,
    "seq" INTEGER NOT NULL,
    "fence" BIGINT NOT NULL DEFAULT 0,
    "lease_owner" TEXT,
    "lease_expires_at" TIMESTAMPTZ(3),
    "running_ms_left" INTEGER NOT NULL,
    "queued_at" TIMESTAMPTZ(3),
    "wake_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "started_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),
    "deadline_at" TIMESTAMPTZ(3),

    CONSTRAINT "runs_pkey" PRIMARY KEY ("tenant_id","id")
);

CREATE TABLE "run_events" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "run_id" TEXT COLLATE "C" NOT NULL,
    "seq" INTEGER NOT NULL,
    "type" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "data" TEXT NOT NULL,

    CONSTRAINT "run_events_pkey" PRIMARY KEY ("tenant_id","run_id","seq")
);

CREATE TABLE "messages" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "run_id" TEXT COLLATE "C" NOT NULL,
    "turn" INTEGER NOT NULL,
    "position" INTEGER NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "role" TEXT NOT NULL,
    "content" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "messages_pkey" PRIMARY KEY ("tenant_id","run_id","turn","position")
);

CREATE TABLE "model_calls" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "run_id" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "turn" INTEGER,
    "choice" INTEGER NOT NULL,
    "provider" TEXT NOT NULL,
    "api" TEXT NOT NULL,
    "model" TEXT NOT NULL,
    "response_id" TEXT,
    "request_digest" TEXT NOT NULL,
    "adapter_revision" TEXT NOT NULL,
    "sdk_revision" TEXT NOT NULL,
    "price_version" TEXT NOT NULL,
    "finish" TEXT,
    "finish_raw" TEXT,
    "failure" TEXT,
    "http_status" INTEGER,
    "input_tokens" INTEGER NOT NULL DEFAULT 0,
    "cached_input_tokens" INTEGER NOT NULL DEFAULT 0,
    "cache_write_tokens" INTEGER NOT NULL DEFAULT 0,
    "output_tokens" INTEGER NOT NULL DEFAULT 0,
    "reasoning_tokens" INTEGER NOT NULL DEFAULT 0,
    "estimated" BOOLEAN NOT NULL,
    "cost_usd" DECIMAL NOT NULL,
    "waste_usd" DECIMAL NOT NULL,
    "reserved_usd" DECIMAL NOT NULL DEFAULT 0,
    "reserved_at" TIMESTAMPTZ(3) NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "finished_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "model_calls_pkey" PRIMARY KEY ("tenant_id","run_id","id")
);

CREATE TABLE "tool_calls" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "run_id" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "turn" INTEGER NOT NULL,
    "index" INTEGER NOT NULL,
    "tool" TEXT NOT NULL,
    "tool_version" INTEGER,
    "effect" TEXT,
    "status" TEXT NOT NULL,
    "arguments" TEXT NOT NULL,
    "arguments_digest" TEXT,
    "checks" TEXT NOT NULL,
    "result" TEXT,
    "error" TEXT,
    "replay_of" TEXT,
    "call_id" TEXT NOT NULL,
    "provider_call_id" TEXT,
    "model_call_id" TEXT NOT NULL,
    "provider" TEXT NOT NULL,
    "api" TEXT NOT NULL,
    "response_id" TEXT,
    "idempotency_key" TEXT,
    "approval_id" TEXT COLLATE "C",
    "revisions" TEXT NOT NULL,
    "request_digest" TEXT NOT NULL,
    "result_digest" TEXT,
    "binding_digest" TEXT,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "started_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "tool_calls_pkey" PRIMARY KEY ("tenant_id","run_id","id")
);

CREATE TABLE "effects" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "run_id" TEXT COLLATE "C" NOT NULL,
    "tool_call_id" TEXT COLLATE "C" NOT NULL,
    "tool" TEXT NOT NULL,
    "intent_keys" TEXT[],
    "state" TEXT NOT NULL,
    "arguments_digest" TEXT NOT NULL,
    "tries" INTEGER NOT NULL DEFAULT 1,
    "intended_at" TIMESTAMPTZ(3) NOT NULL,
    "settled_at" TIMESTAMPTZ(3),

    CONSTRAINT "effects_pkey" PRIMARY KEY ("tenant_id","id")
);

CREATE TABLE "intents" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "intent_key" TEXT COLLATE "C" NOT NULL,
    "state" TEXT NOT NULL,
    "run_id" TEXT COLLATE "C" NOT NULL,
    "tool_call_id" TEXT COLLATE "C" NOT NULL,
    "effect_id" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "intents_pkey" PRIMARY KEY ("tenant_id","intent_key")
);

CREATE TABLE "approvals" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "run_id" TEXT COLLATE "C" NOT NULL,
    "agent_name" TEXT NOT NULL,
    "agent_version" INTEGER NOT NULL,
    "tool_call_id" TEXT COLLATE "C" NOT NULL,
    "tool" TEXT NOT NULL,
    "tool_version" INTEGER NOT NULL,
    "arguments" TEXT NOT NULL,
    "arguments_digest" TEXT NOT NULL,
    "effect" TEXT,
    "money" TEXT,
    "reason" TEXT NOT NULL,
    "policy_rule" TEXT NOT NULL,
    "policy_version" INTEGER NOT NULL,
    "subject" TEXT,
    "subject_id" TEXT,
    "status" TEXT NOT NULL,
    "required_approvals" INTEGER NOT NULL,
    "approver_roles" TEXT[],
    "started_by" TEXT NOT NULL,
    "requested_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "closed_at" TIMESTAMPTZ(3),

    CONSTRAINT "approvals_pkey" PRIMARY KEY ("tenant_id","id")
);

CREATE TABLE "approval_decisions" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "approval_id" TEXT COLLATE "C" NOT NULL,
    "seq" INTEGER NOT NULL,
    "by_type" TEXT NOT NULL,
    "by_id" TEXT NOT NULL,
    "decision" TEXT NOT NULL,
    "message" TEXT,
    "edited_arguments" TEXT,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "voided_at" TIMESTAMPTZ(3),

    CONSTRAINT "approval_decisions_pkey" PRIMARY KEY ("tenant_id","approval_id","seq")
);

-- CreateIndex
CREATE UNIQUE INDEX "tenants_slug_key" ON "tenants"("slug");

-- CreateIndex
CREATE UNIQUE INDEX "api_keys_key_hash_key" ON "api_keys"("key_hash");

-- CreateIndex
CREATE INDEX "idempotency_requests_created_at_idx" ON "idempotency_requests"("created_at");

-- CreateIndex
CREATE UNIQUE INDEX "tools_tenant_id_name_key" ON "tools"("tenant_id", "name");

-- CreateIndex
CREATE UNIQUE INDEX "agents_tenant_id_name_key" ON "agents"("tenant_id", "name");

-- CreateIndex
CREATE INDEX "model_calls_reserved_at_idx" ON "model_calls" USING BRIN ("reserved_at");


-- Work waits: the oldest queued run of a tenant (the claim; without queued_at its thread is busy), running ones (the
-- sweep), those that go on by themselves, those of a thread in their order. Partial, so that a finished run stands in
-- none of them.
CREATE INDEX runs_queued ON runs (tenant_id, queued_at) WHERE status = 'queued';
CREATE INDEX runs_running ON runs (tenant_id) WHERE status = 'running';
CREATE INDEX runs_waking ON runs (wake_at) WHERE wake_at IS NOT NULL;
CREATE INDEX runs_open_in_thread ON runs (tenant_id, thread_id, thread_position)
  WHERE thread_id IS NOT NULL AND finished_at IS NULL;
CREATE INDEX runs_by_thread ON runs (tenant_id, thread_id, id) WHERE thread_id IS NOT NULL;
CREATE INDEX runs_by_operation ON runs (tenant_id, operation_id, id) WHERE operation_id <> id;

-- The fair claim: tenants with work and room, by virtual time; and who is busy, for a tenant that wakes.
CREATE INDEX tenant_schedule_claimable ON tenant_schedule (virtual_time)
  WHERE has_queued AND NOT suspended AND running < max_running;
CREATE INDEX tenant_schedule_busy ON tenant_schedule (virtual_time) WHERE running > 0;

-- People's inboxes.
CREATE INDEX approvals_pending ON approvals (tenant_id, id) WHERE status = 'pending';
CREATE INDEX approvals_expiring ON approvals (tenant_id, expires_at, id) WHERE status = 'pending';
CREATE INDEX approvals_closed ON approvals (tenant_id, tool, policy_rule, closed_at) WHERE closed_at IS NOT NULL;
CREATE INDEX effects_unknown ON effects (tenant_id, id) WHERE state = 'unknown';

-- Rows that change while a run runs find room on their own page, so that an update touches no index.
ALTER TABLE runs SET (fillfactor = 50);
ALTER TABLE tool_calls SET (fillfactor = 60);
ALTER TABLE budgets SET (fillfactor = 20, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);
ALTER TABLE tenant_schedule SET (fillfactor = 20, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);

-- Definitions and rules are written rarely and read often: they are checked here to be JSON at all.
ALTER TABLE tool_versions ADD CONSTRAINT tool_versions_definition_is_json CHECK (definition::json IS NOT NULL);
ALTER TABLE agent_versions ADD CONSTRAINT agent_versions_definition_is_json CHECK (definition::json IS NOT NULL);
ALTER TABLE policies ADD CONSTRAINT policies_rules_are_json CHECK (rules::json IS NOT NULL);
ALTER TABLE policies ADD CONSTRAINT policies_allowlist_is_json
  CHECK (allowlist IS NULL OR allowlist::json IS NOT NULL);
