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
 * @param {import('pg').Pool} superuser whom row security does not hold back
 * @param {string} runId
 * @returns {Promise<{ commits: number, rows: number, rowBytes: number }>}
 */
export async function shapeOfRun(superuser, runId) {
  const tables = WRITTEN.map((table) => {
    const key = table === 'runs' ? 'id' : 'run_id';
    return `SELECT pg_column_size(t.*) AS bytes FROM ${table} AS t WHERE ${key} = $1`;
  });
  const { rows: sizes } = await superuser.query(
    `SELECT count(*)::int AS rows, sum(bytes)::int AS bytes FROM (${tables.join(' UNION ALL ')}) AS written`,
    [runId],
  );
  const { rows: commits } = await superuser.query(
    'SELECT count(DISTINCT xmin::text)::int AS commits FROM run_events WHERE run_id = $1',
    [runId],
  );
  // The first reservation of a run is a commit that writes no event.
  return {
    commits: commits[0].commits + 1,
    rows: sizes[0].rows,
    rowBytes: Math.round(sizes[0].bytes / sizes[0].rows),
  };
}
