import type { JsonProblem } from './json-problem.js';

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d];

interface Level {
  /** Null in an array. */
  readonly keys: Set<string> | null;
  key: string;
  index: number;
  expectsKey: boolean;
}

/**
 * Looks through a text before it is parsed, without recursion: for more than `maxDepth` levels, and for a key that
 * occurs twice in one object. Anything else that is wrong is left to the parser.
 */
export function scanJson(text: string, maxDepth: number): JsonProblem | null {
  const levels: Level[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const level = levels.at(-1);
    switch (text.charCodeAt(at)) {
      case QUOTE: {
        const end = stringEnd(text, at);
        const problem = level?.expectsKey ? takeKey(level, levels, text.slice(at, end + 1)) : null;
        if (problem !== null) return problem;
        at = end;
        break;
      }
      case OPEN_BRACE:
      case OPEN_BRACKET: {
        if (levels.length === maxDepth)
          return { path: pathOf(levels), message: `deeper than ${maxDepth} levels` };
        const keys = text.charCodeAt(at) === OPEN_BRACE ? new Set<string>() : null;
        levels.push({ keys, key: '', index: 0, expectsKey: keys !== null });
        break;
      }
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        levels.pop();
        break;
      case COMMA:
        if (level) {
          level.expectsKey = level.keys !== null;
          level.index += 1;
        }
    }
  }
  return null;
}

function takeKey(level: Level, levels: readonly Level[], literal: string): JsonProblem | null {
  level.expectsKey = false;
  level.key = unescaped(literal);
  if (level.keys?.has(level.key)) return { path: pathOf(levels), message: 'occurs twice' };
  level.keys?.add(level.key);
  return null;
}

/** Position of the closing quote, or of the last character where there is none. */
export function stringEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === BACKSLASH) at += 1;
    else if (code === QUOTE) return at;
  }
  return text.length - 1;
}

function unescaped(literal: string): string {
  try {
    return String(JSON.parse(literal));
  } catch {
    return literal;
  }
}

function pathOf(levels: readonly Level[]): string {
  const steps = levels.map((level) => (level.keys === null ? String(level.index) : level.key));
  return steps.map((step) => `/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
