import {
  type Beginning,
  byteLength,
  type ConversationItem,
  conversationOf,
  createRun,
  type Definitions,
  evolve,
  type StoredEvent,
  specificationOf,
  threadHistory,
} from '@countersign/agent-core';
import type { Received, TraceSpan } from '@countersign/contracts';
import type { DefinitionCatalog } from '../catalog/definitions.js';
import type { LedgerRepository } from './ledger.repository.js';

interface ReceivedDependencies {
  readonly catalog: Pick<DefinitionCatalog, 'load'>;
  readonly ledger: Pick<LedgerRepository, 'pastRuns'>;
}

type Identity = { readonly id: string; readonly tenant: string };

/** The spans of a run with what its model calls were sent, which only the definitions that it began with can tell. */
export async function withReceived(
  { catalog, ledger }: ReceivedDependencies,
  identity: Identity,
  events: readonly StoredEvent[],
  spans: readonly Omit<TraceSpan, 'received'>[],
): Promise<readonly TraceSpan[]> {
  const creation = events[0]?.event;
  if (creation?.type !== 'run.queued' || creation.reason !== 'created') return [];
  const { agent, toolVersions, thread } = creation;
  const definitions = await catalog.load(identity.tenant, agent.name, agent.version, toolVersions);
  if (definitions === null) return spans.map((span) => ({ ...span, received: null }));
  const past = thread === null ? [] : await ledger.pastRuns(identity.tenant, thread);
  const received = receivedOf(identity, events, { ...definitions, history: threadHistory(past) });
  return spans.map((span) => ({ ...span, received: received.get(span.id) ?? null }));
}

/**
 * What each model call of a run was sent, by the call's id: rebuilt from events and the definitions that the run began
 * with, so that nothing is stored twice. The provider counts tokens of the whole alone; they are divided by bytes.
 */
export function receivedOf(
  identity: Identity,
  events: readonly StoredEvent[],
  { history, ...definitions }: Beginning,
): ReadonlyMap<string, Received> {
  const received = new Map<string, Received>();
  const [first, ...rest] = events;
  if (first?.event.type !== 'run.queued' || first.event.reason !== 'created') return received;
  const instructions = byteLength(definitions.agent.instructions);
  const tools = bytesOfTools(definitions);
  let run = createRun(identity, first.event, first.at);
  for (const stored of rest) {
    const { event } = stored;
    if (event.type === 'model.responded' || event.type === 'model.failed') {
      const conversation = conversationOf(run, history);
      const bytes = [instructions, tools, conversation.reduce((sum, item) => sum + bytesOfItem(item), 0)];
      received.set(event.modelCallId, {
        messages: conversation.length,
        ...divided(event.usage?.inputTokens ?? null, bytes),
      });
    }
    run = evolve(run, stored);
  }
  return received;
}

function bytesOfTools({ agent, tools }: Definitions): number {
  const offered = agent.tools.flatMap((name) => tools.get(name) ?? []);
  return offered.reduce((sum, definition) => {
    const { name, description, parameters } = specificationOf(definition);
    return sum + byteLength(name) + byteLength(description) + byteLength(parameters);
  }, 0);
}

function bytesOfItem(item: ConversationItem): number {
  if (item.role !== 'assistant') return byteLength(item.text);
  const calls = item.calls.reduce(
    (sum, call) => sum + byteLength(call.tool) + byteLength(call.arguments),
    byteLength(item.text),
  );
  return item.raw.reduce((sum, raw) => sum + byteLength(JSON.stringify(raw)), calls);
}

/** Shares that add up to the whole: the conversation, which grows, takes what rounding leaves. */
function divided(
  inputTokens: number | null,
  [instructions = 0, tools = 0, conversation = 0]: readonly number[],
): Omit<Received, 'messages'> {
  if (inputTokens === null) return { instructionsTokens: null, toolsTokens: null, conversationTokens: null };
  const all = Math.max(1, instructions + tools + conversation);
  const instructionsTokens = Math.floor((inputTokens * instructions) / all);
  const toolsTokens = Math.floor((inputTokens * tools) / all);
  return {
    instructionsTokens,
    toolsTokens,
    conversationTokens: inputTokens - instructionsTokens - toolsTokens,
  };
}
