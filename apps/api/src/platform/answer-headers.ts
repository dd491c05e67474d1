import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * What every answer says of itself: it is for who asked, for this once, and of the type that it names. No cache keeps it,
 * and where one does all the same, not for another key, session or tenant.
 */
export function sayWhoItIsFor(_request: IncomingMessage, response: ServerResponse, next: () => void): void {
  response.setHeader('cache-control', 'no-store');
  response.setHeader('vary', 'Authorization, Cookie, X-Tenant, Accept');
  response.setHeader('x-content-type-options', 'nosniff');
  next();
}
