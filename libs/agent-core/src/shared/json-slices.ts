import type { JsonText } from './brand.js';
import { stringEnd } from './json-scan.js';

const [QUOTE, COMMA] = [0x22, 0x2c];
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d];

/**
 * The members of a JSON object, each value exactly as it is written: numbers keep their digits, strings their escapes
 * (invariant I12). The last of a doubled name counts, as in `JSON.parse`. `text` must be a JSON object.
 */
export function memberTexts(text: JsonText): ReadonlyMap<string, JsonText> {
  const members = new Map<string, JsonText>();
  for (const piece of pieces(text)) {
    const nameEnd = stringEnd(piece, 0) + 1;
    const name = JSON.parse(piece.slice(0, nameEnd)) as string;
    members.set(name, piece.slice(piece.indexOf(':', nameEnd) + 1).trim() as JsonText);
  }
  return members;
}

/** The elements of a JSON array, each exactly as it is written. `text` must be a JSON array. */
export function elementTexts(text: JsonText): readonly JsonText[] {
  return pieces(text) as readonly JsonText[];
}

/** What stands between the commas of the outermost object or array. */
function pieces(text: string): readonly string[] {
  const found: string[] = [];
  let [depth, start] = [0, 0];
  const take = (end: number) => {
    found.push(text.slice(start, end).trim());
    start = end + 1;
  };
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case QUOTE:
        at = stringEnd(text, at);
        break;
      case OPEN_BRACE:
      case OPEN_BRACKET:
        depth += 1;
        if (depth === 1) start = at + 1;
        break;
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        depth -= 1;
        if (depth === 0) take(at);
        break;
      case COMMA:
        if (depth === 1) take(at);
    }
  }
  return found.filter((piece) => piece !== '');
}
