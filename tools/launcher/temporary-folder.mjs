import { accessSync, constants, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { canReach, serviceUser } from './unprivileged-user.mjs';

/** Memory that Linux shows as a folder. The tests' databases take 0.2 GiB of it. */
const MEMORY = '/dev/shm';
const ENOUGH_BYTES = 2 ** 30;

/**
 * A data directory that is gone when the work is done. Where Postgres runs as another user it must be able to reach it.
 * What is not durable is written to memory, where there is plenty: Postgres makes and drops databases in half the time.
 *
 * @template T
 * @param {{ durable: boolean }} kind
 * @param {(folder: string) => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function inTemporaryFolder({ durable }, work) {
  const folder = mkdtempSync(path.join(durable || !hasRoom(MEMORY) ? onDisk() : MEMORY, 'countersign-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function onDisk() {
  const user = serviceUser();
  return user !== undefined && !canReach(tmpdir(), user) ? '/tmp' : tmpdir();
}

/** @param {string} folder */
function hasRoom(folder) {
  try {
    accessSync(folder, constants.W_OK);
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize >= ENOUGH_BYTES;
  } catch {
    return false;
  }
}
