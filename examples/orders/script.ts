import type { Script, ScriptedReply } from '@countersign/agent-core';
import { lastAsked, type ToolItem } from '../asked.js';

/**
 * The support assistant's side of the conversation. It looks only at what the customer asked last and at the results
 * since then, so that it says the same after a crash.
 */
export const ordersScript: Script = (request) => {
  const { question, results } = lastAsked(request);
  const refund = /refund order (\d+)/i.exec(question);
  if (refund !== null) return refundOrder(Number(refund[1]), results);
  if (/refunded since/i.test(question)) return listRefunds(results);
  return { text: GREETING };
};

const GREETING = 'I can look up your orders, and I can ask for a refund of one of them.';
const REASON = 'requested by the customer';

/** First the date as the customer said it, which the tool cannot read; then as the tool asks for it. */
function listRefunds(results: readonly ToolItem[]): ScriptedReply {
  const [first, second] = results;
  if (first === undefined) return search('October 1st');
  if (second === undefined && first.isError) return search('2026-10-01');
  const orders = rowsOf(second ?? first);
  if (orders.length === 0) return { text: 'None of your orders were refunded since October 1st.' };
  const list = orders.map((order) => `order ${order.orderId} ($${order.total}, ${order.date})`).join(' and ');
  return { text: `Refunded since October 1st: ${list}.` };
}

function search(since: string): ScriptedReply {
  return { calls: [{ tool: 'search_orders', arguments: { since, status: 'refunded' } }] };
}

/** Look up, ask how much, ask for the refund, explain what came of it. */
function refundOrder(orderId: number, results: readonly ToolItem[]): ScriptedReply {
  const [found, draft, refund] = results;
  if (found === undefined) return { calls: [{ tool: 'search_orders', arguments: { since: '2026-09-01' } }] };
  if (!rowsOf(found).some((order) => order.orderId === orderId)) {
    return { text: `I cannot find order ${orderId} among your orders.` };
  }
  if (draft === undefined) {
    return { calls: [{ tool: 'draft_refund', arguments: { orderId, reason: REASON } }] };
  }
  const amount = amountIn(draft.text);
  if (draft.isError || amount === null) return { text: `Order ${orderId} cannot be refunded: ${draft.text}` };
  if (refund === undefined) {
    return { calls: [{ tool: 'refund_order', arguments: { orderId, amount, reason: REASON } }] };
  }
  if (refund.isError) return { text: `Order ${orderId} was not refunded: ${refund.text}` };
  return { text: `Order ${orderId} was refunded: $${amountIn(refund.text) ?? amount}.` };
}

interface Row {
  readonly orderId: number;
  readonly total: string;
  readonly date: string;
}

function rowsOf(result: ToolItem): Row[] {
  if (result.isError) return [];
  const parsed = JSON.parse(result.text) as { orders: Row[] };
  return parsed.orders;
}

/** The amount in a result, which may have words of the product around the tool's own JSON. */
function amountIn(text: string): string | null {
  return /"amount"\s*:\s*"([0-9.]+)"/.exec(text)?.[1] ?? null;
}
