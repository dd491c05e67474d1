import type { Digest, JsonText } from '../shared/brand.js';
import { canonicalJson } from '../shared/canonical-json.js';
import { digestOf } from '../shared/digest.js';
import type { JsonValue } from '../shared/json.js';

/** Arguments after validation, defaults, injection (and a reviewer's edit): canonical text and its digest. */
export interface BoundArguments {
  readonly arguments: JsonText;
  readonly argumentsDigest: Digest;
}

export function bindArguments(value: JsonValue): BoundArguments {
  const text = canonicalJson(value);
  return { arguments: text, argumentsDigest: digestOf(text) };
}
