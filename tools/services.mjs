#!/usr/bin/env node
// `npm run services`: only Postgres and the queue, in the foreground, for processes that are started apart.
import { ensureInstalled } from './launcher/install.mjs';
import { run, StartError, say } from './launcher/say.mjs';

run(async () => {
  await ensureInstalled();
  const { readEnvironment } = await import('./launcher/environment.mjs');
  const { describeEnding } = await import('./launcher/processes.mjs');
  const { serviceVariables, startServices } = await import('./launcher/services.mjs');
  const { session } = await import('./launcher/session.mjs');
  const environment = readEnvironment(process.env, { demo: false });
  return session(environment.dataDirectory, async ({ directory, processes }) => {
    const services = await startServices({
      environment,
      directory,
      processes,
      durable: true,
      database: 'countersign',
    });
    for (const [name, value] of Object.entries(serviceVariables(services))) {
      say(`${name}=${value}`);
    }
    throw new StartError(describeEnding(await processes.firstFailure));
  });
});
