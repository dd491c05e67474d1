import { LosslessNumber } from 'lossless-json';

/** A place in which two JSON values differ; undefined where one of them has nothing. */
export interface Change {
  /** A JSON pointer (RFC 6901). */
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** The smallest places in which two JSON values differ, in the order of the first. Numbers are told apart by their digits. */
export function changesBetween(before: unknown, after: unknown, path = ''): Change[] {
  if (!isBranch(before) || !isBranch(after) || Array.isArray(before) !== Array.isArray(after)) {
    return isSame(before, after) ? [] : [{ path, before, after }];
  }
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.flatMap((name) => changesBetween(own(before, name), own(after, name), below(path, name)));
}

type Branch = Readonly<Record<string, unknown>>;

/** An object or a list: something with places of its own. */
export function isBranch(value: unknown): value is Branch {
  return typeof value === 'object' && value !== null && !(value instanceof LosslessNumber);
}

/** The JSON pointer of a member. */
export function below(path: string, name: string): string {
  return `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** The names on the way to a place: `['items', '0', 'price']`. */
export function stepsOf(path: string): string[] {
  return path
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Whether `path` is `place`, or lies below it. */
export function isWithin(path: string, place: string): boolean {
  return path === place || path.startsWith(`${place}/`);
}

/** What stands at a place; undefined where nothing does. */
export function valueAt(value: unknown, path: string): unknown {
  return stepsOf(path).reduce<unknown>(
    (place, step) => (isBranch(place) ? own(place, step) : undefined),
    value,
  );
}

function own(branch: Branch, name: string): unknown {
  return Object.hasOwn(branch, name) ? branch[name] : undefined;
}

function isSame(before: unknown, after: unknown): boolean {
  if (isNumber(before) && isNumber(after)) {
    return String(before) === String(after);
  }
  return before === after;
}

const isNumber = (value: unknown) => typeof value === 'number' || value instanceof LosslessNumber;
