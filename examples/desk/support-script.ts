import type { Script, ScriptedReply } from '@countersign/agent-core';
import { lastAsked, resultOf, type ToolItem } from '../asked.js';
import { ordersScript } from '../orders/script.js';

/** A conversation that the script knows: what is asked, and the model's side of it. */
interface Conversation {
  readonly asked: RegExp;
  readonly reply: (question: string, results: readonly ToolItem[]) => ScriptedReply;
}

/** The first that fits is played. */
const CONVERSATIONS: readonly Conversation[] = [
  { asked: /attached/i, reply: () => ({ failure: { code: 'bad_request', message: ATTACHMENT } }) },
  { asked: /review/i, reply: () => ({ refusal: 'I can only write about what was really bought here.' }) },
  { asked: /every order/i, reply: () => ({ text: CUT_OFF, finish: 'max_tokens' }) },
  { asked: /month by month/i, reply: (_, results) => searchMonth(results.length) },
  { asked: /compare/i, reply: () => ({ text: COMPARISON, delayMs: 6_000 }) },
  { asked: /credit/i, reply: giveCredit },
  { asked: /money back|refund|cancel/i, reply: refund },
  { asked: /where|when/i, reply: tellStatus },
];

const ATTACHMENT = 'the image of the request is of a type that is not supported';
const CUT_OFF =
  'Here is every order that you made with us, with a description of each for your insurance.\n\n1. Yoga mat, ';
const COMPARISON = 'Of our kettles the electric one is the fastest.';

/** The assistant of the demonstration's tenants: the scenario's conversations, and those of an ordinary day. */
export const supportScript: Script = (request) => {
  const { question, results } = lastAsked(request);
  const scenario = /refund order \d+|refunded since/i.test(question);
  const known = CONVERSATIONS.find(({ asked }) => !scenario && asked.test(question));
  const reply = known === undefined ? ordersScript(request) : known.reply(question, results);
  const words = request.conversation.reduce((sum, item) => sum + item.text.length, 0);
  return { ...paced(reply), delayMs: reply.delayMs ?? thinkingMs(words) };
};

/** A model takes its time, so that whoever watches sees something: as long as so much text takes, between bounds. */
function thinkingMs(characters: number): number {
  return 250 + (characters % 450);
}

/** Words arrive one by one. */
function paced(reply: ScriptedReply): ScriptedReply {
  return reply.text === undefined ? reply : { ...reply, deltas: reply.text.split(/(?<= )/) };
}

interface Row {
  readonly orderId: number;
  readonly item?: string;
  readonly status: string;
  readonly total: string;
  readonly date: string;
}

function search(fields: Readonly<Record<string, unknown>>): ScriptedReply {
  return { calls: [{ tool: 'search_orders', arguments: fields }] };
}

/** Never done: it looks at one month after another. */
function searchMonth(months: number): ScriptedReply {
  const day = (month: number) => new Date(Date.UTC(2024, month, 1)).toISOString().slice(0, 10);
  return search({ since: day(months), until: day(months + 1) });
}

const SINCE = '2024-01-01';

/** Look up, ask how much, ask for the refund, explain what came of it. */
function refund(question: string, results: readonly ToolItem[]): ScriptedReply {
  const [found, draft, refunded] = results;
  if (found === undefined) return search({ since: SINCE, status: 'shipped' });
  const order = orderMeant(question, found);
  if (order === null) return { text: 'I find no order of yours that could be refunded.' };
  const { orderId } = order;
  const name = nameOf(order);
  const reason = reasonIn(question);
  if (draft === undefined) return { calls: [{ tool: 'draft_refund', arguments: { orderId, reason } }] };
  const refundable = resultOf<{ amount: string }>(draft);
  if (refundable === null) return { text: `I cannot refund ${name}: ${draft.text}` };
  const amount = amountIn(question) ?? refundable.amount;
  if (refunded === undefined) {
    return { calls: [{ tool: 'refund_order', arguments: { orderId, amount, reason } }] };
  }
  if (refunded.isError) return { text: `I could not refund ${name}. ${inOtherWords(refunded.text)}` };
  const paid = /"amount":"([0-9.]+)"/.exec(refunded.text)?.[1] ?? amount;
  return {
    text: `I have refunded $${paid} for ${name}. You will see it on your account within five working days.`,
  };
}

/** The customer is whom the question names: for whom credit may be given is not for the model to say. */
function giveCredit(question: string, [given]: readonly ToolItem[]): ScriptedReply {
  const amount = amountIn(question) ?? '10.00';
  if (given === undefined) {
    const customer_id = /\b[CN]-\d{4}\b/.exec(question)?.[0] ?? '';
    return {
      calls: [{ tool: 'send_credit', arguments: { customer_id, amount, reason: reasonIn(question) } }],
    };
  }
  if (given.isError) return { text: `I could not give that credit. ${inOtherWords(given.text)}` };
  return { text: `You have $${amount} of credit now. It is taken off your next order by itself.` };
}

function tellStatus(question: string, [found]: readonly ToolItem[]): ScriptedReply {
  if (found === undefined) return search({ since: SINCE });
  const order = orderMeant(question, found);
  if (order === null) return { text: 'I find no order under your name.' };
  return {
    text: `We have sent ${nameOf(order)} on ${order.date}. It usually takes two to four working days.`,
  };
}

/** The newest order whose name the question mentions, else the newest. */
function orderMeant(question: string, found: ToolItem): Row | null {
  const rows = resultOf<{ orders: readonly Row[] }>(found)?.orders ?? [];
  const asked = question.toLowerCase();
  const words = ({ item = '' }: Row) => item.toLowerCase().match(/[a-z]{4,}/g) ?? [];
  return rows.find((row) => words(row).some((word) => asked.includes(word))) ?? rows[0] ?? null;
}

function nameOf({ orderId, item }: Row): string {
  return item === undefined ? `order ${orderId}` : `order ${orderId} (${item})`;
}

function amountIn(question: string): string | null {
  return /\$(\d+\.\d{2})\b/.exec(question)?.[1] ?? null;
}

const REASONS: readonly (readonly [RegExp, string])[] = [
  [/crack|broke|leak|chip|tore|burns|silent|sinks|stopped/i, 'arrived damaged or stopped working'],
  [/small|size|fit/i, 'does not fit'],
  [/never arrived|not moved/i, 'never arrived'],
  [/late/i, 'arrived late'],
  [/colour|different|ordered sand/i, 'not what was ordered'],
  [/ill|hospital|flight/i, 'cannot travel'],
];

function reasonIn(question: string): string {
  return REASONS.find(([said]) => said.test(question))?.[1] ?? 'changed their mind';
}

/** What a customer is told of a refusal that was meant for the model. */
function inOtherWords(text: string): string {
  const said = (pattern: RegExp) => pattern.exec(text)?.[1];
  const rejection = said(/rejected this call: (.*?[.!?]?) Nothing was run/);
  if (rejection !== undefined) return `A colleague looked at it and decided against it: ${rejection}`;
  const policy = said(/Denied by policy: (.*?)\. Nothing was run/);
  if (policy !== undefined) return `That is not mine to do: ${policy}.`;
  if (/not allowed for this subject/i.test(text)) return 'It can only go to the account of whoever asks.';
  if (/already|done with other/i.test(text)) return 'It has been refunded already.';
  if (/in time/.test(text)) return 'Nobody of our team came to it in time. Please write to us again.';
  return 'Nothing was paid out.';
}
