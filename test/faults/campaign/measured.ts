import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import path from 'node:path';
import type { Stack } from '../../support/stack.js';

/** What a fault did to the runs that it met. */
export interface Measured {
  readonly fault: string;
  readonly injected: number;
  readonly runs: number;
  readonly lost: number;
  readonly duplicated: number;
  /** Truly recorded as not made, after two interrupted tries. */
  readonly givenUp: number;
  readonly stuck: number;
  /** From the last sign of a run on its lost worker to its being claimed anew, in milliseconds; null where none was lost. */
  readonly longestRecoveryMs: number | null;
}

/**
 * The longest time that a run of this stack lay still because its worker was gone: from the worker's death where that is
 * known (by its name, in milliseconds), else from the last event of the run on it, to the run's being claimed anew.
 */
export async function longestRecoveryMs(
  { database }: Stack,
  deaths: ReadonlyMap<string, number> = new Map(),
): Promise<number | null> {
  const [row] = await database.query<{ longest: number | null }>(
    `SELECT max(milliseconds(again.at) - greatest(milliseconds(last.at), (d.data ->> held.worker)::bigint))::int AS longest
     FROM (SELECT $1::json AS data) AS d, run_events AS back
     JOIN LATERAL (SELECT at FROM run_events AS e WHERE e.run_id = back.run_id AND e.seq < back.seq
       AND NOT (e.type = 'model.failed' AND e.data LIKE '%"worker_lost"%') ORDER BY seq DESC LIMIT 1) AS last ON true
     JOIN LATERAL (SELECT e.data::json ->> 'worker' AS worker FROM run_events AS e WHERE e.run_id = back.run_id
       AND e.seq < back.seq AND e.type IN ('run.started', 'run.resumed') ORDER BY seq DESC LIMIT 1) AS held ON true
     JOIN LATERAL (SELECT at FROM run_events AS e WHERE e.run_id = back.run_id AND e.seq > back.seq
       AND e.type = 'run.resumed' ORDER BY seq LIMIT 1) AS again ON true
     WHERE back.type = 'run.handed_back' AND back.data LIKE '%lease_expired%'`,
    [JSON.stringify(Object.fromEntries(deaths))],
  );
  return row?.longest ?? null;
}

const DOCUMENT = path.resolve(__dirname, '../../../docs/faults.md');
const [BEGIN, END] = ['<!-- measured by npm run faults -->', '<!-- end of what was measured -->'];
const HEAD = [
  'fault',
  'injected',
  'runs',
  'lost',
  'duplicated',
  'given up',
  'stuck',
  'longest recovery',
  'on',
];

/** How a campaign was made, for who repeats it. */
export interface Circumstances {
  readonly seed: number;
  readonly leaseSeconds: number;
}

/**
 * Writes the table into docs/faults.md and prints it. A fault that was not injected this time keeps the row, with the
 * date, of the last time that it was.
 */
export function publish(rows: readonly Measured[], { seed, leaseSeconds }: Circumstances): void {
  const today = new Date().toISOString().slice(0, 10);
  const text = readFileSync(DOCUMENT, 'utf8');
  const [start, end] = [text.indexOf(BEGIN) + BEGIN.length, text.indexOf(END)];
  const measuredNow = new Set(rows.map(({ fault }) => fault));
  const kept = rowsOf(text.slice(start, end)).filter(([fault]) => !measuredNow.has(fault ?? ''));
  const table = [HEAD, HEAD.map(() => '---'), ...rows.map((row) => [...cellsOf(row), today]), ...kept];
  const lines = table.map((cells) => `| ${cells.join(' | ')} |`);
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  const machine = `${cpus().length} CPUs, ${gigabytes} GB, Node ${process.versions.node}; leases of ${leaseSeconds} s; the latest with seed ${seed}.`;
  const measured = [machine, '', ...lines].join('\n');
  process.stdout.write(`\n${measured}\n\n`);
  writeFileSync(DOCUMENT, `${text.slice(0, start)}\n\n${measured}\n\n${text.slice(end)}`);
}

function cellsOf(row: Measured): string[] {
  const recovery =
    row.longestRecoveryMs === null ? 'none needed' : `${(row.longestRecoveryMs / 1000).toFixed(1)} s`;
  const counts = [row.injected, row.runs, row.lost, row.duplicated, row.givenUp, row.stuck];
  return [row.fault, ...counts.map(String), recovery];
}

/** The rows of a table in Markdown, without its head; those of another shape are left out. */
function rowsOf(markdown: string): string[][] {
  const lines = markdown.split('\n').filter((line) => line.startsWith('| '));
  const rows = lines.map((line) => line.slice(2, -2).split(' | '));
  return rows.slice(2).filter((cells) => cells.length === HEAD.length);
}
