import type { JsonPointer } from './brand.js';

/** What is wrong with a text or value, and where. The path is a JSON pointer; empty for the whole. */
export interface JsonProblem {
  readonly path: JsonPointer;
  readonly message: string;
}
