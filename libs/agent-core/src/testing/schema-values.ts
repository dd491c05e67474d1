import fc from 'fast-check';

interface PlainSchema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, PlainSchema>>;
  readonly anyOf?: readonly PlainSchema[];
  readonly enum?: readonly unknown[];
  readonly type?: string | readonly string[];
  readonly items?: PlainSchema;
  readonly properties?: Readonly<Record<string, PlainSchema>>;
}

/** Any value that a strict schema allows: every field is written. Deep down, null is preferred, so that values end. */
export function anyValueOf(root: object): fc.Arbitrary<unknown> {
  return valuesOf(root, root, 0);
}

function valuesOf(schema: PlainSchema, root: PlainSchema, depth: number): fc.Arbitrary<unknown> {
  if (schema.$ref !== undefined) {
    const target = root.$defs?.[schema.$ref.replace('#/$defs/', '')];
    if (target === undefined) throw new Error(`no ${schema.$ref}`);
    return valuesOf(target, root, depth + 1);
  }
  if (schema.anyOf !== undefined) {
    const ending = depth > 3 ? schema.anyOf.filter(({ type }) => type === 'null') : [];
    const forms = ending.length > 0 ? ending : schema.anyOf;
    return fc.constantFrom(...forms).chain((form) => valuesOf(form, root, depth + 1));
  }
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  const types = [schema.type ?? []].flat();
  return fc.constantFrom(...types).chain((type) => valueOfType(type, schema, root, depth));
}

function valueOfType(
  type: string,
  schema: PlainSchema,
  root: PlainSchema,
  depth: number,
): fc.Arbitrary<unknown> {
  switch (type) {
    case 'object': {
      const fields = Object.entries(schema.properties ?? {}).map(
        ([name, field]) => [name, valuesOf(field, root, depth + 1)] as const,
      );
      return fc.record(Object.fromEntries(fields), { noNullPrototype: true });
    }
    case 'array':
      return fc.array(valuesOf(schema.items ?? {}, root, depth + 1), { maxLength: depth > 3 ? 0 : 2 });
    case 'string':
      return fc.string({ maxLength: 5 });
    case 'integer':
      return fc.integer();
    case 'number':
      return fc.double({ noNaN: true, noDefaultInfinity: true });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    default:
      throw new Error(`no values of type ${type}`);
  }
}
