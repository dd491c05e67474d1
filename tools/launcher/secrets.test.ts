import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { applicationSecrets, databasePasswords } from './secrets.mjs';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'secrets-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('the secrets of the application', () => {
  test('are made once, in a file that only its owner reads', () => {
    const file = path.join(folder, 'secrets.env');
    const first = applicationSecrets(file, {});
    expect(first.COUNTERSIGN_ADMIN_KEY).toMatch(/^[\x21-\x7e]{16,}$/);
    expect(first.COUNTERSIGN_SECRET).toMatch(/^[0-9a-f]{64}$/);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(applicationSecrets(file, {})).toEqual(first);
  });

  test('the environment wins and is not written down', () => {
    const file = path.join(folder, 'secrets.env');
    const key = 'a-key-of-the-operator';
    expect(applicationSecrets(file, { COUNTERSIGN_ADMIN_KEY: key }).COUNTERSIGN_ADMIN_KEY).toBe(key);
    expect(readFileSync(file, 'utf8')).not.toContain(key);
  });

  test('one that is too short is refused without being shown', () => {
    const wrong = () =>
      applicationSecrets(path.join(folder, 'secrets.env'), { COUNTERSIGN_ADMIN_KEY: 'short' });
    expect(wrong).toThrow('COUNTERSIGN_ADMIN_KEY has 5 characters; it takes 16 or more visible characters');
  });
});

test('the passwords of Postgres are three, and stay', () => {
  const file = path.join(folder, 'passwords.json');
  const passwords = databasePasswords(file);
  expect(new Set(Object.values(passwords)).size).toBe(3);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(databasePasswords(file)).toEqual(passwords);
});
