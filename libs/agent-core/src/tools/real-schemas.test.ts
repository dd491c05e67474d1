import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonText } from '../shared/brand.js';
import { testDataFolder } from '../testing/wire-data.js';
import { compileSchema } from './argument-schema.js';

const refusal = (schema: unknown): string[] => {
  const result = compileSchema(JSON.stringify(schema) as JsonText);
  return result.ok ? [] : result.errors.map(({ path, message }) => `${path} ${message}`);
};

const data = testDataFolder() ?? '';
(data === '' ? describe.skip : describe)('real schemas (needs COUNTERSIGN_TEST_DATA)', () => {
  function tally(schemas: readonly unknown[]): { accepted: number; refused: Record<string, number> } {
    const refused: Record<string, number> = {};
    for (const schema of schemas) {
      const [reason] = refusal(schema);
      if (reason !== undefined) refused[reason] = (refused[reason] ?? 0) + 1;
    }
    const lost = Object.values(refused).reduce((sum, count) => sum + count, 0);
    return { accepted: schemas.length - lost, refused };
  }
  const load = (file: string) => JSON.parse(readFileSync(join(data, file), 'utf8'));

  test('of the Berkeley Function Calling Leaderboard: all but enums and defaults that contradict their type', () => {
    const { accepted, refused } = tally(
      load('bfcl/schemas.json').map((one: { parameters: unknown }) => one.parameters),
    );
    console.info('bfcl', accepted, 'accepted', JSON.stringify(refused));
    expect(accepted).toBe(1279);
    for (const reason of Object.keys(refused))
      expect(reason).toMatch(/enum has no value of type|default (has not the type|is not in its enum)/);
  });

  test("that providers accepted: all but Google's own types and a look-ahead", () => {
    const recorded: unknown[] = Object.values(load('wire/accepted_tool_schemas.json'))
      .filter(Array.isArray)
      .flat();
    const { accepted, refused } = tally(recorded.map((one) => (one as { schema: unknown }).schema));
    console.info('wire', accepted, 'accepted', JSON.stringify(refused));
    expect(accepted).toBe(136);
    for (const reason of Object.keys(refused)) expect(reason).toMatch(/^\/type must be "object"|linear time/);
  });
});
