import { parseArgs } from 'node:util';

/** How many runs of each length are measured: enough to last some seconds each on two cores. */
const RUNS = { full: { 3: 1_500, 20: 300, 199: 60 }, quick: { 3: 150, 20: 40, 199: 20 } };

const HELP = `npm run bench -- [options]
  --quick                 a short look, without long runs
  --rounds 3,20,199       read rounds of a run; 199 is the most: a run has 200 turns at most, and the last one answers
  --tenants 1,20          tenants that the runs are of
  --reads computed,http   how a round reads: computed by the worker, or over HTTP
  --concurrency 20        runs at once
  --only runs,floors,memory   parts of it
  --json                  figures as JSON instead of tables
  --profile <folder>      CPU profiles of API and worker (slower; open them in Chrome's developer tools)`;

const PARTS = ['runs', 'floors', 'memory'];

/** @type {readonly import('./customer.mjs').Read[]} */
const READS = ['computed', 'http'];

/**
 * @typedef {object} Options
 * @property {boolean} quick
 * @property {number[]} rounds
 * @property {number[]} tenants
 * @property {readonly import('./customer.mjs').Read[]} reads
 * @property {number} concurrency
 * @property {ReadonlySet<string>} parts
 * @property {boolean} json
 * @property {string | undefined} profile
 */

/**
 * Reads the command line. Prints how it is used and ends the process where that was asked for.
 *
 * @param {string[]} args
 * @returns {Options}
 * @throws {TypeError} for what it does not know
 */
export function readOptions(args) {
  const { values } = parseArgs({
    args,
    options: {
      quick: { type: 'boolean', default: false },
      rounds: { type: 'string' },
      tenants: { type: 'string', default: '1,20' },
      reads: { type: 'string', default: READS.join(',') },
      concurrency: { type: 'string', default: '20' },
      only: { type: 'string', default: PARTS.join(',') },
      json: { type: 'boolean', default: false },
      profile: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(`${HELP}\n`);
    process.exit(0);
  }
  return {
    quick: values.quick,
    rounds: wholeNumbers('--rounds', values.rounds ?? (values.quick ? '3,20' : '3,20,199'), 199),
    tenants: wholeNumbers('--tenants', values.tenants, 100),
    concurrency: wholeNumbers('--concurrency', values.concurrency, 1_000)[0] ?? 20,
    reads: words('--reads', values.reads, READS),
    parts: new Set(words('--only', values.only, PARTS)),
    json: values.json,
    profile: values.profile,
  };
}

/**
 * What is measured of runs of this many rounds. Reads over HTTP only with the most tenants: one row more each.
 *
 * @param {Options} options @param {number} rounds @returns {import('./measure.mjs').Load[]}
 */
export function loadsOf({ tenants, reads }, rounds) {
  const most = Math.max(...tenants);
  return reads.flatMap((read) =>
    tenants
      .filter((count) => read === 'computed' || count === most)
      .map((count) => ({ rounds, tenants: count, read })),
  );
}

/**
 * How many runs of this many rounds are measured.
 *
 * @param {Options} options @param {number} rounds
 */
export function runsOf({ quick, concurrency }, rounds) {
  const known = Object.entries(quick ? RUNS.quick : RUNS.full);
  const nearest = known.find(([length]) => rounds <= Number(length)) ?? known.at(-1);
  return Math.max(concurrency, nearest?.[1] ?? 0);
}

/** @template {string} Word @param {string} name @param {string} text @param {readonly Word[]} known @returns {Word[]} */
function words(name, text, known) {
  return text.split(',').map((word) => {
    const found = known.find((one) => one === word);
    if (found === undefined) {
      throw new TypeError(`${name}: got ${word}, takes ${known.join(', ')}`);
    }
    return found;
  });
}

/** @param {string} name @param {string} text @param {number} most */
function wholeNumbers(name, text, most) {
  const numbers = text.split(',').map(Number);
  if (!numbers.every((one) => Number.isInteger(one) && one >= 1 && one <= most)) {
    throw new TypeError(`${name}: got ${text}, takes whole numbers from 1 to ${most}, apart by commas`);
  }
  return numbers;
}
