import { isJsonObject, type JsonObject, ownValue } from '../../shared/json.js';
import { mapSubschemas, referenceTargets, resolveReference } from '../subschemas.js';
import { type Inlining, mergeAllOf } from './merge-all-of.js';

/** References that are taken in where `allOf` composes objects, in one schema. */
const MOST_INLINED = 200;

export interface DefinedSchema {
  readonly schema: JsonObject;
  /** What is referred to, by name. */
  readonly definitions: ReadonlyMap<string, JsonObject>;
}

/**
 * A schema whose references all lead to a name in `$defs`, wherever they led before, with `allOf` merged where that
 * can be done. Definitions that nothing refers to are left out.
 */
export function withDefinitions(root: JsonObject): DefinedSchema {
  return new Definitions(root).all(root);
}

class Definitions {
  private readonly inlining: Inlining;
  private readonly names = new Map<JsonObject, string>();
  private readonly pending: JsonObject[] = [];

  constructor(root: JsonObject) {
    this.inlining = { targets: referenceTargets(root), left: MOST_INLINED };
  }

  all(root: JsonObject): DefinedSchema {
    const schema = this.rewrite(root);
    const definitions = new Map<string, JsonObject>();
    for (let next = this.pending.pop(); next !== undefined; next = this.pending.pop()) {
      definitions.set(this.nameOf(next, ''), this.rewrite(next));
    }
    return { schema, definitions };
  }

  private rewrite(given: JsonObject, around?: ReadonlySet<JsonObject>): JsonObject {
    const { schema: merged, within } = mergeAllOf(given, this.inlining, around);
    const { $defs: _, definitions: __, $anchor: ___, ...kept } = merged;
    const schema = mapSubschemas(kept, (child) =>
      isJsonObject(child) ? this.rewrite(child, within) : child,
    );
    const reference = ownValue(schema, '$ref');
    const target =
      typeof reference === 'string' ? resolveReference(this.inlining.targets, reference) : undefined;
    if (target === undefined) return schema;
    return { ...schema, $ref: `#/$defs/${this.nameOf(target, String(reference))}` };
  }

  private nameOf(target: JsonObject, reference: string): string {
    const known = this.names.get(target);
    if (known !== undefined) return known;
    const said = (reference.split(/[/#]/).at(-1) ?? '').replace(/[^a-zA-Z0-9_-]/g, '_') || 'root';
    const taken = new Set(this.names.values());
    let name = said;
    for (let number = 2; taken.has(name); number += 1) name = `${said}_${number}`;
    this.names.set(target, name);
    this.pending.push(target);
    return name;
  }
}
