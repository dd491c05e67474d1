import { inRoot } from './paths.mjs';
import { runToEnd } from './run-to-end.mjs';
import { StartError, say } from './say.mjs';

const SLOW_MS = 2_000;

/** Builds what is not built or is older than its sources; nx knows which. Its words are shown when it fails. */
export async function build() {
  const slow = setTimeout(() => say('Building'), SLOW_MS);
  const nx = inRoot('node_modules/nx/dist/bin/nx.js');
  const { code, output } = await runToEnd(process.execPath, [nx, 'run-many', '-t', 'build'], {
    env: { ...process.env, NX_DAEMON: 'false', NEXT_TELEMETRY_DISABLED: '1' },
  });
  clearTimeout(slow);
  if (code !== 0) {
    throw new StartError(`The build failed:\n${output.trim()}`);
  }
}
