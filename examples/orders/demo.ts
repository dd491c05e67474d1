import { createInterface } from 'node:readline/promises';
import type { ProductClient, StreamedEvent } from '../product-client.js';

const CUSTOMER = 'C-1001';

type Print = (line: string) => void;

interface Run {
  readonly id: string;
  readonly status: string;
  readonly output: string | null;
  readonly costUsd: string;
}

interface Approval {
  readonly id: string;
  readonly tool: string;
  readonly arguments: unknown;
  readonly argumentsDigest: string;
  readonly facts: unknown;
  readonly reason: string;
}

/** Plays scenario 1 on a running stack whose tenant has the agent `orders`: a question, then a refund with its signature. */
export async function demonstrateOrders(product: ProductClient, print: Print): Promise<void> {
  print(`# A question. The model first writes a date that the tool cannot read.`);
  await play(product, print, 'Which of my orders were refunded since October 1st?');
  const orderId = await placeOrder(product);
  print('');
  print(`# A refund. It is the person's signature that lets it happen.`);
  await play(product, print, `Please refund order ${orderId}.`);
}

async function play(product: ProductClient, print: Print, input: string): Promise<void> {
  print(`> ${input}`);
  const run = await product.send<Run>('POST', '/v1/runs', {
    agent: 'orders',
    input,
    subject: { id: CUSTOMER },
  });
  for await (const event of product.events(run.id, 0)) {
    print(describe(event));
    if (event.type === 'approval.requested') await sign(product, print, String(event.data.approvalId));
  }
  const ended = await product.send<Run>('GET', `/v1/runs/${run.id}`);
  print(`< ${ended.output ?? ''}`);
  print(`  ${ended.status}, ${ended.costUsd} USD, ${ended.id}`);
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
  const answer = await terminal.question('  Sign it? [Y/n] ');
  terminal.close();
  return !/^n/i.test(answer.trim());
}

/** An order that nobody has refunded yet, from the shop that the tool calls. */
async function placeOrder(product: ProductClient): Promise<number> {
  const tool = await product.send<{ executor: { url: string } }>('GET', '/v1/tools/refund_order');
  const date = new Date().toISOString().slice(0, 10);
  const response = await fetch(new URL('/place_order', tool.executor.url), {
    method: 'POST',
    body: JSON.stringify({ arguments: { customer_id: CUSTOMER, total: '49.99', date } }),
  });
  const { orderId } = (await response.json()) as { orderId: number };
  return orderId;
}

/** One line an event: what happened, and the part of it that a reader wants to see. */
function describe({ seq, type, data }: StreamedEvent): string {
  const calls = data.calls as { tool: string; arguments: string }[] | undefined;
  const said = calls?.map((call) => `${call.tool} ${call.arguments}`).join(', ');
  const detail = [said, data.text, data.message, data.idempotencyKey, data.code].find(
    (part) => typeof part === 'string' && part !== '',
  );
  return `  ${String(seq).padStart(2)} ${type.padEnd(18)} ${detail ?? ''}`.trimEnd();
}
