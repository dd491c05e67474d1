import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the workspace's package.json. */
export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

/** @param {...string} parts below the workspace's root */
export function inRoot(...parts) {
  return path.join(root, ...parts);
}
