import { hash, randomFillSync } from 'node:crypto';
import { V7Generator } from 'uuidv7';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

export type IdPrefix =
  | 'ten'
  | 'key'
  | 'usr'
  | 'acc'
  | 'ses'
  | 'agt'
  | 'tol'
  | 'thr'
  | 'run'
  | 'msg'
  | 'tcl'
  | 'mdl'
  | 'whk'
  | 'brk'
  | 'req';

/** Random numbers are drawn so many at once: a step of a run makes some ids, and each draw is a call of the system. */
const random = new Uint32Array(1_024);
let drawn = random.length;

const generator = new V7Generator({
  nextUint32: () => {
    if (drawn === random.length) {
      randomFillSync(random);
      drawn = 0;
    }
    const next = random[drawn] ?? 0;
    drawn += 1;
    return next;
  },
});

/** A new sortable id: the prefix, `_`, and 26 characters (Crockford's base32 of a UUID version 7). */
export function newId(prefix: IdPrefix): string {
  return encoded(prefix, generator.generate().bytes);
}

/** The id of what needs none of its own, since its name says which it is: the same for the same name. Not sortable. */
export function idOfName(prefix: IdPrefix, name: string): string {
  return encoded(prefix, hash('sha256', name, 'buffer').subarray(0, 16));
}

function encoded(prefix: IdPrefix, bytes: Uint8Array): string {
  let text = '';
  // 26 characters are 130 bits: two zeros stand before the UUID's 128.
  let bits = 0;
  let count = 2;
  for (const byte of bytes) {
    bits = ((bits << 8) | byte) & 0xfff;
    for (count += 8; count >= 5; count -= 5) text += ALPHABET[(bits >> (count - 5)) & 31];
  }
  return `${prefix}_${text}`;
}

/** What a list that is ordered by ids of this kind continues behind. */
export function idPlace(prefix: IdPrefix): RegExp {
  return new RegExp(`^${prefix}_[0-9a-z]{26}$`);
}

/** True where `value` could be an id of this kind; anything else is answered 404 without asking the database. */
export function isId(prefix: IdPrefix | 'apr' | 'eff', value: string): boolean {
  return new RegExp(`^${prefix}_[0-9a-hjkmnp-tv-z]{26}(_[0-9]{1,4})?$`).test(value);
}
