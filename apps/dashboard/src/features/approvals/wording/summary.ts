import { LosslessNumber } from 'lossless-json';
import { formatMoney } from '../../../kit/decimal';
import { capitalized, wordsOf } from './words';

/** A call as far as one sentence can say it. */
export interface SummarizedCall {
  readonly tool: string;
  readonly arguments: unknown;
  readonly money: { readonly amount: string; readonly currency: string } | null;
  readonly subject: unknown;
}

/** Verbs after which an amount comes first: "Refund $129.00 on order 3". What is given goes to the subject. */
const GIVING = new Set([
  'refund',
  'pay',
  'send',
  'credit',
  'transfer',
  'issue',
  'grant',
  'give',
  'reimburse',
  'payout',
]);
const TAKING = new Set(['charge', 'bill', 'debit', 'invoice', 'collect', 'capture']);

/** Nouns that are the money itself: "Send $20.00 credit", but never "on credit". */
const MONEY_NOUNS = new Set([
  'credit',
  'refund',
  'payment',
  'payout',
  'voucher',
  'compensation',
  'bonus',
  'discount',
]);
const SILENT_NOUNS = new Set(['money', 'funds', 'amount']);

const RECIPIENTS = new Set([
  'to',
  'recipient',
  'email',
  'recipient email',
  'to email',
  'to address',
  'phone',
]);
const TITLES = new Set(['title', 'name', 'subject']);
const REFERENCES = ['id', 'number', 'no', 'key', 'name', 'code', 'slug'];

const LONGEST = 60;

/**
 * What a call would do, in one sentence: `Refund $129.00 on order 3 to C-1001`. Made from the tool's name, the money,
 * the arguments that name things, and the subject; nothing of it is the model's own description.
 */
export function summarize(call: SummarizedCall): string {
  const [verb = '', ...nouns] = wordsOf(call.tool);
  const said = readArguments(call, nouns);
  const money = call.money === null ? null : formatMoney(call.money.amount, call.money.currency);
  return [whatIsDone(verb, nouns, said, money), from(said), toWhom(verb, said, call)]
    .filter((part) => part !== '')
    .join(' ');
}

/** The same for a row that shows money and subject elsewhere: `Refund order 3`. */
export function summarizeBriefly(call: SummarizedCall): string {
  const [verb = '', ...nouns] = wordsOf(call.tool);
  return whatIsDone(verb, nouns, readArguments(call, nouns), null);
}

/** The id of whom a call is for, where there is one. */
export function subjectId(subject: unknown): string | null {
  const id = typeof subject === 'object' && subject !== null && 'id' in subject ? subject.id : null;
  return typeof id === 'string' ? id : null;
}

interface Said {
  /** What the noun of the tool's name is called: `3`. */
  readonly reference: string | null;
  /** Something else that is named: `event 7`. */
  readonly other: string | null;
  readonly title: string | null;
  readonly source: string | null;
  readonly recipient: string | null;
}

function readArguments(call: SummarizedCall, nouns: readonly string[]): Said {
  const entries = scalarsOf(call.arguments);
  const whom = subjectId(call.subject);
  const find = (test: (words: string, text: string) => boolean) =>
    entries.find((entry) => test(...entry)) ?? null;
  const reference = referenceAmong(entries, nouns);
  // Whom it is for is said at the end, and not twice.
  const other = find(
    (words, text) => / (id|number)$/.test(words) && !/^(to|from) /.test(words) && text !== whom,
  );
  const source = find((words) => /^from( |$)/.test(words) && !words.includes('date'));
  const target = find((words) => /^to( |$)/.test(words) && !words.includes('date') && !RECIPIENTS.has(words));
  const recipient = find((words) => RECIPIENTS.has(words));
  return {
    reference,
    other: other === null ? null : `${other[0].replace(/ (id|number)$/, '')} ${other[1]}`,
    title: find((words) => TITLES.has(words))?.[1] ?? null,
    source: source === null ? null : placed(source),
    recipient: recipient?.[1] ?? (target === null ? null : placed(target)),
  };
}

type Scalar = readonly [words: string, text: string];

function placed([words, text]: Scalar): string {
  const place = words.replace(/^(to|from) ?/, '').replace(/ (id|number)$/, '');
  return place === '' ? text : `${place} ${text}`;
}

/** The argument that names the tool's noun: `orderId`, `order_number`, `order`, or just `id`. */
function referenceAmong(entries: readonly Scalar[], nouns: readonly string[]): string | null {
  const whole = nouns.join(' ');
  const last = nouns.at(-1) ?? '';
  const wanted = [...new Set([whole, last])]
    .filter((noun) => noun !== '')
    .flatMap((noun) => [...REFERENCES.map((suffix) => `${noun} ${suffix}`), noun]);
  for (const words of [...wanted, 'id']) {
    const found = entries.find(([name]) => name === words);
    if (found !== undefined) {
      return found[1];
    }
  }
  return null;
}

function scalarsOf(value: unknown): Scalar[] {
  if (typeof value !== 'object' || value === null) {
    return [];
  }
  return Object.entries(value).flatMap(([name, each]): Scalar[] => {
    const text = scalarText(each);
    return text === null || text === '' ? [] : [[wordsOf(name).join(' '), shortened(text)]];
  });
}

function scalarText(value: unknown): string | null {
  const isScalar = typeof value === 'string' || typeof value === 'number' || value instanceof LosslessNumber;
  return isScalar ? String(value) : null;
}

function shortened(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  const characters = Array.from(line);
  return characters.length <= LONGEST ? line : `${characters.slice(0, LONGEST - 1).join('')}…`;
}

function whatIsDone(verb: string, nouns: readonly string[], said: Said, money: string | null): string {
  const noun = nouns.join(' ');
  const named = nameOf(noun, said);
  if (money === null) {
    return capitalized([verb, ...(named === '' ? [] : [named])].join(' '));
  }
  if (!GIVING.has(verb) && !TAKING.has(verb)) {
    return `${capitalized([verb, named].filter((part) => part !== '').join(' '))}, ${money},`;
  }
  const last = nouns.at(-1) ?? '';
  const isMoney = MONEY_NOUNS.has(last) || SILENT_NOUNS.has(last) || noun === '';
  const aside =
    said.reference !== null && !isMoney ? `on ${named}` : said.other !== null ? `on ${said.other}` : '';
  const kind = MONEY_NOUNS.has(last) ? noun : '';
  return [capitalized(verb), money, kind, aside === '' && !isMoney ? `on ${noun}` : aside]
    .filter((part) => part !== '')
    .join(' ');
}

function nameOf(noun: string, { reference, title, other }: Said): string {
  if (reference !== null) return `${noun} ${reference}`.trim();
  if (title !== null) return `${noun} “${title}”`.trim();
  return other === null ? noun : `${noun} on ${other}`;
}

function from({ source }: Said): string {
  return source === null ? '' : `from ${source}`;
}

function toWhom(verb: string, { recipient, reference }: Said, { money, subject }: SummarizedCall): string {
  const id = subjectId(subject);
  if (recipient !== null) {
    return id === null || id === recipient ? `to ${recipient}` : `to ${recipient} for ${id}`;
  }
  if (id === null || id === reference) return '';
  return money !== null && GIVING.has(verb) ? `to ${id}` : `for ${id}`;
}
