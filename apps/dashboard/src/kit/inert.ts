/** A stretch of text as it came, or one character that would not be seen, or would turn others around. */
export type InertPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'hidden'; readonly code: string; readonly name: string };

/** Controls, formats, unassigned and separators; letters that draw nothing; variation selectors. */
const HIDDEN =
  /\p{C}|\p{Z}|[\u034F\u115F\u1160\u17B4\u17B5\u2800\u3164\uFFA0]|[\uFE00-\uFE0F\u{E0100}-\u{E01EF}]/u;

/** A space, a line's end and a tab are layout, not disguise. */
const LAYOUT = /[ \n\t]/;

const PICTURE = /\p{Extended_Pictographic}|\p{Emoji_Modifier}|[\u{1F1E6}-\u{1F1FF}#*0-9]/u;

const NAMES: Readonly<Record<number, string>> = {
  0: 'null',
  7: 'bell',
  8: 'backspace',
  13: 'carriage return',
  27: 'escape',
  160: 'no-break space',
  173: 'soft hyphen',
  8203: 'zero width space',
  8204: 'zero width non-joiner',
  8205: 'zero width joiner',
  8206: 'left-to-right mark',
  8207: 'right-to-left mark',
  8234: 'left-to-right embedding',
  8235: 'right-to-left embedding',
  8236: 'pop directional formatting',
  8237: 'left-to-right override',
  8238: 'right-to-left override',
  8288: 'word joiner',
  8294: 'left-to-right isolate',
  8295: 'right-to-left isolate',
  8296: 'first strong isolate',
  8297: 'pop directional isolate',
  65279: 'byte order mark',
};

/**
 * Splits a text that others wrote into what can be read and what hides: invisible, bidirectional and control characters
 * become parts of their own, so that a person who decides sees them. Joiners within emoji stay.
 */
export function inertParts(text: string): InertPart[] {
  const parts: InertPart[] = [];
  let seen = '';
  let before = '';
  for (const character of text.replaceAll('\r\n', '\n')) {
    if (HIDDEN.test(character) && !LAYOUT.test(character) && !joinsEmoji(character, before)) {
      if (seen !== '') {
        parts.push({ kind: 'text', text: seen });
        seen = '';
      }
      parts.push(hidden(character));
    } else {
      seen += character;
    }
    before = character;
  }
  return seen === '' ? parts : [...parts, { kind: 'text', text: seen }];
}

function joinsEmoji(character: string, before: string): boolean {
  return (
    (character === '\u200D' && (PICTURE.test(before) || before === '\uFE0F')) ||
    (character === '\uFE0F' && PICTURE.test(before))
  );
}

function hidden(character: string): InertPart {
  const point = character.codePointAt(0) ?? 0;
  const code = `U+${point.toString(16).toUpperCase().padStart(4, '0')}`;
  return { kind: 'hidden', code, name: NAMES[point] ?? 'a character that is not seen' };
}
