import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { StartError } from './say.mjs';

/** What each secret takes (CONTRACT, Environment) and how one is made. */
const SECRETS = {
  COUNTERSIGN_ADMIN_KEY: {
    takes: '16 or more visible characters',
    valid: /^[\x21-\x7e]{16,}$/,
    make: () => `csk_admin_${randomBytes(24).toString('base64url')}`,
  },
  COUNTERSIGN_SECRET: {
    takes: '64 hex digits',
    valid: /^[0-9a-fA-F]{64}$/,
    make: () => randomBytes(32).toString('hex'),
  },
};

/**
 * The operator's key and the sealing secret: from the environment, else from the file, which is made once.
 *
 * @param {string} file kept at mode 0600
 * @param {Record<string, string | undefined>} variables
 * @returns {Record<keyof typeof SECRETS, string>}
 */
export function applicationSecrets(file, variables) {
  const kept = existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {};
  const names = /** @type {(keyof typeof SECRETS)[]} */ (Object.keys(SECRETS));
  const made = names.filter((name) => !variables[name] && !kept[name]);
  const all = names.map(
    (name) => /** @type {const} */ ([name, variables[name] || kept[name] || SECRETS[name].make()]),
  );
  for (const [name, value] of all) {
    if (!SECRETS[name].valid.test(value)) {
      throw new StartError(`${name} has ${value.length} characters; it takes ${SECRETS[name].takes}`);
    }
  }
  const secrets = /** @type {Record<keyof typeof SECRETS, string>} */ (Object.fromEntries(all));
  if (made.length > 0) {
    const lines = made.map((name) => `${name}=${secrets[name]}\n`).join('');
    writeFileSync(file, lines, { flag: 'a', mode: 0o600 });
  }
  return secrets;
}

/**
 * The passwords of the embedded Postgres, made once.
 *
 * @typedef {{ superuser: string, owner: string, application: string }} Passwords
 * @param {string} file kept at mode 0600
 * @returns {Passwords}
 */
export function databasePasswords(file) {
  if (existsSync(file)) {
    return JSON.parse(readFileSync(file, 'utf8'));
  }
  const passwords = { superuser: password(), owner: password(), application: password() };
  writeFileSync(file, `${JSON.stringify(passwords)}\n`, { flag: 'wx', mode: 0o600 });
  return passwords;
}

/** Safe inside a URL without escaping. */
export function password() {
  return randomBytes(24).toString('base64url');
}
