/** The id of whom a run acts for; null where it acts for nobody. */
export function subjectId(subject: unknown): string | null {
  return typeof subject === 'object' && subject !== null && 'id' in subject ? String(subject.id) : null;
}
