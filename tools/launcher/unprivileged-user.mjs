import { createHash } from 'node:crypto';
import { chmodSync, chownSync, lstatSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { say } from './say.mjs';

const SYSTEM_DATA = '/var/lib/countersign';

/** @typedef {{ uid: number, gid: number }} User */

/** Whom services run as: nobody when we are root (Postgres refuses to run as root), else ourselves. @returns {User | undefined} */
export function serviceUser() {
  if (process.getuid?.() !== 0) {
    return undefined;
  }
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((one) => one.startsWith('nobody:'));
  const [, , uid = '65534', gid = '65534'] = line?.split(':') ?? [];
  // Some systems write nobody's id as a signed number.
  return { uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 };
}

/**
 * A folder of the user's own inside the data directory, or, where the user cannot reach that (a checkout below a home
 * that is closed to others), below /var/lib/countersign under a name made from the data directory's path.
 *
 * @param {string} dataDirectory @param {string} name @param {User | undefined} user
 */
export function serviceFolder(dataDirectory, name, user) {
  let folder = path.join(dataDirectory, name);
  if (user !== undefined && !canReach(dataDirectory, user)) {
    const digest = createHash('sha256').update(dataDirectory).digest('hex').slice(0, 16);
    for (const open of [SYSTEM_DATA, path.join(SYSTEM_DATA, digest)]) {
      mkdirSync(open, { recursive: true });
      // Apart from making it, since the umask would take away what others need to pass through.
      chmodSync(open, 0o711);
    }
    folder = path.join(SYSTEM_DATA, digest, name);
    say(`Data of ${name}: ${folder} (${dataDirectory} is closed to the user that ${name} runs as)`);
  }
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (user !== undefined && lstatSync(folder).uid !== user.uid) {
    chownSync(folder, user.uid, user.gid);
  }
  return folder;
}

/**
 * Whether the user may pass through every folder on the way.
 *
 * @param {string} folder @param {User} user
 * @returns {boolean}
 */
export function canReach(folder, user) {
  const parent = path.dirname(folder);
  return mayPass(statSync(folder), user) && (parent === folder || canReach(parent, user));
}

/** @param {{ uid: number, gid: number, mode: number }} stat @param {User} user */
export function mayPass(stat, user) {
  const shift = stat.uid === user.uid ? 6 : stat.gid === user.gid ? 3 : 0;
  return ((stat.mode >> shift) & 1) === 1;
}
