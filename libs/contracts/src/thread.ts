import { z } from 'zod';
import { subject } from './run.js';
import { instant, jsonObject } from './shared.js';

export const startThread = z
  .strictObject({ subject })
  .meta({ id: 'StartThread', examples: [{ subject: { id: 'customer-1' } }] });
export type StartThread = z.output<typeof startThread>;

/** A conversation of one subject over several runs, one run at a time. */
export const thread = z
  .strictObject({ id: z.string(), subject: jsonObject, createdAt: instant })
  .meta({ id: 'Thread' });
