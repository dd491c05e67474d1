import { z } from 'zod';
import { instant, instantInput, label, scope } from './shared.js';

export const keyCreate = z
  .strictObject({ name: label, scopes: z.array(scope).min(1).max(50), expiresAt: instantInput.optional() })
  .meta({ id: 'KeyCreate' });
export type KeyCreate = z.output<typeof keyCreate>;

export const apiKey = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    /** The first characters of the key, to tell keys apart. */
    prefix: z.string(),
    scopes: z.array(scope),
    expiresAt: instant.nullable(),
    createdAt: instant,
  })
  .meta({ id: 'Key' });
export type ApiKey = z.output<typeof apiKey>;

export const keyCreated = apiKey
  .extend({ apiKey: z.string().nullable().meta({ description: 'The key itself, shown this once.' }) })
  .meta({ id: 'KeyCreated' });
