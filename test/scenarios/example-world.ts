import type { ToolRoutes } from '../../examples/tool-route.js';
import { type Api, createTenant } from '../support/client.js';
import { testModel } from '../support/definitions.js';
import { type ModelServer, startModelServer } from '../support/model-server.js';
import { type StackAddress, sharedStack } from '../support/stack.js';
import { startToolServer, type ToolHandler, type ToolServer } from '../support/tool-server.js';
import type { RunView } from '../support/wire.js';

/** A tenant with an example's tools and agent, and a model server for what the example's script does not say. */
export interface ExampleWorld {
  readonly api: Api;
  readonly tools: ToolServer;
  readonly model: ModelServer;
  /** What the example itself answers to a tool's call; tests put their own endings around it. */
  readonly route: (path: string) => ToolHandler;
  /** Starts a run of the example's agent (the script) or of `played` (the model server) for the example's subject. */
  start(input: string, options?: { readonly [field: string]: unknown }): Promise<RunView>;
  close(): Promise<void>;
}

export interface Example {
  readonly tools: (url: string) => readonly { readonly name: string }[];
  readonly routes: ToolRoutes;
  readonly agent: { readonly name: string };
  readonly subject?: object;
  readonly stack?: StackAddress;
}

export async function openExample(example: Example): Promise<ExampleWorld> {
  const { agent, subject } = example;
  const [{ api }, tools, model] = await Promise.all([
    createTenant({}, example.stack ?? sharedStack()),
    startToolServer(),
    startModelServer(),
  ]);
  const route = (path: string) => handlerOf(example.routes, path);
  for (const tool of example.tools(tools.url)) {
    const created = await api.expect(201, api.post<{ signingSecret: string }>('/v1/tools', tool));
    tools.trust(tool.name, created.signingSecret);
    tools.on(tool.name, route(`/${tool.name}`));
    if (example.routes[`/${tool.name}/check`]) tools.onCheck(tool.name, route(`/${tool.name}/check`));
    if (example.routes[`/${tool.name}/reconcile`]) {
      tools.onReconcile(tool.name, route(`/${tool.name}/reconcile`));
    }
  }
  for (const one of [agent, { ...agent, name: 'played', model: testModel(model) }]) {
    await api.expect(201, api.post('/v1/agents', one));
  }
  return {
    api,
    tools,
    model,
    route,
    start: (input, more = {}) => {
      const body = { agent: agent.name, input, ...(subject === undefined ? {} : { subject }), ...more };
      return api.expect(202, api.post<RunView>('/v1/runs', body));
    },
    close: async () => {
      await Promise.all([tools.close(), model.close()]);
    },
  };
}

function handlerOf(routes: ToolRoutes, path: string): ToolHandler {
  return async (request) => {
    const route = routes[path];
    if (route === undefined) throw new Error(`the example has no ${path}`);
    const answer = await route(request.body, request.idempotencyKey ?? '');
    return answer === 'no_answer' ? { hang: new Promise<never>(() => {}) } : answer;
  };
}
