import { below, isWithin } from '../changes';
import type { EditRules, Lock } from './field';

/**
 * Why the value at `path` may not be changed as a whole; null where it may. The API judges the same way; this spares a
 * reviewer a field that would be refused.
 */
export function lockAt(rules: EditRules, path: string): Lock | null {
  const fromSubject = [...Object.keys(rules.inject ?? {}), ...Object.keys(rules.constrain ?? {})];
  if (fromSubject.some((name) => overlap(below('', name), path))) return 'subject';
  if (rules.editable !== null) {
    return rules.editable.some((place) => isWithin(path, place)) ? null : 'unlisted';
  }
  return (rules.intent ?? []).some((place) => overlap(place, path)) ? 'intent' : null;
}

/** Whether anything at `path` or below may be changed, so that it is worth opening. */
export function opensAt(rules: EditRules, path: string): boolean {
  const lock = lockAt(rules, path);
  if (lock === null) return true;
  if (lock === 'unlisted') return (rules.editable ?? []).some((place) => isWithin(place, path));
  return lock === 'intent' && !(rules.intent ?? []).some((place) => isWithin(path, place));
}

const overlap = (one: string, other: string) => isWithin(one, other) || isWithin(other, one);
