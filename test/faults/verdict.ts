/** What the record and the tool's own ledger say of one run that was to make one effect. */
export interface RunRecord {
  readonly status: string;
  readonly reason: string | null;
  /** Of the effect's call; null where the model never came to ask for it. */
  readonly call: string | null;
  /** The code of a failed call's error. */
  readonly code: string | null;
  /** How often the effect was begun. */
  readonly tries: number;
  /** How often the tool made the effect. */
  readonly made: number;
}

/**
 * What became of a run's effect. `once`: made, and the record says so. `given_up`: never made, and the record says so
 * after two interrupted tries, the most that there may be. `doubled`: made more than once. `lost`: anything else, above
 * all a record that says what the tool's ledger contradicts.
 */
export type Verdict = 'once' | 'given_up' | 'doubled' | 'lost';

/** Tries of an effect that may not be repeated blindly: the first, and one more where the first did not happen. */
const TRIES = 2;

export function verdictOf({ call, code, tries, made }: RunRecord): Verdict {
  if (made > 1) return 'doubled';
  if (call === 'succeeded' && made === 1) return 'once';
  const knownNotToHave = call === 'failed' && code === 'did_not_happen' && made === 0;
  return knownNotToHave && tries === TRIES ? 'given_up' : 'lost';
}
