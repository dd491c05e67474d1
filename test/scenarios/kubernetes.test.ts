import { kubernetesAgent, kubernetesTools } from '@countersign/examples';
import { type ClusterApi, startClusterApi } from '../../examples/kubernetes/api-server.js';
import { kubernetesRoutes } from '../../examples/kubernetes/routes.js';
import type { Completion } from '../support/model-reply.js';
import { endOf, messagesOf, resultsOf, toolCallsOf } from '../support/runs.js';
import { type ExampleWorld, openExample } from './example-world.js';

const QUESTION = 'Why is payments-api failing?';
const PODS =
  '[{"name":"payments-api-7d9f","phase":"Running","ready":false,"restarts":8},' +
  '{"name":"payments-worker-5c4b","phase":"Running","ready":true,"restarts":0}]';
const DETAILS =
  '{"name":"payments-api-7d9f","phase":"Running","containers":[{"name":"payments-api",' +
  '"state":{"waiting":{"reason":"CrashLoopBackOff","message":"back-off 5m0s restarting failed container"}},' +
  '"last_state":{"terminated":{"exitCode":137,"reason":"OOMKilled","finishedAt":"2026-10-02T09:14:11Z"}},' +
  '"restarts":8,"memory_limit":"256Mi"}]}';
const ANSWER =
  'payments-api-7d9f is in CrashLoopBackOff after 8 restarts: it was OOMKilled (exit 137) at its memory limit of ' +
  '256Mi. Raise the limit, or find what grows.';
const ALL = ['registered', 'arguments', 'scope', 'policy', 'credential'];

let cluster: ClusterApi;
let world: ExampleWorld;

const open = async (scoped = true): Promise<ExampleWorld> => {
  cluster = await startClusterApi();
  world = await openExample({
    tools: (url) =>
      kubernetesTools(url).map(({ constrain, ...tool }) => ({ ...tool, ...(scoped ? { constrain } : {}) })),
    routes: kubernetesRoutes(cluster.url),
    agent: kubernetesAgent(),
    subject: { id: 'sre-1', namespace: 'payments' },
  });
  return world;
};
afterEach(async () => {
  await Promise.all([world.close(), cluster.close()]);
});

/** Plays these replies of the model, and answers the run once it has ended. */
const play = async (replies: readonly Completion[], status: 'completed' | 'incomplete' = 'completed') => {
  world.model.play(replies);
  const { id } = await world.start(QUESTION, { agent: 'played' });
  return endOf(world.api, id, status);
};
const asks = (tool: string, args: object | string): Completion => ({
  calls: [{ tool, arguments: typeof args === 'string' ? args : { ...args } }],
});
/** The checks of a call of which this one stopped it: those before it passed, those behind it were not reached. */
const stoppedBy = (check: string) =>
  Object.fromEntries(
    ALL.map((name, index) => [
      name,
      name === check ? 'stopped' : index < ALL.indexOf(check) ? 'passed' : 'not_reached',
    ]),
  );

describe('kubernetes: finding out why', () => {
  test('two reads, three model calls: the pods, the one that is not ready, the cause', async () => {
    await open();
    const run = await endOf(world.api, (await world.start(QUESTION)).id, 'completed');
    expect(await messagesOf(world.api, run.id)).toEqual([
      { role: 'user', content: QUESTION },
      said('call_1', 'list_pods', '{"namespace":"payments"}'),
      heard('call_1', 'list_pods', PODS),
      said('call_2', 'get_pod_details', '{"namespace":"payments","pod_name":"payments-api-7d9f"}'),
      heard('call_2', 'get_pod_details', DETAILS),
      { role: 'assistant', content: ANSWER },
    ]);
    expect(run.usage).toMatchObject({ modelCalls: 3, toolCalls: 2 });
    expect(cluster.requests).toEqual([
      '/api/v1/namespaces/payments/pods',
      '/api/v1/namespaces/payments/pods/payments-api-7d9f',
    ]);
    for (const { checks } of await toolCallsOf(world.api, run.id)) {
      expect(checks).toEqual(Object.fromEntries(ALL.map((name) => [name, 'passed'])));
    }
  });

  test('what goes over the wire: seven messages with the instructions, the first tool forced on the first turn only', async () => {
    await open();
    await play([
      asks('list_pods', { namespace: 'payments' }),
      asks('get_pod_details', { namespace: 'payments', pod_name: 'payments-api-7d9f' }),
      { text: ANSWER },
    ]);
    const bodies = world.model.requests.map(({ body }) => body);
    // With the answer, which is the seventh.
    expect(bodies.map(({ messages }) => messages.map(({ role }) => role))).toEqual([
      ['system', 'user'],
      ['system', 'user', 'assistant', 'tool'],
      ['system', 'user', 'assistant', 'tool', 'assistant', 'tool'],
    ]);
    const forced = { type: 'function', function: { name: 'list_pods' } };
    expect(bodies[0]?.tool_choice).toEqual(forced);
    expect(bodies.slice(1).map(({ tool_choice: choice }) => choice ?? 'auto')).toEqual(['auto', 'auto']);
  });
});

describe('kubernetes: the trace', () => {
  test('shows what each model call received, in tokens, and how the list grew', async () => {
    await open();
    const { id } = await endOf(world.api, (await world.start(QUESTION)).id, 'completed');
    const { spans } = await world.api.expect(200, world.api.get<Trace>(`/v1/runs/${id}/trace`));
    const calls = spans.filter(({ kind }) => kind === 'model_call');
    expect(calls.map(({ received }) => received?.messages)).toEqual([1, 3, 5]);
    for (const { inputTokens, received } of calls) {
      expect(received?.instructionsTokens).toBeGreaterThan(0);
      expect(received?.toolsTokens).toBeGreaterThan(0);
      const { instructionsTokens = 0, toolsTokens = 0, conversationTokens = 0 } = received ?? {};
      expect(instructionsTokens + toolsTokens + conversationTokens).toBe(inputTokens);
    }
    const conversation = calls.map(({ received }) => received?.conversationTokens ?? 0);
    expect(conversation).toEqual([...conversation].sort((a, b) => a - b));
    expect(new Set(conversation).size).toBe(3);
    expect(spans.filter(({ kind }) => kind !== 'model_call').every(({ received }) => received === null)).toBe(
      true,
    );
  });
});

interface Trace {
  readonly spans: readonly {
    readonly kind: string;
    readonly inputTokens: number | null;
    readonly received: {
      readonly messages: number;
      readonly instructionsTokens: number;
      readonly toolsTokens: number;
      readonly conversationTokens: number;
    } | null;
  }[];
}

describe('kubernetes: what stops a call', () => {
  test('a tool that is not registered', async () => {
    await open();
    const { id } = await play([
      asks('delete_pod', { pod_name: 'payments-api-7d9f' }),
      { text: 'I can only read.' },
    ]);
    expect(await resultsOf(world.api, id)).toEqual([
      'There is no tool named "delete_pod". The tools are: list_pods, get_pod_details.',
    ]);
    expect(await toolCallsOf(world.api, id)).toMatchObject([
      { status: 'denied', checks: stoppedBy('registered'), error: { code: 'tool_unknown' } },
    ]);
    expect(cluster.requests).toEqual([]);
  });

  test('an argument that is missing, by its name', async () => {
    await open();
    const { id } = await play([asks('get_pod_details', { namespace: 'payments' }), { text: 'Which pod?' }]);
    expect(await resultsOf(world.api, id)).toEqual([
      'The arguments are not valid: pod_name is required. Nothing was run. Correct them and call again.',
    ]);
    expect(await toolCallsOf(world.api, id)).toMatchObject([
      { status: 'denied', checks: stoppedBy('arguments'), error: { code: 'arguments_invalid' } },
    ]);
    expect(cluster.requests).toEqual([]);
  });

  test("a namespace that is not the subject's: the API server hears nothing of it", async () => {
    await open();
    const { id } = await play([
      asks('list_pods', { namespace: 'kube-system' }),
      { text: 'Not mine to see.' },
    ]);
    expect(await resultsOf(world.api, id)).toEqual([
      'Not allowed for this subject: namespace does not match the person the run is for. Nothing was run. ' +
        'The same call will be denied again.',
    ]);
    expect(await toolCallsOf(world.api, id)).toMatchObject([
      { status: 'denied', checks: stoppedBy('scope'), error: { code: 'out_of_scope' } },
    ]);
    expect(cluster.requests).toEqual([]);
  });

  test("the tenant's policy", async () => {
    await open();
    const rules = [{ tool: 'list_pods', action: 'deny', reason: 'The cluster is under maintenance' }];
    await world.api.expect(200, world.api.put('/v1/policy', { rules }));
    const { id } = await play([asks('list_pods', { namespace: 'payments' }), { text: 'Later.' }]);
    expect(await toolCallsOf(world.api, id)).toMatchObject([
      { status: 'denied', checks: stoppedBy('policy'), error: { code: 'policy_denied' } },
    ]);
    expect(cluster.requests).toEqual([]);
  });

  test('the credential: without the rule of scope the API server answers 403, and the model is told its words', async () => {
    await open(false);
    const { id } = await play([
      asks('list_pods', { namespace: 'kube-system' }),
      { text: 'Not mine to see.' },
    ]);
    expect(await resultsOf(world.api, id)).toEqual([
      'The tool answered 403: pods is forbidden: User "system:serviceaccount:payments:reader" cannot list resource ' +
        '"pods" in API group "" in the namespace "kube-system"',
    ]);
    expect(await toolCallsOf(world.api, id)).toMatchObject([
      { status: 'failed', checks: stoppedBy('credential'), error: { code: 'unauthorized' } },
    ]);
    expect(cluster.requests).toEqual(['/api/v1/namespaces/kube-system/pods']);
  });

  test('a reply cut at the length limit inside the arguments: not executed, not repaired, incomplete', async () => {
    await open();
    const cut = { ...asks('get_pod_details', '{"namespace":"payments","pod_na'), finish: 'length' };
    const run = await play([cut], 'incomplete');
    expect(run.statusReason?.code).toBe('max_tokens');
    expect(await toolCallsOf(world.api, run.id)).toMatchObject([{ status: 'cancelled' }]);
    expect(await resultsOf(world.api, run.id)).toEqual([
      'The reply that held this call was not complete, so the call was not run.',
    ]);
    expect(cluster.requests).toEqual([]);
    expect(world.model.requests).toHaveLength(1);
  });
});

function said(callId: string, tool: string, args: string) {
  return { role: 'assistant', content: '', calls: [{ callId, tool, arguments: args }] };
}

function heard(callId: string, tool: string, content: string) {
  return { role: 'tool', callId, tool, isError: false, content };
}
