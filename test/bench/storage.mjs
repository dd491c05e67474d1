/** Tables that hold what a run writes. */
const WRITTEN = ['runs', 'run_events', 'messages', 'model_calls', 'tool_calls'];

/** Bytes on disk of every table of ours, with indexes. @param {import('pg').Pool} owner @returns {Promise<number>} */
export async function storedBytes(owner) {
  const { rows } = await owner.query(
    `SELECT sum(pg_total_relation_size(oid))::float8 AS bytes FROM pg_class
     WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`,
  );
  return rows[0].bytes;
}

/**
 * What one run left behind: how many rows, of how many bytes each, in how many commits.
 *
 * @param {import('pg').Pool} application the role that a tenant's rows are visible to
 * @param {string} tenant @param {string} runId
 * @returns {Promise<{ commits: number, rows: number, rowBytes: number }>}
 */
export async function shapeOfRun(application, tenant, runId) {
  const sizes = WRITTEN.map((table) => {
    const key = table === 'runs' ? 'id' : 'run_id';
    return `SELECT pg_column_size(t.*) AS bytes FROM ${table} AS t WHERE ${key} = $1`;
  });
  const client = await application.connect();
  try {
    await client.query('BEGIN');
    await client.query("SELECT set_config('app.tenant', $1, true)", [tenant]);
    const { rows } = await client.query(
      `SELECT count(*)::int AS rows, sum(bytes)::int AS bytes,
         (SELECT count(DISTINCT xmin::text)::int FROM run_events WHERE run_id = $1) AS commits
       FROM (${sizes.join(' UNION ALL ')}) AS written`,
      [runId],
    );
    const [all] = rows;
    // The first reservation of a run is a commit that writes no event.
    return { commits: all.commits + 1, rows: all.rows, rowBytes: Math.round(all.bytes / all.rows) };
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
}
