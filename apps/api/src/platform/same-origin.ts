import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { Problem } from './problem.js';

const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS'];

/**
 * Refuses what a page of another origin makes a browser send along with our cookies. Browsers say where an unsafe
 * request comes from, in headers that no page can set. Who says nothing and sends no cookie is no browser of anybody's.
 * @throws Problem cross_origin.
 */
export function refuseOtherOrigins({ method, headers }: IncomingMessage): void {
  if (SAFE_METHODS.includes(method ?? '')) return;
  const origin = originOf(headers);
  if (origin === 'own' || (origin === 'unsaid' && headers.cookie === undefined)) return;
  throw new Problem('cross_origin', 'Requests with a cookie come from our own pages: send Origin.');
}

function originOf(headers: IncomingHttpHeaders): 'own' | 'other' | 'unsaid' {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' ? 'own' : 'other';
  const { origin } = headers;
  if (origin === undefined) return 'unsaid';
  return URL.canParse(origin) && new URL(origin).host === hostOf(headers) ? 'own' : 'other';
}

/**
 * The host that the browser asked: behind our dashboard it is in X-Forwarded-Host. That may be believed of anybody: to
 * set it, a page of another origin would have to ask us first (CORS), and we never agree.
 */
function hostOf(headers: IncomingHttpHeaders): string | undefined {
  const forwarded = headers['x-forwarded-host'];
  const [first] = (typeof forwarded === 'string' ? forwarded : (headers.host ?? '')).split(',', 1);
  return first?.trim().toLowerCase();
}
