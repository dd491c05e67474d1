import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseSeed } from './demo.mjs';
import { findOnPath } from './redis.mjs';
import { mayPass } from './unprivileged-user.mjs';

describe('what the seed says', () => {
  test('is its last line of JSON, after whatever it logged', () => {
    expect(parseSeed('seeding\n{"level":30}\n{"apiKey":"k"}\n')).toEqual({ apiKey: 'k' });
  });

  test.each(['', 'already there\n', '{"seeded":false}\n'])(
    'without a key there is no demo to show: %j',
    (text) => {
      expect(parseSeed(text)).toBeUndefined();
    },
  );
});

describe('a program on the PATH', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'path-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  test('the first name wins over the second, wherever they are', () => {
    for (const name of ['redis-server', 'valkey-server']) {
      writeFileSync(path.join(folder, name), '', { mode: 0o755 });
    }
    const searchPath = ['/no/such/folder', folder].join(path.delimiter);
    expect(findOnPath(['redis-server', 'valkey-server'], searchPath)).toBe(path.join(folder, 'redis-server'));
  });

  test('a file that cannot be run does not count', () => {
    writeFileSync(path.join(folder, 'redis-server'), '');
    chmodSync(path.join(folder, 'redis-server'), 0o644);
    expect(findOnPath(['redis-server'], folder)).toBeUndefined();
  });
});

describe('whether a user may pass through a folder', () => {
  const user = { uid: 10, gid: 20 };
  test.each([
    ['owner with the bit', { uid: 10, gid: 0, mode: 0o100 }, true],
    ['owner without it, though others have it', { uid: 10, gid: 0, mode: 0o001 }, false],
    ['group with the bit', { uid: 0, gid: 20, mode: 0o010 }, true],
    ['others with the bit', { uid: 0, gid: 0, mode: 0o711 }, true],
    ['others without it', { uid: 0, gid: 0, mode: 0o700 }, false],
  ])('%s', (_name, stat, expected) => {
    expect(mayPass(stat, user)).toBe(expected);
  });
});
