import { uuidv7obj } from 'uuidv7';

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
  | 'req';

/** A new sortable id: the prefix, `_`, and 26 characters (Crockford's base32 of a UUID version 7). */
export function newId(prefix: IdPrefix): string {
  let value = BigInt(`0x${uuidv7obj().toHex()}`);
  let text = '';
  for (let position = 0; position < 26; position += 1) {
    text = ALPHABET[Number(value & 31n)] + text;
    value >>= 5n;
  }
  return `${prefix}_${text}`;
}

/** True where `value` could be an id of this kind; anything else is answered 404 without asking the database. */
export function isId(prefix: IdPrefix | 'apr' | 'eff', value: string): boolean {
  return new RegExp(`^${prefix}_[0-9a-hjkmnp-tv-z]{26}(_[0-9]{1,4})?$`).test(value);
}
