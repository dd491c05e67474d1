import type { PageQuery } from '@countersign/contracts';
import { type PageRequest, pageRequest } from '../platform/page.js';
import { invalidContent } from '../platform/problem.js';

/** A place in a list that is ordered by turn, and within a turn by position. */
export const PLACE = /^[0-9]{1,9}:[0-9]{1,9}$/;
/** A place in a list that is ordered by time, in milliseconds. */
export const MODEL_CALL_PLACE = /^[0-9]{1,15}:mdl_[0-9a-z]{26}$/;
export const RUN_PLACE = /^run_[0-9a-z]{26}$/;

/** As `pageRequest`, with a cursor that can only be a place in this list. @throws Problem invalid_content */
export function placedPage(tenant: string, query: PageQuery, place: RegExp): PageRequest {
  const request = pageRequest(tenant, query);
  if (request.after !== null && !place.test(request.after)) {
    throw invalidContent({ path: 'after', message: 'takes the nextCursor of the page before' });
  }
  return request;
}
