import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { canReach, serviceUser } from './unprivileged-user.mjs';

/**
 * A data directory that is gone when the work is done. Where Postgres runs as another user it must be able to reach it.
 *
 * @template T
 * @param {(folder: string) => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function inTemporaryFolder(work) {
  const user = serviceUser();
  const base = user !== undefined && !canReach(tmpdir(), user) ? '/tmp' : tmpdir();
  const folder = mkdtempSync(path.join(base, 'countersign-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
