import { createInterface } from 'node:readline/promises';
import type { ProductClient, StreamedEvent } from './product-client.js';

type Print = (line: string) => void;

/** Where a demonstration plays: a running stack, whose tenant has the example's agents. */
export interface Stage {
  readonly product: ProductClient;
  readonly print: Print;
  /** The agent that plays instead of the example's own, on a real model; null: the example's own. */
  readonly liveAgent: string | null;
}

export type Demonstrate = (stage: Stage) => Promise<void>;

interface PlayedRun {
  readonly id: string;
  readonly status: string;
  readonly statusReason: { readonly code: string } | null;
  readonly output: string | null;
  readonly costUsd: string;
  readonly usage: { readonly turns: number; readonly toolCalls: number };
}

interface Approval {
  readonly id: string;
  readonly tool: string;
  readonly arguments: unknown;
  readonly argumentsDigest: string;
  readonly facts: unknown;
  readonly reason: string;
}

/** Posts a run and prints what happens to it, an event a line, until it has ended; a person signs where one is asked. */
export async function playRun(
  { product, print, liveAgent }: Stage,
  body: { readonly agent: string; readonly input: string; readonly [field: string]: unknown },
): Promise<PlayedRun> {
  print(`> ${body.input}`);
  const run = await product.send<PlayedRun>('POST', '/v1/runs', {
    ...body,
    agent: liveAgent ?? body.agent,
  });
  for await (const event of product.events(run.id, 0)) {
    const line = describe(event);
    if (line !== null) print(line);
    if (event.type === 'approval.requested') await sign(product, print, String(event.data.approvalId));
  }
  const ended = await product.send<PlayedRun>('GET', `/v1/runs/${run.id}`);
  const { turns, toolCalls } = ended.usage;
  const why = ended.statusReason === null ? '' : ` (${ended.statusReason.code})`;
  if (ended.output !== null) print(`< ${ended.output}`);
  print(
    `  ${ended.status}${why}, ${turns} turns, ${toolCalls} tool calls, ${ended.costUsd} USD, ${ended.id}`,
  );
  return ended;
}

/** Shows the card and asks for a decision; without a terminal to ask in, it approves. */
async function sign(product: ProductClient, print: Print, approvalId: string): Promise<void> {
  const card = await product.send<Approval>('GET', `/v1/approvals/${approvalId}`);
  print(`  card: ${card.tool} ${JSON.stringify(card.arguments)}`);
  print(`  facts: ${JSON.stringify(card.facts)}; ${card.reason}`);
  const decision = (await agrees()) ? 'approve' : 'reject';
  print(`  decision: ${decision}`);
  await product.send('POST', `/v1/approvals/${approvalId}/decision`, {
    decision,
    argumentsDigest: card.argumentsDigest,
  });
}

async function agrees(): Promise<boolean> {
  if (!process.stdin.isTTY) return true;
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  let answer: string;
  do answer = await terminal.question('  Sign it? [Y/n] ');
  while (!/^\s*(y|yes|n|no)?\s*$/i.test(answer));
  terminal.close();
  return !/n/i.test(answer);
}

/** One line an event: what happened, and the part of it that a reader wants to see. Null for text as it arrives. */
function describe({ seq, type, data }: StreamedEvent): string | null {
  if (seq === null) return typeof data.tool === 'string' ? `     preparing          ${data.tool}` : null;
  const calls = data.calls as { tool: string; arguments: string }[] | undefined;
  const said = calls?.map((call) => `${call.tool} ${call.arguments}`).join(', ');
  const detail = [said, data.text, data.message, data.idempotencyKey, data.code].find(
    (part) => typeof part === 'string' && part !== '',
  );
  return `  ${String(seq).padStart(2)} ${type.padEnd(18)} ${detail ?? ''}`.trimEnd();
}
