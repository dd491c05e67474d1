/** A JSON Schema as the API gives it. */
export type Schema = Readonly<Record<string, unknown>>;

/** Why a person may not change an argument. */
export type Lock =
  /** It names what the call is about: with another value it would be another call. */
  | 'intent'
  /** It comes from whom the run is for. */
  | 'subject'
  /** The tool lists what may be changed, and this is not on it. */
  | 'unlisted';

/** How a value is edited. Numbers stay the digits that were typed. */
export type Control =
  | {
      readonly kind: 'text';
      readonly text: string;
      /** The schema's own, where it is one for amounts with two decimals. */
      readonly amountPattern?: string;
    }
  | { readonly kind: 'number'; readonly digits: string; readonly integer: boolean }
  | { readonly kind: 'flag'; readonly on: boolean }
  | { readonly kind: 'choice'; readonly options: readonly unknown[]; readonly chosen: number }
  | { readonly kind: 'date'; readonly text: string }
  | { readonly kind: 'group'; readonly fields: readonly Field[] }
  | { readonly kind: 'list'; readonly items: readonly Field[]; readonly item: Schema | null }
  | { readonly kind: 'json'; readonly text: string }
  | { readonly kind: 'locked'; readonly value: unknown; readonly lock: Lock };

/** One argument, or a part of one. */
export interface Field {
  readonly name: string;
  /** A JSON pointer into the arguments. */
  readonly path: string;
  /** What the schema says of it. */
  readonly note: string | null;
  readonly required: boolean;
  /** false: left out, as only what is not required may be. */
  readonly present: boolean;
  readonly control: Control;
}

/** What a tool lets a reviewer change, as the API shows a tool. */
export interface EditRules {
  readonly editable: readonly string[] | null;
  readonly intent: readonly string[] | null;
  readonly inject?: Readonly<Record<string, string>> | undefined;
  readonly constrain?: Readonly<Record<string, string>> | undefined;
}
