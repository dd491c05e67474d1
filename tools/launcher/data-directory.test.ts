import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DataDirectory } from './data-directory.mjs';
import { startTimeOf } from './process-identity.mjs';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'data-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const lock = (content: unknown) => writeFileSync(path.join(folder, 'lock.json'), JSON.stringify(content));

describe('the data directory', () => {
  test('belongs to one launcher at a time', async () => {
    await new DataDirectory(folder).take();
    await expect(new DataDirectory(folder).take()).rejects.toThrow(`is in use by process ${process.pid}`);
  });

  test('is free again once it was given back', async () => {
    const first = new DataDirectory(folder);
    await first.take();
    first.release();
    await expect(new DataDirectory(folder).take()).resolves.toBeUndefined();
  });

  test('a lock whose process id belongs to another process today is stale', async () => {
    lock({ pid: process.pid, started: 'another time', children: [] });
    await expect(new DataDirectory(folder).take()).resolves.toBeUndefined();
  });

  test('half a lock is stale', async () => {
    writeFileSync(path.join(folder, 'lock.json'), '{"pid": 1');
    await expect(new DataDirectory(folder).take()).resolves.toBeUndefined();
  });

  test('what a killed launcher left behind is ended, a process that only has its id is not', async () => {
    const orphan = spawn('sleep', ['60'], { detached: true, stdio: 'ignore' });
    await once(orphan, 'spawn');
    const pid = orphan.pid ?? 0;
    const children = [
      { name: 'worker', pid, started: startTimeOf(pid) },
      { name: 'api', pid: process.pid, started: 'another time' },
    ];
    lock({ pid: 0, started: undefined, children });
    const gone = once(orphan, 'exit');
    await new DataDirectory(folder).take();
    expect(await gone).toEqual([null, 'SIGTERM']);
  });

  test('is made when it is not there', async () => {
    const inner = path.join(folder, 'a/b');
    await new DataDirectory(inner).take();
    expect(existsSync(path.join(inner, 'lock.json'))).toBe(true);
  });

  test('a place that cannot be a folder is refused in one line', async () => {
    writeFileSync(path.join(folder, 'file'), '');
    await expect(new DataDirectory(path.join(folder, 'file')).take()).rejects.toThrow(
      /^COUNTERSIGN_DATA_DIR is .*; it takes/,
    );
  });
});
