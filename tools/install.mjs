#!/usr/bin/env node
// Installs the packages that are missing, before a command that needs them.
import { ensureInstalled } from './launcher/install.mjs';
import { run } from './launcher/say.mjs';

run(async () => {
  await ensureInstalled();
  return 0;
});
