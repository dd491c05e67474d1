import { z } from 'zod';
import { email } from './members.js';
import { instant } from './shared.js';

export const PASSWORD_LENGTHS = { least: 12, most: 128 } as const;

/** Long enough for every password there is; how long it must be is not asked of one that exists. */
const password = z.string().min(1).max(PASSWORD_LENGTHS.most);

export const signIn = z.strictObject({ email, password }).meta({ id: 'SignIn' });
export type SignIn = z.output<typeof signIn>;

export const passwordChange = z
  .strictObject({
    currentPassword: password,
    newPassword: z.string().min(PASSWORD_LENGTHS.least).max(PASSWORD_LENGTHS.most),
  })
  .meta({ id: 'PasswordChange' });
export type PasswordChange = z.output<typeof passwordChange>;

const user = z.strictObject({ id: z.string(), email: z.string(), name: z.string() }).meta({ id: 'User' });

export const signedIn = z.strictObject({ user }).meta({ id: 'SignedIn' });
export type SignedInView = z.output<typeof signedIn>;

export const currentSession = z
  .strictObject({ user, session: z.strictObject({ expiresAt: instant }) })
  .nullable()
  .meta({ id: 'CurrentSession' });
export type CurrentSession = z.output<typeof currentSession>;
