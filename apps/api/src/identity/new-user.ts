import { randomBytes } from 'node:crypto';
import { hashPassword } from 'better-auth/crypto';
import { newId } from '../platform/ids.js';

/** A user as they are stored, should there be none with this address. */
export interface NewUser {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly accountId: string;
  readonly passwordHash: string;
}

/** 120 random bits: easier to copy than to guess. */
export function newPassword(): string {
  return randomBytes(15).toString('base64url');
}

/** A user with this password: as better-auth will verify it. `email` is in lower case. */
export async function newUser(
  { email, name }: { readonly email: string; readonly name: string },
  password: string,
): Promise<NewUser> {
  return {
    id: newId('usr'),
    email,
    name,
    accountId: newId('acc'),
    passwordHash: await hashPassword(password),
  };
}
