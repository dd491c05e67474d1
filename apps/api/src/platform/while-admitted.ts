import type { ServerResponse } from 'node:http';
import { Problem } from './problem.js';

/** A stream outlives the moment in which it was let in: how often it is asked again whether it may be heard. */
const ASK_AGAIN_MS = 2_000;

/**
 * Ends an answer that goes on once who hears it may not hear it any more: their key was deleted, they signed out, or
 * lost their role. `admit` refuses with a Problem; where it cannot say (Postgres is away), the answer goes on.
 */
export function whileAdmitted(response: ServerResponse, admit: () => Promise<void>): void {
  const timer = setInterval(() => {
    admit().catch((error: unknown) => {
      if (error instanceof Problem) response.destroy();
    });
  }, ASK_AGAIN_MS);
  response.once('close', () => clearInterval(timer));
}
