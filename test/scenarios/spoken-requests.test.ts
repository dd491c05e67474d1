import {
  type ConversationItem,
  createAnthropicMessagesAdapter,
  createGenerateContentAdapter,
  createOpenAiChatAdapter,
  createOpenAiResponsesAdapter,
  type JsonText,
  type ModelRequest,
} from '@countersign/agent-core';
import { publishedSchema } from '@countersign/agent-core/testing';
import {
  assistantAgent,
  assistantTools,
  calendarAgent,
  calendarTools,
  kubernetesAgent,
  kubernetesTools,
  machineAgent,
  machineTools,
  ordersAgent,
  orderTools,
} from '@countersign/examples';
import { assistantRoutes } from '../../examples/assistant/routes.js';
import { Calendars, calendarRoutes } from '../../examples/calendar/routes.js';
import { type ClusterApi, startClusterApi } from '../../examples/kubernetes/api-server.js';
import { kubernetesRoutes } from '../../examples/kubernetes/routes.js';
import { machineRoutes } from '../../examples/machine/routes.js';
import { SCRIPTED_CASES } from '../../examples/machine/script.js';
import { WIRE_CASES } from '../../examples/machine/wire-cases.js';
import { shopRoutes } from '../../examples/orders/shop.js';
import { ShopDatabase } from '../../examples/orders/shop-database.js';
import type { Api } from '../support/client.js';
import { recordingsFolder } from '../support/environment.js';
import { decide, messagesOf } from '../support/runs.js';
import type { ApprovalView, RunView } from '../support/wire.js';
import { type Example, openExample } from './example-world.js';

const folder = recordingsFolder();
const describeRecorded = folder === null ? describe.skip : describe;

interface Played extends Example {
  readonly agent: { readonly name: string; readonly instructions: string };
  readonly questions: readonly string[];
}

const examples = (cluster: ClusterApi): Readonly<Record<string, Played>> => ({
  orders: {
    tools: orderTools,
    routes: shopRoutes(new ShopDatabase()),
    agent: ordersAgent(),
    subject: { id: 'C-1001' },
    questions: ['Which of my orders were refunded since October 1st?', 'Please refund order 1.', 'Hello?'],
  },
  calendar: {
    tools: calendarTools,
    routes: calendarRoutes(new Calendars()),
    agent: calendarAgent(),
    subject: { id: 'team-1' },
    questions: ['Book a team meeting between 2026-11-02 and 2026-11-06 and tell the attendees.'],
  },
  kubernetes: {
    tools: kubernetesTools,
    routes: kubernetesRoutes(cluster.url),
    agent: kubernetesAgent(),
    subject: { id: 'sre-1', namespace: 'payments' },
    questions: ['Why is payments-api failing?'],
  },
  assistant: {
    tools: assistantTools,
    routes: assistantRoutes(() => new Date('2026-11-02T12:00:00Z')),
    agent: assistantAgent(),
    questions: [
      "What day is it, how much is 150 * 3, and what's the weather in Bogotá?",
      'Temperature in Madrid times 3',
    ],
  },
  machine: {
    tools: machineTools,
    routes: machineRoutes,
    agent: machineAgent(),
    questions: Object.keys(SCRIPTED_CASES),
  },
});

interface Spoken {
  readonly adapter: ReturnType<typeof createOpenAiChatAdapter>;
  readonly choice: ModelRequest['choice'];
  readonly file: string;
  readonly reference: string;
}

/** Google publishes no schema of Interactions. */
const spoken: Readonly<Record<string, Spoken>> = {
  'Chat Completions': {
    adapter: createOpenAiChatAdapter(),
    choice: { provider: 'openai', model: 'gpt-4.1-mini' },
    file: 'openai.openapi.json',
    reference: '#/components/schemas/CreateChatCompletionRequest',
  },
  Responses: {
    adapter: createOpenAiResponsesAdapter(),
    choice: { provider: 'openai', model: 'gpt-5-mini', reasoningEffort: 'low' },
    file: 'openai.openapi.json',
    reference: '#/components/schemas/CreateResponse',
  },
  Messages: {
    adapter: createAnthropicMessagesAdapter(),
    choice: { provider: 'anthropic', model: 'claude-haiku-4-5' },
    file: 'anthropic.messages-request.schema.json',
    reference: '#/definitions/MessagesRequest',
  },
  generateContent: {
    adapter: createGenerateContentAdapter(),
    choice: { provider: 'google', model: 'gemini-3-flash' },
    file: 'gemini.generate-content-request.schema.json',
    reference: '#/definitions/GenerateContentRequest',
  },
};

/** The body that an adapter sends. */
async function bodyOf({ adapter }: Spoken, request: ModelRequest): Promise<string> {
  const bodies: string[] = [];
  const fetch: typeof globalThis.fetch = async (_, init) => {
    bodies.push(String(init?.body));
    return new Response('{}', { status: 400, headers: { 'content-type': 'application/json' } });
  };
  const call = adapter.prepare(request, { apiKey: 'k', baseUrl: 'http://127.0.0.1', fetch });
  for await (const event of call.send(new AbortController().signal)) expect(event.type).toBe('failure');
  return bodies.join();
}

/** Follows a run to its end; whoever is asked approves. */
async function finish(api: Api, runId: string): Promise<void> {
  const isEnded = (run: RunView) => run.finishedAt !== null;
  for (let signatures = 0; signatures < 5; signatures += 1) {
    const run = await api.waitFor(
      runId,
      (seen) => isEnded(seen) || (seen.waitingOn?.approvals.length ?? 0) > 0,
    );
    if (isEnded(run)) return;
    const approval = await api.expect(
      200,
      api.get<ApprovalView>(`/v1/approvals/${run.waitingOn?.approvals.at(-1)}`),
    );
    await decide(api, approval, { decision: 'approve' });
  }
  throw new Error('the run asks again and again');
}

async function conversationOf(api: Api, runId: string): Promise<readonly ConversationItem[]> {
  return (await messagesOf(api, runId)).map(
    ({ role, content: text, calls = [], callId = '', tool = '', isError = false }): ConversationItem => {
      if (role === 'user') return { role, text };
      if (role === 'tool') return { role, callId, tool, text, isError };
      return { role, text, calls, raw: [] };
    },
  );
}

/** What was sent before each word of the model, and what a next turn would send. */
function histories(conversation: readonly ConversationItem[]): readonly (readonly ConversationItem[])[] {
  const sent = conversation.flatMap(({ role }, index) =>
    role === 'assistant' ? [conversation.slice(0, index)] : [],
  );
  return [...sent, [...conversation, { role: 'user', text: 'And now?' }]];
}

describeRecorded('what every example makes a model read (skipped without COUNTERSIGN_TEST_DATA)', () => {
  let cluster: ClusterApi;
  beforeAll(async () => {
    cluster = await startClusterApi();
  });
  afterAll(() => cluster.close());

  test.each(['orders', 'calendar', 'kubernetes', 'assistant', 'machine'])(
    '%s: each request is one that the published schemas accept',
    async (name) => {
      const example = examples(cluster)[name];
      if (example === undefined) throw new Error(`no example ${name}`);
      const world = await openExample(example);
      const tools = example.tools(world.tools.url) as readonly {
        readonly name: string;
        readonly description: string;
        readonly parameters: object;
      }[];
      try {
        const conversations: (readonly ConversationItem[])[] = [];
        for (const question of example.questions) {
          const { id } = await world.start(question);
          await finish(world.api, id);
          conversations.push(await conversationOf(world.api, id));
        }
        if (name === 'machine') {
          for (const [question, replies] of Object.entries(WIRE_CASES)) {
            world.model.play(replies);
            const { id } = await world.start(question, { agent: 'played' });
            await finish(world.api, id);
            conversations.push(await conversationOf(world.api, id));
          }
        }
        for (const each of Object.values(spoken)) {
          const validate = publishedSchema(folder ?? '', each.file, each.reference);
          expect(validate({ contents: 1, messages: [{ role: 'tool' }], input: 1 })).toBe(false);
          for (const conversation of conversations.flatMap(histories)) {
            const body = await bodyOf(each, {
              choice: each.choice,
              maxOutputTokens: 4_000,
              instructions: example.agent.instructions,
              conversation,
              tools: tools.map(({ name: tool, description, parameters }) => ({
                name: tool,
                description,
                parameters: JSON.stringify(parameters) as JsonText,
              })),
              toolChoice: 'auto',
            });
            validate(JSON.parse(body));
            expect(validate.errors ?? []).toEqual([]);
          }
        }
      } finally {
        await world.close();
      }
    },
    120_000,
  );
});
