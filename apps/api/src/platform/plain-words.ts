import type { z } from 'zod';

type RawIssue = z.core.$ZodRawIssue;

/** What a value of each kind is called to whoever sent another. */
const KINDS: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'a list',
  null: 'null',
};

const FORMATS: Readonly<Record<string, string>> = {
  datetime: 'takes a moment with its offset, such as 2026-01-31T12:00:00Z',
  date: 'takes a date, such as 2026-01-31',
  email: 'takes an e-mail address',
  url: 'takes a URL',
};

/**
 * What is wrong with a value, for whoever sent it; undefined where the library's own words say it well enough. Given to
 * Zod at each parse: the words that a schema has for itself come before these.
 */
export function plainWords(issue: RawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is required' : takes([kind(issue.expected)]);
    case 'invalid_value':
      return takes(issue.values.map((value) => JSON.stringify(value)));
    case 'invalid_union':
      return unionWords(issue.errors);
    case 'invalid_format':
      return FORMATS[issue.format];
    case 'too_small':
      return bound(issue.origin, issue.minimum, 'or more', 'at least');
    case 'too_big':
      return bound(issue.origin, issue.maximum, 'or less', 'at most');
    default:
      return undefined;
  }
}

function kind(expected: string): string {
  return KINDS[expected] ?? expected;
}

function takes(choices: readonly string[]): string {
  const distinct = [...new Set(choices)];
  const last = distinct.pop() ?? 'nothing';
  return distinct.length === 0 ? `takes ${last}` : `takes ${distinct.join(', ')} or ${last}`;
}

/** By the kinds of its members, where the value is of none of them. */
function unionWords(members: readonly (readonly z.core.$ZodIssue[])[]): string | undefined {
  const choices = members.flatMap(([issue]) => {
    if (issue?.path.length !== 0) return [];
    if (issue.code === 'invalid_type') return [kind(issue.expected)];
    return issue.code === 'invalid_value' ? issue.values.map((value) => JSON.stringify(value)) : [];
  });
  return choices.length === 0 ? undefined : takes(choices);
}

function bound(origin: string, limit: number | bigint, ofNumber: string, ofMany: string): string | undefined {
  switch (origin) {
    case 'string':
      return limit === 1 && ofMany === 'at least' ? 'is empty' : `takes ${ofMany} ${limit} characters`;
    case 'array':
      return `takes ${ofMany} ${limit} of them`;
    case 'number':
    case 'int':
      return `takes ${limit} ${ofNumber}`;
    default:
      return undefined;
  }
}
