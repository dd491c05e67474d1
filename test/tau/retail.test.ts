import { createTenant } from '../support/client.js';
import { createAgent, createTool, startRun, testModel } from '../support/definitions.js';
import { recordingsFolder } from '../support/environment.js';
import { type ModelRequestRecord, startModelServer } from '../support/model-server.js';
import { approve, resultsOf } from '../support/runs.js';
import { startToolServer, type ToolRequest } from '../support/tool-server.js';
import { canonicalSha256, pythonJson, type RetailData, type RetailTask, readRetail } from './retail-data.js';
import { RETAIL_TOOLS, Refusal } from './retail-tools.js';

const folder = recordingsFolder();
const SIDE_BY_SIDE = 5;

describe('the retail tasks of tau-bench, each action signed and done once', () => {
  if (folder === null) {
    test('are left out: COUNTERSIGN_TEST_DATA names no folder of recordings', () => {
      expect(folder).toBeNull();
    });
    return;
  }
  const benchmark = readRetail(folder, 'dev');

  test('the database to begin with is the recorded one', () => {
    expect(canonicalSha256(benchmark.data)).toBe(benchmark.initialSha256);
  });

  test('every output and every final database is the expected one', async () => {
    const [{ api }, tools, model] = await Promise.all([
      createTenant(),
      startToolServer(),
      startModelServer(),
    ]);
    const databases = new Map<string, RetailData>();
    for (const name of Object.keys(RETAIL_TOOLS)) {
      await createTool(api, tools, { name, effect: 'once', ...definitionOf(name) });
      tools.on(name, (request) => perform(databases, request));
    }
    model.play((request) => nextAction(benchmark.tasks, request));
    await createAgent(api, { model: testModel(model), tools: Object.keys(RETAIL_TOOLS) });

    const play = async (task: RetailTask): Promise<object> => {
      const database = structuredClone(benchmark.data);
      databases.set(task.id, database);
      const { id } = await startRun(api, { input: task.instruction, subject: { id: task.id } });
      for (const _ of task.actions) await approve(api, id);
      const run = await api.waitFor(id, (seen) => seen.status === 'completed');
      databases.delete(task.id);
      return {
        task: task.id,
        toolCalls: run.usage.toolCalls,
        outputs: await resultsOf(api, id),
        database: canonicalSha256(database),
      };
    };
    const lanes = Array.from({ length: SIDE_BY_SIDE }, async (_, lane) => {
      const results: object[] = [];
      for (let index = lane; index < benchmark.tasks.length; index += SIDE_BY_SIDE) {
        const task = benchmark.tasks[index];
        if (task !== undefined) results.push(await play(task));
      }
      return results;
    });
    const played = (await Promise.all(lanes)).flat();

    expect(played).toHaveLength(benchmark.tasks.length);
    expect(played).toEqual(expect.arrayContaining(benchmark.tasks.map((task) => expectedOf(task))));
    expect([...tools.effects.values()].every((times) => times === 1)).toBe(true);
    expect(tools.requests.every((request) => request.signature === 'valid')).toBe(true);
    await Promise.all([tools.close(), model.close()]);

    function perform(worlds: ReadonlyMap<string, RetailData>, request: ToolRequest) {
      const { id } = request.body.context.subject as { id: string };
      const database = worlds.get(id);
      const tool = RETAIL_TOOLS[request.tool];
      if (database === undefined || tool === undefined) return { status: 404 };
      try {
        // A JSON string is read by the model as its text, so the outputs can be compared letter by letter.
        const output = pythonJson(tool(database, request.body.arguments));
        tools.apply(request, output);
        return { status: 200, body: output };
      } catch (error) {
        if (error instanceof Refusal) return { status: 422, body: { detail: error.message } };
        throw error;
      }
    }
  });

  function definitionOf(name: string): object {
    const schema = benchmark.schemas.get(name);
    if (schema === undefined) throw new Error(`the benchmark has no tool ${name}`);
    return { description: schema.description, parameters: schema.parameters };
  }

  function expectedOf(task: RetailTask): object {
    const expected = benchmark.expected.get(task.id);
    return {
      task: task.id,
      toolCalls: task.actions.length,
      outputs: expected?.observations.map(({ output, is_error }) =>
        is_error ? `The tool answered 422: ${output}` : output,
      ),
      database: expected?.canonical_sha256,
    };
  }
});

/** Plays the ground truth: one action a turn, then a word. The instruction names the task. */
function nextAction(tasks: readonly RetailTask[], { body }: ModelRequestRecord) {
  const asked = body.messages.find((message) => message.role === 'user')?.content;
  const task = tasks.find((one) => one.instruction === asked);
  const done = body.messages.filter((message) => message.role === 'tool').length;
  const action = task?.actions[done];
  if (action === undefined) return { text: 'Done.' };
  return { calls: [{ tool: action.name, arguments: action.arguments }] };
}
