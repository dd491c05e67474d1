import type { EditRules, Field, Schema } from './field';

/** What every part of one form shares. */
export interface FormState {
  readonly root: Field;
  readonly schema: Schema;
  readonly rules: EditRules;
  /** The arguments as they were asked for. */
  readonly old: unknown;
  /** What is wrong with the value at a place, if anything. */
  readonly problemAt: (path: string) => string | undefined;
  readonly onChange: (root: Field) => void;
}
