import type { Api } from './client.js';
import { type ModelServer, startModelServer } from './model-server.js';
import { TEST_MODEL } from './stack.js';
import { startToolServer, type ToolServer } from './tool-server.js';
import type { RunView } from './wire.js';

/** Runs a test with a tool server and a model server of its own, and closes them whatever happens. */
export async function withServers(
  test: (servers: { readonly tools: ToolServer; readonly model: ModelServer }) => Promise<void>,
): Promise<void> {
  const [tools, model] = await Promise.all([startToolServer(), startModelServer()]);
  try {
    await test({ tools, model });
  } finally {
    await Promise.all([tools.close(), model.close()]);
  }
}

/** The choice of the scripted server as an agent's model. It is priced in every stack. */
export function testModel(server: ModelServer) {
  return {
    provider: 'openai-compatible',
    api: 'chat',
    model: TEST_MODEL,
    maxOutputTokens: 1_000,
    baseUrl: server.baseUrl,
  };
}

export interface ToolOptions {
  readonly name: string;
  readonly effect: 'read' | 'idempotent' | 'once';
  readonly [field: string]: unknown;
}

/** Registers a tool that lives on the tool server, which trusts its signature from then on. */
export async function createTool(api: Api, server: ToolServer, options: ToolOptions): Promise<void> {
  const created = await api.expect(
    201,
    api.post<{ signingSecret: string }>('/v1/tools', {
      description: `The tool ${options.name}.`,
      parameters: { type: 'object', properties: {} },
      executor: { type: 'http', url: server.urlOf(options.name) },
      ...options,
    }),
  );
  server.trust(options.name, created.signingSecret);
}

export interface AgentOptions {
  readonly name?: string;
  readonly model: object;
  readonly tools?: readonly string[];
  readonly [field: string]: unknown;
}

/** Registers an agent; it is called `agent` unless told. */
export async function createAgent(api: Api, options: AgentOptions): Promise<void> {
  await api.expect(
    201,
    api.post('/v1/agents', { name: 'agent', instructions: 'Do what you are asked.', tools: [], ...options }),
  );
}

/** Starts a run of `agent` unless told otherwise, and answers what the API said. */
export function startRun(api: Api, body: { readonly [field: string]: unknown } = {}): Promise<RunView> {
  return api.expect(202, api.post<RunView>('/v1/runs', { agent: 'agent', input: 'Please go on.', ...body }));
}
