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

/** The longest time that a run of this stack lay still because its worker was gone. */
export async function longestRecoveryMs({ database }: Stack): Promise<number | null> {
  const [row] = await database.query<{ longest: number | null }>(
    `SELECT max(milliseconds(again.at) - milliseconds(last.at))::int AS longest
     FROM run_events AS back
     JOIN LATERAL (SELECT at FROM run_events AS e WHERE e.run_id = back.run_id AND e.seq < back.seq
       AND NOT (e.type = 'model.failed' AND e.data LIKE '%"worker_lost"%') ORDER BY seq DESC LIMIT 1) AS last ON true
     JOIN LATERAL (SELECT at FROM run_events AS e WHERE e.run_id = back.run_id AND e.seq > back.seq
       AND e.type = 'run.resumed' ORDER BY seq LIMIT 1) AS again ON true
     WHERE back.type = 'run.handed_back' AND back.data LIKE '%lease_expired%'`,
  );
  return row?.longest ?? null;
}

const DOCUMENT = path.resolve(__dirname, '../../../docs/faults.md');
const [BEGIN, END] = ['<!-- measured by npm run faults -->', '<!-- end of what was measured -->'];

/** Writes the table into docs/faults.md, in the place of the last one, and prints it. */
export function publish(rows: readonly Measured[], seed: number): void {
  const head = ['fault', 'injected', 'runs', 'lost', 'duplicated', 'given up', 'stuck', 'longest recovery'];
  const lines = rows.map((row) =>
    [
      row.fault,
      row.injected,
      row.runs,
      row.lost,
      row.duplicated,
      row.givenUp,
      row.stuck,
      row.longestRecoveryMs === null ? 'none needed' : `${(row.longestRecoveryMs / 1000).toFixed(1)} s`,
    ].join(' | '),
  );
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  const machine = `${new Date().toISOString().slice(0, 10)}, ${cpus().length} CPUs, ${gigabytes} GB, Node ${process.versions.node}, seed ${seed}; leases of 1 s.`;
  const table = [head.join(' | '), head.map(() => '---').join(' | '), ...lines].map((line) => `| ${line} |`);
  const measured = [machine, '', ...table].join('\n');
  process.stdout.write(`\n${measured}\n\n`);
  const text = readFileSync(DOCUMENT, 'utf8');
  const before = text.slice(0, text.indexOf(BEGIN) + BEGIN.length);
  writeFileSync(DOCUMENT, `${before}\n\n${measured}\n\n${text.slice(text.indexOf(END))}`);
}
