import { type Api, createTenant } from '../support/client.js';
import { createAgent, createTool, startRun, testModel } from '../support/definitions.js';
import { inLanes } from '../support/lanes.js';
import type { ModelRequestRecord, ModelServer } from '../support/model-server.js';
import { approve, resultsOf } from '../support/runs.js';
import type { StackAddress } from '../support/stack.js';
import type { ToolEnding, ToolRequest, ToolServer } from '../support/tool-server.js';
import {
  canonicalSha256,
  pythonJson,
  type RetailBenchmark,
  type RetailData,
  type RetailTask,
} from './retail-data.js';
import { RETAIL_TOOLS, Refusal } from './retail-tools.js';

/** What became of one task. `outputs` are the words that the model read, `database` its canonical digest. */
export interface PlayedTask {
  readonly task: string;
  readonly toolCalls: number;
  readonly outputs: readonly string[];
  readonly database: string;
  /** How often each of its effects was made, by the tool's own ledger. */
  readonly effects: readonly number[];
}

/** Something that happens to a task's call while its tool performs it. */
export type Disturb = (request: ToolRequest, performing: () => ToolEnding) => Promise<ToolEnding>;

export interface RetailGame {
  readonly stack: StackAddress;
  /** How many tasks at once. */
  readonly sideBySide: number;
  readonly disturb?: Disturb;
}

type Servers = { readonly tools: ToolServer; readonly model: ModelServer };

/**
 * Plays tasks of a benchmark on a stack, until none of `waiting` is left: the model server proposes the ground truth,
 * each call is approved.
 */
export async function playRetail(
  benchmark: RetailBenchmark,
  waiting: RetailTask[],
  { tools, model }: Servers,
  { stack, sideBySide, disturb = async (_request, performing) => performing() }: RetailGame,
): Promise<PlayedTask[]> {
  const { api } = await createTenant({}, stack);
  const databases = new Map<string, RetailData>();
  const names = Object.keys(RETAIL_TOOLS);
  for (const name of names) {
    const { description, parameters } = benchmark.schemas.get(name) ?? {};
    const reconcile = { url: tools.urlOf(name, 'reconcile') };
    await createTool(api, tools, { name, effect: 'once', description, parameters, reconcile });
    tools.on(name, (request) => disturb(request, () => perform(tools, databases, request)));
  }
  model.play((request) => nextAction(benchmark.tasks, request));
  await createAgent(api, { model: testModel(model), tools: names });

  const played: PlayedTask[] = [];
  await inLanes(sideBySide, async () => {
    for (let task = waiting.shift(); task !== undefined; task = waiting.shift()) {
      const database = structuredClone(benchmark.data);
      databases.set(task.id, database);
      played.push(await playTask(api, task, database, tools));
      databases.delete(task.id);
    }
  });
  return played;
}

async function playTask(
  api: Api,
  task: RetailTask,
  database: RetailData,
  tools: ToolServer,
): Promise<PlayedTask> {
  const { id } = await startRun(api, { input: inputOf(task), subject: { id: task.id } });
  for (const _ of task.actions) await approve(api, id);
  const run = await api.waitFor(id, (seen) => seen.status === 'completed');
  const ours = tools.requests.filter(({ body }) => body.context.runId === id);
  const keys = new Set(ours.map(({ idempotencyKey }) => idempotencyKey ?? ''));
  return {
    task: task.id,
    toolCalls: run.usage.toolCalls,
    outputs: await resultsOf(api, id),
    database: canonicalSha256(database),
    effects: [...keys].flatMap((key) => tools.effects.get(key) ?? []),
  };
}

/** What must become of a task, whatever happens meanwhile. */
export function expectedOf({ expected }: RetailBenchmark, task: RetailTask): PlayedTask {
  const wanted = expected.get(task.id);
  if (wanted === undefined) throw new Error(`nothing is expected of ${task.id}`);
  return {
    task: task.id,
    toolCalls: task.actions.length,
    outputs: wanted.observations.map(({ output, is_error }) =>
      is_error ? `The tool answered 422: ${output}` : output,
    ),
    database: wanted.canonical_sha256,
    effects: wanted.observations.filter(({ is_error }) => !is_error).map(() => 1),
  };
}

/** Some instructions are given to several tasks. */
function inputOf({ id, instruction }: RetailTask): string {
  return `${id}: ${instruction}`;
}

/** The tool's side: the run's subject names the task, and so the database. */
function perform(
  tools: ToolServer,
  databases: ReadonlyMap<string, RetailData>,
  request: ToolRequest,
): ToolEnding {
  const { id } = request.body.context.subject as { id: string };
  const database = databases.get(id);
  const tool = RETAIL_TOOLS[request.tool];
  if (database === undefined || tool === undefined) return { status: 404 };
  try {
    // A JSON string is read by the model as its text, so that outputs can be compared letter by letter.
    const output = pythonJson(tool(database, request.body.arguments));
    tools.apply(request, output);
    return { status: 200, body: output };
  } catch (error) {
    if (error instanceof Refusal) return { status: 422, body: { detail: error.message } };
    throw error;
  }
}

/** The model's side: one action a turn, then a word. The input names the task. */
function nextAction(tasks: readonly RetailTask[], { body }: ModelRequestRecord) {
  const asked = body.messages.find((message) => message.role === 'user')?.content;
  const task = tasks.find((one) => inputOf(one) === asked);
  const done = body.messages.filter((message) => message.role === 'tool').length;
  const action = task?.actions[done];
  if (action === undefined) return { text: 'Done.' };
  return { calls: [{ tool: action.name, arguments: action.arguments }] };
}
