import type { Usage } from '@countersign/agent-core';
import { builtInPrice, type PricedEntry } from './built-in-price-list.js';
import { BUILT_IN_PRICES } from './built-in-prices.js';
import { PriceBook } from './price-book.js';
import { pricedModel } from './price-of-call.js';

const NOW = Date.parse('2026-11-02T10:00:00.000Z');
const usage = (changes: Partial<Usage>): Usage => ({
  inputTokens: 0,
  cachedInputTokens: 0,
  cacheWriteTokens: 0,
  outputTokens: 0,
  reasoningTokens: 0,
  ...changes,
});

function built(provider: string, model: string, now = NOW): PricedEntry {
  const entry = builtInPrice(provider, model, now);
  if (entry === null) throw new Error(`${model} has no price`);
  return entry;
}

describe('the built-in list', () => {
  test.each(BUILT_IN_PRICES.trim().split('\n'))('has plain decimals only: %s', (line) => {
    const [provider = '', model = '', from = ''] = line.split(' ');
    const entry = built(provider, model, from === '-' ? NOW : Date.parse(from));
    const rates = [entry.price, entry.longRequests?.price].flatMap((price) => [
      price?.inputPerMTok,
      price?.cachedInputPerMTok,
      price?.cacheWritePerMTok,
      price?.outputPerMTok,
    ]);
    for (const rate of rates) expect(rate ?? '0').toMatch(/^\d+(\.\d+)?$/);
  });

  test.each([
    ['gpt-4o-mini-2024-07-18', 'gpt-4o-mini'],
    ['claude-sonnet-4-5-20250929', 'claude-sonnet-4-5'],
    ['claude-sonnet-4-20250514', 'claude-sonnet-4-0'],
    ['claude-3-5-haiku-20241022', 'claude-3-5-haiku-latest'],
  ])('the snapshot %s costs what %s costs', (snapshot, model) => {
    const provider = model.startsWith('claude') ? 'anthropic' : 'openai';
    expect(built(provider, snapshot)).toBe(built(provider, model));
  });

  test('a snapshot that is listed has its own price', () => {
    expect(built('openai', 'gpt-4o-2024-05-13').price.inputPerMTok).toBe('5');
  });

  test('a price that begins later does not hold before', () => {
    const before = built('google', 'gemini-3.6-flash', Date.parse('2026-12-31T23:59:59.999Z'));
    const after = built('google', 'gemini-3.6-flash', Date.parse('2027-01-01T00:00:00.000Z'));
    expect([before.price.inputPerMTok, after.price.inputPerMTok]).toEqual(['0.75', '1.5']);
  });

  test.each([
    ['openai', 'gpt-unheard-of'],
    ['openai-compatible', 'gpt-4o'],
    ['anthropic', 'gpt-4o'],
    ['openai', '__proto__'],
  ])('%s has no price for %s', (provider, model) => {
    expect(builtInPrice(provider, model, NOW)).toBeNull();
  });

  test('every scripted model has one', () => {
    expect(built('scripted', 'whatever')).toMatchObject({
      maxOutputTokens: 4_096,
      price: { outputPerMTok: '5' },
    });
  });
});

describe('a call', () => {
  const choice = { provider: 'openai', model: 'gpt-5.4' } as const;
  const priced = pricedModel(choice, built('openai', 'gpt-5.4'), 1_000);

  test('costs the rates of its size, exactly', () => {
    expect(priced.costUsd(usage({ inputTokens: 271_999, outputTokens: 1 }))).toBe('0.6800125');
    expect(priced.costUsd(usage({ inputTokens: 272_000, outputTokens: 1 }))).toBe('1.3600225');
    expect(priced.costUsd(usage({ inputTokens: 1_000, cachedInputTokens: 1_000 }))).toBe('0.000250');
  });

  test('is reserved at the rates of long requests as soon as it could be one', () => {
    expect(priced.worstCaseUsd(271_999)).toBe('0.6949975');
    expect(priced.worstCaseUsd(272_000)).toBe('1.382500');
  });

  test.each([1, 1_000, 271_999, 272_000, 900_000])(
    'never costs more than was reserved for it: %i',
    (inputTokens) => {
      const cost = Number(priced.costUsd(usage({ inputTokens, outputTokens: 1_000 })));
      expect(cost).toBeLessThanOrEqual(Number(priced.worstCaseUsd(inputTokens)));
    },
  );
});

describe('the price book', () => {
  const operator: PricedEntry = {
    price: {
      version: 'operator:3',
      inputPerMTok: '9',
      cachedInputPerMTok: null,
      cacheWritePerMTok: null,
      outputPerMTok: '10',
    },
    longRequests: null,
    contextWindow: null,
    maxOutputTokens: null,
  };

  test("prefers the operator's price and keeps the limits that are known", async () => {
    const book = new PriceBook(
      async () => operator,
      () => NOW,
    );
    expect(await book.find('openai', 'gpt-4o')).toEqual({
      ...operator,
      contextWindow: 128_000,
      maxOutputTokens: 16_384,
    });
    expect(await book.find('openai', 'my-own')).toEqual(operator);
  });

  test('asks again after a few seconds, or once it is told to forget', async () => {
    let now = NOW;
    let price: PricedEntry | null = null;
    const book = new PriceBook(
      async () => price,
      () => now,
    );
    expect(await book.find('openai-compatible', 'llama')).toBeNull();
    price = operator;
    expect(await book.find('openai-compatible', 'llama')).toBeNull();
    now += 5_000;
    expect(await book.find('openai-compatible', 'llama')).toEqual(operator);
    price = null;
    book.forget('openai-compatible', 'llama');
    expect(await book.find('openai-compatible', 'llama')).toBeNull();
  });
});
