import type { PageQuery } from '@countersign/contracts';
import { invalidContent } from './problem.js';

const ROWS = 50;

/** One page of a list. */
export interface Page<Row> {
  readonly data: readonly Row[];
  readonly nextCursor: string | null;
}

/** What a repository reads for a page: rows behind `after` (a position; null: from the start), at most `rows` of them. */
export interface PageRequest {
  readonly after: string | null;
  /** One more than the page holds, so that it is known whether another follows. */
  readonly rows: number;
}

/**
 * Turns the query of a list into what its repository reads. A cursor is no secret, so anybody can make one up: what it
 * says must be a `place` in this list before a database sees it.
 * @throws Problem invalid_content for a cursor of another tenant or list.
 */
export function pageRequest(tenant: string, query: PageQuery, place: RegExp): PageRequest {
  return {
    after: query.after === undefined ? null : positionOf(tenant, query.after, place),
    rows: (query.limit ?? ROWS) + 1,
  };
}

/** A page of the rows that were read. `position` gives what the next page continues behind: the key of the order. */
export function toPage<Row, Shown>(
  tenant: string,
  request: PageRequest,
  rows: readonly Row[],
  position: (row: Row) => string,
  show: (row: Row) => Shown,
): Page<Shown> {
  const shown = rows.slice(0, request.rows - 1);
  const last = shown.at(-1);
  const more = rows.length === request.rows && last !== undefined;
  return { data: shown.map(show), nextCursor: more ? cursorOf(tenant, position(last)) : null };
}

/** A cursor begins with its tenant (invariant I8), so that it says nothing in another one. */
function cursorOf(tenant: string, position: string): string {
  return Buffer.from(`${tenant} ${position}`, 'utf8').toString('base64url');
}

function positionOf(tenant: string, cursor: string, place: RegExp): string {
  const text = Buffer.from(cursor, 'base64url').toString('utf8');
  const position = text.slice(tenant.length + 1);
  const whole = text.startsWith(`${tenant} `) && cursorOf(tenant, position) === cursor;
  if (!whole || !place.test(position)) {
    throw invalidContent({ path: 'after', message: 'takes the nextCursor of the page before' });
  }
  return position;
}
