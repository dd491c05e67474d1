import { assistantAgent, assistantTools } from '@countersign/examples';
import { assistantRoutes } from '../../examples/assistant/routes.js';
import { saveLiveAgent } from '../../examples/live-agent.js';
import { ProductClient } from '../../examples/product-client.js';
import { endOf, resultsOf, toolCallsOf } from '../support/runs.js';
import { TEST_MODEL } from '../support/stack.js';
import { type ExampleWorld, openExample } from './example-world.js';

const QUESTION = "What day is it, how much is 150 * 3, and what's the weather in Bogotá?";

let world: ExampleWorld;
let product: ProductClient;
beforeAll(async () => {
  world = await openExample({
    tools: assistantTools,
    routes: assistantRoutes(() => new Date('2026-10-02T12:00:00Z')),
    agent: assistantAgent(),
  });
  product = new ProductClient(world.api.baseUrl, world.api.key ?? '');
});
afterAll(() => world.close());

describe('an example on a model that is named', () => {
  const named = `openai-compatible/${TEST_MODEL}`;
  const env = () => ({ OPENAI_BASE_URL: world.model.baseUrl });

  test('is played by that model, with a new version of its agent each time', async () => {
    const name = await saveLiveAgent(product, 'assistant', named, env());
    expect(await saveLiveAgent(product, 'assistant', named, env())).toBe(name);
    world.model.play([
      { calls: [{ tool: 'calculator', arguments: { expression: '150 * 3' } }] },
      { text: '450.' },
    ]);
    const run = await endOf(world.api, (await world.start(QUESTION, { agent: name })).id, 'completed');
    expect(run).toMatchObject({ agent: { name: 'assistant_live', version: 2 }, output: '450.' });
    expect(await resultsOf(world.api, run.id)).toEqual(['{"result":"450"}']);
  });

  test('is refused in words where the example, the provider or its key is missing', async () => {
    const save = (example: string, model: string) => saveLiveAgent(product, example, model, {});
    await expect(save('machine', named)).rejects.toThrow('played by its script alone');
    await expect(save('assistant', 'toString/x')).rejects.toThrow('takes provider/model, of openai, ');
    await expect(save('assistant', 'openai')).rejects.toThrow('takes provider/model');
    await expect(save('assistant', 'anthropic/claude-sonnet-4-5')).rejects.toThrow(
      'ANTHROPIC_API_KEY is not set',
    );
  });
});

/** With a key in the environment, the real provider plays. */
const REAL = [
  ['OPENAI_API_KEY', 'openai/gpt-4.1-mini'],
  ['ANTHROPIC_API_KEY', 'anthropic/claude-haiku-4-5'],
  ['GEMINI_API_KEY', 'google/gemini-2.5-flash'],
] as const;

describe.each(REAL)('with %s', (key, named) => {
  const played = process.env[key] === undefined ? test.skip : test;
  played(`${named} asks for the date, the sum and the weather, and answers`, async () => {
    const name = await saveLiveAgent(product, 'assistant', named, process.env);
    const run = await endOf(world.api, (await world.start(QUESTION, { agent: name })).id, 'completed');
    const tools = (await toolCallsOf(world.api, run.id)).map(({ tool }) => tool);
    expect(tools).toEqual(expect.arrayContaining(['get_date', 'calculator', 'get_weather']));
    expect(run.output).toContain('450');
    expect(Number(run.costUsd)).toBeGreaterThan(0);
  });
});
