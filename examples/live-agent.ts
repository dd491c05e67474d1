import { assistantAgent } from './assistant/agent.js';
import { calendarAgent } from './calendar/agent.js';
import type { ExampleModel } from './example-model.js';
import { kubernetesAgent } from './kubernetes/agent.js';
import { ordersAgent } from './orders/agent.js';
import { type ProductClient, RefusedRequest } from './product-client.js';

/** The agents that any model can play; `machine` is its script. */
const AGENTS = {
  orders: ordersAgent,
  calendar: calendarAgent,
  kubernetes: kubernetesAgent,
  assistant: assistantAgent,
} as const;

/** The variables that hold a provider's key and another base URL, as its own SDK names them. */
const VARIABLES = {
  openai: ['OPENAI_API_KEY', 'OPENAI_BASE_URL'],
  'openai-compatible': ['OPENAI_API_KEY', 'OPENAI_BASE_URL'],
  anthropic: ['ANTHROPIC_API_KEY', 'ANTHROPIC_BASE_URL'],
  google: ['GEMINI_API_KEY', 'GOOGLE_GEMINI_BASE_URL'],
} as const;

const isScenario = (name: string): name is keyof typeof AGENTS => Object.hasOwn(AGENTS, name);
const isProvider = (name: string): name is keyof typeof VARIABLES => Object.hasOwn(VARIABLES, name);

/**
 * Makes an example's agent once more, on a real model, for the client's tenant, and answers its name. `named` is
 * `provider/model`; the key comes from `env`, under the name that the provider's own SDK reads.
 * @throws Error with words where the example, the provider or its key is missing.
 */
export async function saveLiveAgent(
  product: ProductClient,
  example: string,
  named: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<string> {
  const slash = named.indexOf('/');
  const [provider, model] = [named.slice(0, slash), named.slice(slash + 1)];
  if (!isScenario(example)) throw new Error(`${example} is played by its script alone`);
  if (!isProvider(provider) || model === '') {
    throw new Error(`${named}: takes provider/model, of ${Object.keys(VARIABLES).join(', ')}`);
  }
  const [keyName, baseName] = VARIABLES[provider];
  const { [keyName]: apiKey, [baseName]: baseUrl } = env;
  if (apiKey === undefined && provider !== 'openai-compatible') throw new Error(`${keyName} is not set`);
  if (apiKey !== undefined) {
    await product.send('PUT', `/v1/providers/${provider}`, {
      apiKey,
      ...(baseUrl === undefined ? {} : { baseUrl }),
    });
  }
  const choice: ExampleModel = {
    provider,
    model,
    maxOutputTokens: 2_048,
    ...(provider === 'openai-compatible' && baseUrl !== undefined ? { baseUrl } : {}),
  };
  const name = `${example}_live`;
  await save(product, { ...AGENTS[example](choice), name });
  return name;
}

/** A new version of the agent, or its first. */
async function save(
  product: ProductClient,
  { name, ...definition }: { readonly name: string },
): Promise<void> {
  try {
    await product.send('PUT', `/v1/agents/${name}`, definition);
  } catch (error) {
    if (!(error instanceof RefusedRequest) || error.status !== 404) throw error;
    await product.send('POST', '/v1/agents', { name, ...definition });
  }
}
