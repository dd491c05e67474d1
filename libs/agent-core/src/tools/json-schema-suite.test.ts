import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { writeJson } from '../shared/canonical-json.js';
import { type JsonObject, type JsonValue, parseJson, toPlain } from '../shared/json.js';
import { testDataFolder } from '../testing/wire-data.js';
import { compileSchema } from './argument-schema.js';

const data = testDataFolder() ?? '';
const suite = join(data, 'jsts/draft2020-12');
const present = data !== '' && existsSync(suite);

function read(file: string): JsonValue {
  const parsed = parseJson(readFileSync(file, 'utf8'), { maxDepth: 100 });
  if (!parsed.ok) throw new Error(`${file}: ${parsed.error.message}`);
  return parsed.value;
}

/** The suite's schemas are of any value: each is put under one argument, and its references are led there. */
function asArgument(schema: JsonValue): JsonObject {
  const moved = JSON.parse(writeJson(schema), (key, value) =>
    key === '$ref' && /^#(\/|$)/.test(value) ? `#/properties/value${value.slice(1)}` : value,
  );
  return { type: 'object', properties: { value: moved } };
}

function ajvAlone(schema: JsonValue): ((value: JsonValue) => boolean | null) | null {
  const ajv = new Ajv2020({ strict: false, logger: false, validateSchema: false });
  addFormats.default(ajv);
  try {
    const validate = ajv.compile(toPlain(schema) as object);
    return (value) => {
      try {
        return validate(toPlain(value)) === true;
      } catch {
        return null;
      }
    };
  } catch {
    return null;
  }
}

interface Group {
  readonly description: string;
  readonly schema: JsonValue;
  readonly tests: readonly {
    readonly description: string;
    readonly data: JsonValue;
    readonly valid: boolean;
  }[];
}

/** Its `$ref` is a value within an enum, which leading references to their new place would change. */
const NOT_MOVABLE = 'naive replacement of $ref with its destination is not correct';

function groups(file: string): readonly Group[] {
  const list = read(join(suite, file)) as unknown as Group[];
  return list.filter(({ description }) => description !== NOT_MOVABLE);
}

(present ? describe : describe.skip)('JSON-Schema-Test-Suite (needs COUNTERSIGN_TEST_DATA)', () => {
  const files = present ? readdirSync(suite).filter((name) => name.endsWith('.json')) : ['none'];
  const tally = { cases: 0, right: 0, ajvRight: 0, refused: 0, better: 0 };

  test.each(files)('%s: what compiles is judged no worse than by ajv alone', (file) => {
    const worse: string[] = [];
    for (const group of groups(file)) {
      const compiled = compileSchema(writeJson(asArgument(group.schema)));
      const reference = ajvAlone(group.schema);
      for (const { description, data: value, valid } of group.tests) {
        const ajvRight = reference?.(value) === valid;
        tally.cases += 1;
        if (ajvRight) tally.ajvRight += 1;
        if (!compiled.ok) {
          tally.refused += 1;
          continue;
        }
        const right = compiled.schema.validate({ value }).ok === valid;
        if (right) tally.right += 1;
        if (right && !ajvRight) tally.better += 1;
        if (!right && ajvRight) worse.push(`${group.description}: ${description}`);
      }
    }
    expect(worse).toEqual([]);
  });

  test('the tally', () => {
    console.info('JSON-Schema-Test-Suite', JSON.stringify(tally));
    expect(tally.right).toBeGreaterThan(1000);
  });
});
