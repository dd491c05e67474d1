import fc from 'fast-check';
import { createTenant } from '../support/client.js';
import { createAgent, startRun, testModel } from '../support/definitions.js';
import { startModelServer } from '../support/model-server.js';
import { endOf } from '../support/runs.js';

/** Any code units at all: NUL, controls, halves of pairs. */
const units = fc
  .array(fc.nat(0xffff), { minLength: 1, maxLength: 20 })
  .map((codes) => String.fromCharCode(...codes));
const number = fc.stringMatching(/^-?(0|[1-9][0-9]{0,40})(\.[0-9]{1,40})?([eE][+-]?[0-9]{1,4})?$/);
/** Arguments in canonical order, as a tool is sent them, so that what it gives back is the same text. */
const args = fc
  .tuple(units, number, number)
  .map(([text, first, second]) => `{"list":[${second},1.0,1e400],"n":${first},"s":${JSON.stringify(text)}}`);

test('text of any code units and numbers of any size go from the model through Postgres and back unchanged', async () => {
  const [{ api }, model] = await Promise.all([createTenant(), startModelServer()]);
  try {
    await api.expect(
      201,
      api.post('/v1/tools', {
        name: 'echo',
        description: 'Says what it is told.',
        parameters: { type: 'object', properties: {} },
        effect: 'read',
        fresh: true,
        executor: { type: 'builtin', handler: 'echo' },
      }),
    );
    await createAgent(api, { model: testModel(model), tools: ['echo'] });
    const words = `a\u0000b \ud83d half, \udc00 other half, 😀 whole${fc.sample(units, { seed: 3, numRuns: 3 }).join('')}`;
    const sent = fc.sample(args, { seed: 7, numRuns: 12 });
    model.play([
      {
        text: words,
        calls: sent.map((text, index) => ({ id: `call_${index}`, tool: 'echo', arguments: text })),
      },
      { text: words },
    ]);
    const run = await endOf(api, (await startRun(api, { input: 'Say it.' })).id, 'completed');

    const [, said, ...results] = model.requests[1]?.body.messages.slice(-sent.length - 2) ?? [];
    expect(said?.content).toBe(words);
    expect(said?.tool_calls?.map((call) => call.function.arguments)).toEqual(sent);
    expect(results.map(({ content }) => content)).toEqual(sent);
    expect(run.output).toBe(words);
  } finally {
    await model.close();
  }
});
