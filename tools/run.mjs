#!/usr/bin/env node
// The other commands of package.json, by name: node tools/run.mjs <command> [arguments].
import { ensureInstalled } from './launcher/install.mjs';
import { run, StartError } from './launcher/say.mjs';

run(async () => {
  await ensureInstalled();
  const { commands } = await import('./launcher/commands.mjs');
  const [name = '', ...args] = process.argv.slice(2);
  const command = commands[name];
  if (command === undefined) {
    throw new StartError(
      `There is no command ${JSON.stringify(name)}; there are ${Object.keys(commands).join(', ')}`,
    );
  }
  return command(args);
});
