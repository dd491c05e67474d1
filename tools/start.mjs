#!/usr/bin/env node
// `npm start`: from a fresh clone to a running Countersign, in the foreground.
import { ensureInstalled } from './launcher/install.mjs';
import { run } from './launcher/say.mjs';

run(async () => {
  await ensureInstalled();
  // Only now: these import packages.
  const { readEnvironment } = await import('./launcher/environment.mjs');
  const { session } = await import('./launcher/session.mjs');
  const { runStack } = await import('./launcher/stack.mjs');
  const environment = readEnvironment(process.env, { demo: true });
  return session(environment.dataDirectory, (own) => runStack(environment, own));
});
