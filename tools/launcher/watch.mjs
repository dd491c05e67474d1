import { build } from './build.mjs';
import { readEnvironment } from './environment.mjs';
import { inRoot } from './paths.mjs';
import { session } from './session.mjs';
import { runStack } from './stack.mjs';

/** `npm run dev`: as npm start, with sources compiled and processes started again as they change. */
export function watch() {
  const environment = readEnvironment(process.env, { demo: true });
  return session(environment.dataDirectory, async (own) => {
    await build();
    own.processes.start({
      name: 'compiler',
      command: process.execPath,
      args: [inRoot('node_modules/typescript/bin/tsc'), '-b', '--watch', '--preserveWatchOutput'],
      output: 'lines',
    });
    return runStack(environment, own, { watching: true });
  });
}
