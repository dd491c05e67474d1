import fc from 'fast-check';
import { type SealContext, seal, unseal } from './seal.js';

const SECRET = 'ab'.repeat(32);
const OTHER_SECRET = 'cd'.repeat(32);
const CONTEXT: SealContext = { tenant: 'ten_a', kind: 'provider_key', name: 'openai' };

test('what was sealed opens unchanged, and two seals of one text differ', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (plain) => {
      const sealed = seal(plain, SECRET, CONTEXT);
      expect(unseal(sealed, SECRET, CONTEXT)).toBe(plain);
      expect(seal(plain, SECRET, CONTEXT)).not.toBe(sealed);
    }),
  );
});

test.each<[string, SealContext]>([
  ['another tenant', { ...CONTEXT, tenant: 'ten_b' }],
  ['another kind', { ...CONTEXT, kind: 'tool_headers' }],
  ['another name', { ...CONTEXT, name: 'anthropic' }],
  ['parts that only look alike when joined', { ...CONTEXT, tenant: 'ten_a","provider_key', name: '' }],
])('a sealed value does not open for %s', (_what, context) => {
  expect(() => unseal(seal('sk-1', SECRET, CONTEXT), SECRET, context)).toThrow('cannot be opened');
});

test('a wrong secret is named in the error, the sealed text is not', () => {
  const sealed = seal('sk-very-secret', SECRET, CONTEXT);
  expect(() => unseal(sealed, OTHER_SECRET, CONTEXT)).toThrow(
    'The provider_key "openai" cannot be opened: it was sealed under another COUNTERSIGN_SECRET',
  );
});

test('an altered or cut value does not open', () => {
  const sealed = seal('sk-1', SECRET, CONTEXT);
  const last = sealed.at(-2) === 'A' ? 'B' : 'A';
  expect(() => unseal(sealed.slice(0, -2) + last + sealed.slice(-1), SECRET, CONTEXT)).toThrow();
  for (let length = 0; length < sealed.length; length += 1) {
    expect(() => unseal(sealed.slice(0, length), SECRET, CONTEXT)).toThrow();
  }
});

test('an unknown format and a secret that is no key are refused in words', () => {
  expect(() => unseal('v2.a.b', SECRET, CONTEXT)).toThrow('a format that this version does not know');
  expect(() => seal('x', 'short', CONTEXT)).toThrow('COUNTERSIGN_SECRET takes 64 hex digits.');
});
