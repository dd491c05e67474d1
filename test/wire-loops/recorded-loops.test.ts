import { type Api, createTenant } from '../support/client.js';
import { createAgent, createTool, startRun } from '../support/definitions.js';
import { recordingsFolder } from '../support/environment.js';
import { gate } from '../support/gate.js';
import { type ModelServer, startModelServer } from '../support/model-server.js';
import { endOf, toolCallsOf } from '../support/runs.js';
import { startToolServer, type ToolServer } from '../support/tool-server.js';
import { type Recording, simpleLoops } from './recording.js';
import { spokenApis } from './spoken-apis.js';

const folder = recordingsFolder();

/** What a model is told of a tool that returned an empty text. */
const NOTHING = 'The tool ran and returned nothing.';

describe.each(spokenApis)('recorded loops of $name, driven through the whole product', (spoken) => {
  const recordings = folder === null ? [] : simpleLoops(folder, spoken.name);
  /** Their replies carry calls and no finish reason at all: that is no normal finish, whatever they hold. */
  const withoutFinish = recordings.filter(({ id }) => id.includes('snowflake'));
  const whole = recordings.filter((recording) => !withoutFinish.includes(recording));

  let api: Api;
  let tools: ToolServer;
  let model: ModelServer;
  beforeEach(async () => {
    [{ api }, tools, model] = await Promise.all([createTenant(), startToolServer(), startModelServer()]);
  });
  afterEach(() => Promise.all([tools.close(), model.close()]));

  const start = async (recording: Recording): Promise<string> => {
    const { system, user, tools: definitions } = recording.rerun;
    for (const { name, description, parameters } of definitions) {
      await createTool(api, tools, { name, effect: 'read', description: description || name, parameters });
    }
    answerAsRecorded(tools, recording);
    model.play(
      recording.steps.map(({ response: { status, content_type, body } }) => ({
        status,
        headers: { 'content-type': content_type },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      })),
    );
    const instructions = system || 'Answer.';
    const names = definitions.map((definition) => definition.name);
    await createAgent(api, { model: await spoken.choose(api, model), tools: names, instructions });
    return (await startRun(api, { input: user.join('\n') })).id;
  };

  if (folder === null) {
    test.skip('skipped: COUNTERSIGN_TEST_DATA names no folder of recordings', () => undefined);
    return;
  }

  test.each(whole)('$id: sends back what the provider expects and ends with its text', async (recording) => {
    const runId = await start(recording);
    const run = await endOf(api, runId, 'completed');
    expect(run.output).toBe(recording.steps.at(-1)?.expected.text);
    expect(model.requests.map(({ rawBody }) => spoken.sentBack(rawBody))).toEqual(
      recording.steps.map(({ request_facts: { history_calls, history_results, signatures_sent_back } }) => ({
        calls: history_calls,
        results: history_results.map((id) => [id, recording.rerun.tool_outputs[id] || NOTHING]),
        signatures: signatures_sent_back,
      })),
    );
    const total = (count: 'input' | 'output' | 'reasoning') =>
      recording.steps.reduce((sum, step) => sum + (step.expected.usage[count] ?? 0), 0);
    expect(run.usage).toMatchObject({
      inputTokens: total('input'),
      outputTokens: total('output'),
      reasoningTokens: total('reasoning'),
    });
  });

  if (withoutFinish.length === 0) return;

  test.each(withoutFinish)(
    '$id: a reply without a finish reason is model_error, and nothing runs',
    async (recording) => {
      const runId = await start(recording);
      const run = await endOf(api, runId, 'failed');
      expect(run.statusReason?.code).toBe('model_error');
      expect(tools.requests).toEqual([]);
      expect((await toolCallsOf(api, runId)).every((call) => call.status === 'cancelled')).toBe(true);
    },
  );
});

/** Each tool answers its recorded output, found by its arguments, once all calls of the same step have arrived. */
function answerAsRecorded(tools: ToolServer, { steps, rerun }: Recording): void {
  const calls = steps.flatMap(({ expected }) => {
    const together = gate();
    let missing = expected.tool_calls.length;
    const arrive = (): Promise<void> => {
      missing -= 1;
      if (missing === 0) together.open();
      return together.opened;
    };
    return expected.tool_calls.map((call) => ({ ...call, arrive }));
  });
  for (const name of new Set(calls.map((call) => call.name))) {
    tools.on(name, async ({ body }) => {
      const key = JSON.stringify(body.arguments);
      const call = calls.find((other) => other.name === name && JSON.stringify(other.arguments) === key);
      if (call === undefined) return { status: 404, body: { detail: `not recorded: ${key}` } };
      await call.arrive();
      return { status: 200, body: rerun.tool_outputs[call.id] };
    });
  }
}
