import { type Database, readRows } from './database.js';

/** The role of DATABASE_URL must not be used: one line for people. */
export class UnsafeRoleError extends Error {}

/**
 * Refuses to work as a role that row-level security does not hold for (invariant I8), or that lacks our grants.
 * @throws UnsafeRoleError
 */
export async function assertApplicationRole(database: Database): Promise<void> {
  const [role] = await readRows<{ name: string; unsafe: string | null; granted: boolean }>(
    database,
    `SELECT current_user::text AS name,
      CASE WHEN bool_or(r.rolsuper) THEN 'a superuser' WHEN bool_or(r.rolbypassrls) THEN 'BYPASSRLS'
        WHEN EXISTS (SELECT FROM pg_class AS c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r'
                     AND pg_has_role(c.relowner, 'MEMBER')) THEN 'the owner of tables' END AS unsafe,
      EXISTS (SELECT FROM pg_roles WHERE rolname = 'countersign_app' AND pg_has_role(oid, 'USAGE')) AS granted
    FROM pg_roles AS r WHERE pg_has_role(r.oid, 'MEMBER')`,
  );
  if (role?.unsafe) {
    throw new UnsafeRoleError(
      `DATABASE_URL: its role ${role.name} is ${role.unsafe}, takes one that row-level security holds for`,
    );
  }
  if (!role?.granted) {
    throw new UnsafeRoleError(
      `DATABASE_URL: its role ${role?.name ?? ''} lacks the grants, takes a member of countersign_app`,
    );
  }
}
