import { hkdfSync } from 'node:crypto';
import { PASSWORD_LENGTHS } from '@countersign/contracts';
import { prismaAdapter } from 'better-auth/adapters/prisma';
import { betterAuth } from 'better-auth/minimal';
import { newId } from '../platform/ids.js';
import type { Log } from '../platform/log.js';
import { COOKIE_PREFIX } from '../platform/people.js';

const WEEK_SECONDS = 7 * 24 * 60 * 60;
const DAY_SECONDS = 24 * 60 * 60;

/** Names of the header in which we tell better-auth from where a request came; it believes no other. */
export const ADDRESS_HEADER = 'x-countersign-address';

const PREFIXES: Readonly<Record<string, 'usr' | 'acc' | 'ses'>> = {
  user: 'usr',
  account: 'acc',
  session: 'ses',
};

export interface AuthenticationParts {
  /** What better-auth's Prisma adapter works on. */
  readonly tables: object;
  /** The deployment's secret: cookies are signed with a key that is derived from it. */
  readonly secret: string;
  readonly log: Pick<Log, 'error'>;
}

/**
 * better-auth with what we use of it: e-mail and password, sessions of seven days in a signed cookie. Its own router is
 * not mounted, so nobody reaches what no controller of ours calls; origins and rates are judged there as well.
 */
export function openAuthentication({ tables, secret, log }: AuthenticationParts) {
  return betterAuth({
    // No link is ever made of it.
    baseURL: 'http://localhost',
    secret: Buffer.from(
      hkdfSync('sha256', Buffer.from(secret, 'hex'), '', 'countersign sign-in', 32),
    ).toString('hex'),
    database: prismaAdapter(tables, { provider: 'postgresql' }),
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: PASSWORD_LENGTHS.least,
      maxPasswordLength: PASSWORD_LENGTHS.most,
    },
    user: { additionalFields: { operator: { type: 'boolean', required: true, input: false } } },
    session: { expiresIn: WEEK_SECONDS, updateAge: DAY_SECONDS },
    advanced: {
      cookiePrefix: COOKIE_PREFIX,
      // `Secure` is added where a request came by https: see sign-in.controller.ts.
      useSecureCookies: false,
      database: { generateId: ({ model }) => newId(PREFIXES[model] ?? 'ses') },
      ipAddress: { ipAddressHeaders: [ADDRESS_HEADER] },
    },
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    logger: { level: 'error', log: (_level, message) => log.error({ from: 'better-auth' }, message) },
  });
}

export type Authentication = ReturnType<typeof openAuthentication>;
