#!/usr/bin/env node
// Refuses files that a reader cannot hold in mind: no source file is over 300 lines.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

const LIMIT = 300;
const SOURCES = /\.(ts|tsx|js|mjs|cjs)$/;

const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
  encoding: 'utf8',
});
const long = listed
  .split('\0')
  .filter((path) => SOURCES.test(path) && existsSync(path))
  .map((path) => ({ path, lines: readFileSync(path, 'utf8').trimEnd().split('\n').length }))
  .filter(({ lines }) => lines > LIMIT)
  .sort((a, b) => b.lines - a.lines);

for (const { path, lines } of long) {
  console.error(`${path}: ${lines} lines, the limit is ${LIMIT}`);
}
process.exit(long.length === 0 ? 0 : 1);
