import type { ModelPrice } from '@countersign/agent-core';
import { BUILT_IN_PRICES, BUILT_IN_VERSION } from './built-in-prices.js';

/** What is known of a model: its rates, and its limits where they are known. */
export interface PricedEntry {
  readonly price: ModelPrice;
  /** The rates of a request with more input tokens than this, where the vendor charges long ones differently. */
  readonly longRequests: { readonly aboveInputTokens: number; readonly price: ModelPrice } | null;
  readonly contextWindow: number | null;
  readonly maxOutputTokens: number | null;
}

/**
 * Every scripted model costs this, whatever it is called, so that demonstrations show money. The figures are made up.
 */
const SCRIPTED: PricedEntry = {
  price: {
    version: 'builtin:scripted',
    inputPerMTok: '1',
    cachedInputPerMTok: '0.1',
    cacheWritePerMTok: '1.25',
    outputPerMTok: '5',
  },
  longRequests: null,
  contextWindow: 200_000,
  maxOutputTokens: 4_096,
};

interface DatedEntry {
  readonly from: number;
  readonly entry: PricedEntry;
}

/** By `provider model`, each with the oldest price first. */
const LIST: ReadonlyMap<string, readonly DatedEntry[]> = readList(BUILT_IN_PRICES);

/**
 * The built-in price of a model as of `now` (milliseconds since the epoch), or null. A dated snapshot or `-latest`
 * (`gpt-4o-2024-08-06`, `claude-sonnet-4-5-20250929`) costs what its model costs, unless it is listed itself.
 */
export function builtInPrice(provider: string, model: string, now: number): PricedEntry | null {
  if (provider === 'scripted') return SCRIPTED;
  const family = model.replace(/-(\d{4}-\d{2}-\d{2}|\d{8}|latest)$/, '');
  const names = [model, family, `${family}-latest`, `${family}-0`];
  const dated = names.map((name) => LIST.get(`${provider} ${name}`)).find((entries) => entries !== undefined);
  return dated?.filter(({ from }) => from <= now).at(-1)?.entry ?? null;
}

function readList(text: string): ReadonlyMap<string, readonly DatedEntry[]> {
  const list = new Map<string, DatedEntry[]>();
  for (const line of text.trim().split('\n')) {
    const [provider, model, from = '-', contextWindow = '-', maxOutputTokens = '-', ...rates] =
      line.split(' ');
    const key = `${provider} ${model}`;
    const longAbove = rates[4]?.slice(1);
    const entry: PricedEntry = {
      price: readRates(rates.slice(0, 4)),
      longRequests:
        longAbove === undefined
          ? null
          : { aboveInputTokens: Number(longAbove), price: readRates(rates.slice(5, 9)) },
      contextWindow: readNumber(contextWindow),
      maxOutputTokens: readNumber(maxOutputTokens),
    };
    const dated = { from: from === '-' ? Number.NEGATIVE_INFINITY : Date.parse(from), entry };
    list.set(
      key,
      [...(list.get(key) ?? []), dated].sort((a, b) => a.from - b.from),
    );
  }
  return list;
}

function readRates([
  input = '-',
  cached = '-',
  cacheWrite = '-',
  output = '-',
]: readonly string[]): ModelPrice {
  if (input === '-' || output === '-') throw new Error('a built-in price has no rate for input or output');
  const optional = (rate: string) => (rate === '-' ? null : rate);
  return {
    version: BUILT_IN_VERSION,
    inputPerMTok: input,
    cachedInputPerMTok: optional(cached),
    cacheWritePerMTok: optional(cacheWrite),
    outputPerMTok: output,
  };
}

function readNumber(text: string): number | null {
  return text === '-' ? null : Number(text);
}
