-- People: who signs in, and of which tenants they are members.
--
-- A user may be a member of several tenants, so users, sessions and accounts have no tenant. A tenant sees the users who
-- are (or were) its members; all three are open to a transaction that signs somebody in, and to no other.

CREATE TABLE "users" (
    "id" TEXT COLLATE "C" NOT NULL,
    "email" TEXT COLLATE "C" NOT NULL,
    "name" TEXT NOT NULL,
    "operator" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "users_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "accounts" (
    "id" TEXT COLLATE "C" NOT NULL,
    "user_id" TEXT COLLATE "C" NOT NULL,
    "provider_id" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "password" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "accounts_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "sessions" (
    "id" TEXT COLLATE "C" NOT NULL,
    "user_id" TEXT COLLATE "C" NOT NULL,
    "token" TEXT COLLATE "C" NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "ip_address" TEXT,
    "user_agent" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "sessions_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "members" (
    "tenant_id" TEXT COLLATE "C" NOT NULL,
    "user_id" TEXT COLLATE "C" NOT NULL,
    "name" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "removed_at" TIMESTAMPTZ(3),

    CONSTRAINT "members_pkey" PRIMARY KEY ("tenant_id","user_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "users_email_key" ON "users"("email");

-- CreateIndex
CREATE UNIQUE INDEX "accounts_provider_id_account_id_key" ON "accounts"("provider_id", "account_id");

-- CreateIndex
CREATE INDEX "accounts_user_id_idx" ON "accounts"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "sessions_token_key" ON "sessions"("token");

-- CreateIndex
CREATE INDEX "sessions_user_id_idx" ON "sessions"("user_id");

-- CreateIndex
CREATE INDEX "sessions_expires_at_idx" ON "sessions"("expires_at");

-- CreateIndex
CREATE INDEX "members_user_id_idx" ON "members"("user_id");

CREATE INDEX users_operators ON users (id) WHERE operator;

-- One spelling of an address, so that it names one person.
ALTER TABLE users ADD CONSTRAINT users_email_is_lower_case CHECK (email = lower(email));
ALTER TABLE members ADD CONSTRAINT members_role_is_known CHECK (role IN ('viewer', 'reviewer', 'operator', 'admin'));

-- ---- Row security (see 0002)

-- Whether this transaction signs somebody in: set by the sign-in repository alone, for one statement at a time.
CREATE FUNCTION signing_in() RETURNS boolean
LANGUAGE sql STABLE PARALLEL SAFE
AS $$ SELECT coalesce(current_setting('app.signing_in', true), '') = 'on' $$;

DO $$
DECLARE
  table_name text;
BEGIN
  FOREACH table_name IN ARRAY ARRAY['users', 'accounts', 'sessions', 'members'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', table_name);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', table_name);
    EXECUTE format('CREATE POLICY across_tenants ON %I FOR ALL TO countersign_claimer USING (true)', table_name);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO countersign_claimer', table_name);
    IF table_name = 'members' THEN
      CREATE POLICY own_rows ON members FOR ALL TO countersign_app
        USING (tenant_id = app_tenant()) WITH CHECK (tenant_id = app_tenant());
    ELSE
      EXECUTE format('CREATE POLICY to_sign_in ON %I FOR ALL TO countersign_app USING (signing_in())', table_name);
    END IF;
  END LOOP;
END $$;

CREATE POLICY own_members ON users FOR SELECT TO countersign_app
  USING (id IN (SELECT user_id FROM members WHERE tenant_id = app_tenant()));

-- Nobody is deleted: a member who left keeps the row, so that what they decided can still be told. Users are made, and
-- made operators, by the functions below alone.
GRANT SELECT, INSERT, UPDATE (name, role, created_at, removed_at) ON members TO countersign_app;
GRANT SELECT ON users TO countersign_app;
GRANT SELECT, UPDATE (password, updated_at) ON accounts TO countersign_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON sessions TO countersign_app;

-- ---- put_user: the user of an address, made with this password where there is none
-- p_user: {id, email, name, accountId, passwordHash}. Returns {id, email, name, createdAt, created}.
CREATE FUNCTION put_user(p_user text) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
AS $$
DECLARE
  given record;
  person record;
BEGIN
  SELECT * INTO given
  FROM json_to_record(p_user::json) AS g(id text, email text, name text, "accountId" text, "passwordHash" text);
  INSERT INTO users (id, email, name) VALUES (given.id, given.email, given.name) ON CONFLICT (email) DO NOTHING;
  IF FOUND THEN
    INSERT INTO accounts (id, user_id, provider_id, account_id, password)
    VALUES (given."accountId", given.id, 'credential', given.id, given."passwordHash");
  END IF;
  SELECT id, email, name, created_at INTO person FROM users WHERE email = given.email;
  RETURN json_build_object('id', person.id, 'email', person.email, 'name', person.name,
    'createdAt', milliseconds(person.created_at), 'created', person.id = given.id)::text;
END $$;

-- ---- memberships_of: the tenants of a user, by slug
CREATE FUNCTION memberships_of(p_user text) RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
AS $$
  SELECT coalesce(json_agg(json_build_object('id', t.id, 'slug', t.slug, 'name', t.name, 'role', m.role,
    'suspended', t.suspended_at IS NOT NULL, 'requestsPerSecond', t.requests_per_second) ORDER BY t.slug), '[]')::text
  FROM members AS m JOIN tenants AS t ON t.id = m.tenant_id
  WHERE m.user_id = p_user AND m.removed_at IS NULL
$$;

-- ---- The platform's operators (/admin/v1)

-- Newest first, those before the id p_before (null: from the newest).
CREATE FUNCTION operator_list_operators(p_limit int, p_before text) RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
AS $$
  SELECT coalesce(json_agg(json_build_object('id', id, 'email', email, 'name', name,
    'createdAt', milliseconds(created_at)) ORDER BY id DESC), '[]')::text
  FROM (SELECT * FROM users WHERE operator AND (p_before IS NULL OR id < p_before) ORDER BY id DESC LIMIT p_limit) AS page
$$;

-- A new user who is an operator (see put_user). Null: the address has an account, whose
-- password may be known to whoever made it.
CREATE FUNCTION operator_add_operator(p_user text) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
AS $$
DECLARE
  person text := put_user(p_user);
BEGIN
  UPDATE users SET operator = true, updated_at = clock_timestamp()
  WHERE id = person::json ->> 'id' AND (person::json ->> 'created')::boolean;
  RETURN CASE WHEN FOUND THEN person END;
END $$;

-- False where there is no such operator.
CREATE FUNCTION operator_remove_operator(p_user text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
AS $$
BEGIN
  UPDATE users SET operator = false, updated_at = clock_timestamp() WHERE id = p_user AND operator;
  RETURN FOUND;
END $$;

-- ---- forget_sessions: expired ones. Returns how many were forgotten.
CREATE FUNCTION forget_sessions(p_limit int) RETURNS int
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
AS $$
DECLARE
  forgotten int;
BEGIN
  DELETE FROM sessions WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM sessions WHERE expires_at < clock_timestamp() LIMIT p_limit));
  GET DIAGNOSTICS forgotten = ROW_COUNT;
  RETURN forgotten;
END $$;

-- ---- Who owns and who may call (see 0005)
GRANT CREATE ON SCHEMA public TO countersign_claimer;
DO $$
DECLARE
  signature regprocedure;
BEGIN
  FOREACH signature IN ARRAY ARRAY['signing_in()', 'put_user(text)', 'memberships_of(text)',
    'operator_list_operators(int, text)', 'operator_add_operator(text)',
    'operator_remove_operator(text)', 'forget_sessions(int)']::regprocedure[]
  LOOP
    EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', signature);
    EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO countersign_app, countersign_claimer', signature);
    IF (SELECT prosecdef FROM pg_proc WHERE oid = signature) THEN
      EXECUTE format('ALTER FUNCTION %s OWNER TO countersign_claimer', signature);
    END IF;
  END LOOP;
END $$;
REVOKE CREATE ON SCHEMA public FROM countersign_claimer;
