// What durable runs cost, beside what the same Postgres and queue do at best. Started by `npm run bench`, which brings
// up both; docs/performance.md says what the figures mean.
import { measureFloor, measureMemory, measureQueue, measureRuns, warmUp } from './measure.mjs';
import { loadsOf, readOptions } from './options.mjs';
import { report } from './report.mjs';
import { openStand } from './stand.mjs';

const options = readOptions(process.argv.slice(2));
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => process.exit(1));
}
const stand = await openStand(options);
const say = (/** @type {string} */ text) => process.stderr.write(`${text}\n`);
/** @type {import('./report.mjs').Figures} */
const figures = {
  stand: stand.description,
  runs: [],
  floors: [],
  queueFloors: undefined,
  memory: undefined,
};
try {
  await warmUp(stand, options);
  for (const rounds of options.rounds) {
    if (options.parts.has('floors')) {
      say(`Floor of ${rounds} rounds`);
      figures.floors.push(await measureFloor(stand, options, rounds));
    }
    for (const load of options.parts.has('runs') ? loadsOf(options, rounds) : []) {
      say(`Runs of ${rounds} rounds, ${load.read} reads, tenants: ${load.tenants}`);
      figures.runs.push(await measureRuns(stand, options, load));
    }
  }
  if (options.parts.has('floors')) {
    say('Floors of the queue');
    figures.queueFloors = await measureQueue(stand, options);
  }
  if (options.parts.has('memory')) {
    say('Memory');
    figures.memory = await measureMemory(stand, options);
  }
} finally {
  await stand.close();
}
process.stdout.write(`${options.json ? JSON.stringify(figures, null, 2) : report(figures)}\n`);
