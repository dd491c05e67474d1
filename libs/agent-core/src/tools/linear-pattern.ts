import { RE2JS } from 're2js';
import { toRe2 } from './ecma-pattern.js';

/** Instructions of a compiled pattern: bounds what each character of a text may cost. */
const MAX_PROGRAM_SIZE = 2500;

export type LinearPattern =
  | { readonly ok: true; readonly test: (text: string) => boolean }
  | { readonly ok: false; readonly message: string };

/**
 * Compiles a pattern of a JSON Schema (ECMA 262) for a machine that needs time linear in the text, whatever pattern
 * and text are. Look-around, back-references and repeats beyond 1,000 cannot be run so and are refused.
 */
export function compilePattern(source: string): LinearPattern {
  if (!isEcmaPattern(source)) return { ok: false, message: 'is not a regular expression of ECMA 262' };
  const translated = toRe2(source);
  if ('unknown' in translated)
    return { ok: false, message: `has ${translated.unknown}, which means nothing in ECMA 262` };
  try {
    const compiled = RE2JS.compile(RE2JS.translateRegExp(translated.pattern));
    if (compiled.programSize() > MAX_PROGRAM_SIZE)
      return { ok: false, message: 'is too large to run in linear time' };
    return { ok: true, test: (text) => compiled.test(text) };
  } catch (error) {
    const detail = error instanceof Error ? error.message : 'not supported';
    return { ok: false, message: `cannot be run in linear time: ${detail}` };
  }
}

function isEcmaPattern(source: string): boolean {
  return ['u', ''].some((flags) => {
    try {
      return new RegExp(source, flags) instanceof RegExp;
    } catch {
      return false;
    }
  });
}
