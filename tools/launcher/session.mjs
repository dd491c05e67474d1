import { DataDirectory } from './data-directory.mjs';
import { Processes } from './processes.mjs';
import { say } from './say.mjs';

/** Together below the ten seconds in which a stop is done (CONTRACT, Commands). */
const GRACE = { applicationMs: 8_000, serviceMs: 1_500 };

/**
 * Holds the data directory and the processes of one start: whatever way it ends (its work is done, it fails, Ctrl-C,
 * SIGTERM), everything that was started is ended.
 *
 * @param {string} folder the data directory
 * @param {(session: { directory: DataDirectory, processes: Processes }) => Promise<number>} work resolves to the exit code
 * @param {{ whenAskedToStop: number }} [codes] 0 where being stopped is how it ends, else what says that it was cut short
 * @returns {Promise<number>}
 */
export async function session(folder, work, { whenAskedToStop } = { whenAskedToStop: 0 }) {
  const directory = new DataDirectory(folder);
  await directory.take();
  const processes = new Processes((name, pid) => directory.record(name, pid));
  try {
    return await Promise.race([work({ directory, processes }), askedToStop().then(() => whenAskedToStop)]);
  } finally {
    await processes.stop(GRACE);
    directory.release();
  }
}

/** Resolves when a person or the system asks for the end. @returns {Promise<void>} */
function askedToStop() {
  return new Promise((resolve) => {
    let asked = false;
    for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
      // Kept for good: a second Ctrl-C must not end the launcher before its processes have ended.
      process.on(signal, () => {
        if (!asked) {
          asked = true;
          say('Stopping');
          resolve();
        }
      });
    }
  });
}
