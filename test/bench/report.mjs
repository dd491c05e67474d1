/**
 * @typedef {object} Figures
 * @property {string} stand what they depend on
 * @property {import('./measure.mjs').RunFigures[]} runs
 * @property {import('./measure.mjs').FloorFigures[]} floors
 * @property {import('./measure.mjs').QueueFigures | undefined} queueFloors
 * @property {import('./measure.mjs').MemoryFigures | undefined} memory
 */

/** The figures as text for people. @param {Figures} figures @returns {string} */
export function report(figures) {
  const parts = [
    figures.stand,
    runsTable(figures),
    proportion(figures),
    cpuTable(figures),
    floors(figures),
    memory(figures),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

/** @param {Figures} figures */
function runsTable({ runs, floors: bare }) {
  if (runs.length === 0) {
    return '';
  }
  const head = [
    'rounds',
    'tenants',
    'reads',
    'runs',
    'runs/s',
    'model calls/s',
    'p50 ms',
    'p95 ms',
    'KB/run',
    'of floor',
  ];
  const rows = runs.map((one) => {
    // The floor has the commits of a run whose reads are computed.
    const floor =
      one.read === 'http' ? undefined : bare.find(({ rounds }) => rounds === one.rounds)?.pace.perSecond;
    return [
      one.rounds,
      one.tenants,
      one.read,
      one.runs,
      one.perSecond.toFixed(1),
      one.modelCallsPerSecond.toFixed(0),
      one.p50.toFixed(1),
      one.p95.toFixed(1),
      (one.bytesPerRun / 1024).toFixed(1),
      floor === undefined ? '-' : (one.perSecond / floor).toFixed(2),
    ];
  });
  return table(head, rows);
}

/** Bytes must grow as rounds do, not faster. @param {Figures} figures */
function proportion({ runs }) {
  const turns = (/** @type {number} */ rounds) => {
    const found = runs.filter((one) => one.rounds === rounds && one.read === 'computed');
    const bytes = found.reduce((sum, one) => sum + one.bytesPerRun, 0) / found.length;
    return found.length === 0 ? undefined : bytes / (rounds + 1);
  };
  const [short, long] = [turns(20), turns(199)];
  if (short === undefined || long === undefined) {
    return '';
  }
  return `Bytes a model call: ${short.toFixed(0)} in runs of 20 rounds, ${long.toFixed(0)} in runs of 199 (${(long / short).toFixed(2)} times)`;
}

/** @param {Figures} figures */
function cpuTable({ runs }) {
  const [first] = runs;
  if (first === undefined) {
    return '';
  }
  const names = Object.keys(first.cpuPerRun);
  const rows = runs.map((one) => [
    one.rounds,
    one.tenants,
    one.read,
    ...names.map((name) => one.cpuPerRun[name]?.toFixed(2) ?? '-'),
  ]);
  return `CPU, milliseconds a run\n${table(['rounds', 'tenants', 'reads', ...names], rows)}`;
}

/** @param {Figures} figures */
function floors({ floors: bare, queueFloors }) {
  const lines = bare.map(
    ({ rounds, shape, pace }) =>
      `${rounds} rounds: ${pace.perSecond.toFixed(0)} runs/s, p50 ${pace.p50.toFixed(1)} ms ` +
      `(${shape.commits} commits, ${shape.rows} rows of ${shape.rowBytes} bytes)`,
  );
  const all = lines.length === 0 ? [] : ['Floor: bare commits of the same rows', ...lines];
  if (queueFloors !== undefined) {
    const { jobs, threeCommits, threeCommitsAlone } = queueFloors;
    all.push(
      'Floor: the queue',
      `empty jobs: ${jobs.perSecond.toFixed(0)}/s`,
      `post, process, see: p50 ${jobs.alone.p50.toFixed(1)} ms alone, ${jobs.together.p50.toFixed(1)} ms together`,
      `three commits: p50 ${threeCommitsAlone.p50.toFixed(1)} ms alone, ${threeCommits.p50.toFixed(1)} ms together`,
    );
  }
  return all.join('\n');
}

/** @param {Figures} figures */
function memory({ memory: seen }) {
  if (seen === undefined) {
    return '';
  }
  const megabytes = Object.entries(seen.mostBytes).map(
    ([name, bytes]) => `${name} ${(bytes / 1e6).toFixed(0)} MB`,
  );
  return `Most memory with ${seen.runs} runs of ${seen.rounds} rounds under way: ${megabytes.join(', ')}`;
}

/** @param {string[]} head @param {(string | number)[][]} rows */
function table(head, rows) {
  const lines = [head, ...rows].map((cells) => cells.map(String));
  const widths = head.map((_, column) => Math.max(...lines.map((cells) => cells[column]?.length ?? 0)));
  return lines
    .map((cells) => cells.map((cell, column) => cell.padStart(widths[column] ?? 0)).join('  '))
    .join('\n');
}
