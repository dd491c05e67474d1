import fc from 'fast-check';
import type { Usage } from '../model/model-event.js';
import { addUsd, compareUsd } from '../shared/usd.js';
import { budgetPeriodStart, budgetResetsAt } from './budget-period.js';
import { costOf, type ModelPrice, worstCaseOf } from './price.js';

const usage = (more: Partial<Usage>): Usage => ({
  inputTokens: 0,
  cachedInputTokens: 0,
  cacheWriteTokens: 0,
  outputTokens: 0,
  reasoningTokens: 0,
  ...more,
});

const price: ModelPrice = {
  version: '1',
  inputPerMTok: '2.5',
  cachedInputPerMTok: '0.25',
  cacheWritePerMTok: '3.125',
  outputPerMTok: '10',
};

describe('cost', () => {
  test.each([
    [{}, '0.000000'],
    [{ inputTokens: 1 }, '0.0000025'],
    [{ inputTokens: 1_000_000, outputTokens: 1_000_000 }, '12.500000'],
    [{ inputTokens: 1000, cachedInputTokens: 600, cacheWriteTokens: 300 }, '0.0013375'],
    [{ outputTokens: 3, reasoningTokens: 2 }, '0.000030'],
  ])('of %j: cached and written tokens are parts of input, reasoning is part of output', (tokens, cost) => {
    expect(costOf(price, usage(tokens))).toBe(cost);
  });

  test('where the cache has no price of its own, it costs what input costs', () => {
    const plain = { ...price, cachedInputPerMTok: null, cacheWritePerMTok: null };
    expect(costOf(plain, usage({ inputTokens: 10, cachedInputTokens: 4, cacheWriteTokens: 3 }))).toBe(
      costOf(plain, usage({ inputTokens: 10 })),
    );
  });

  test('is exact for prices that no double holds', () => {
    const odd = { ...price, inputPerMTok: '0.0375', outputPerMTok: '0.1' };
    expect(costOf(odd, usage({ inputTokens: 1, outputTokens: 3 }))).toBe('0.0000003375');
  });

  test('of counts that cannot be: never negative, never a stop', () => {
    expect(costOf(price, usage({ inputTokens: 1, cachedInputTokens: 4 }))).toBe('0.000001');
    expect(costOf(price, usage({ inputTokens: Number.NaN, outputTokens: -5 }))).toBe('0.000000');
  });

  test('of two calls is the sum of their costs', () => {
    const count = fc.nat({ max: 1_000_000 });
    const tokens = fc.record({ inputTokens: count, outputTokens: count }).map(usage);
    fc.assert(
      fc.property(tokens, tokens, (a, b) => {
        const both = usage({
          inputTokens: a.inputTokens + b.inputTokens,
          outputTokens: a.outputTokens + b.outputTokens,
        });
        expect(addUsd(costOf(price, a), costOf(price, b))).toBe(costOf(price, both));
      }),
    );
  });
});

describe('worst case', () => {
  test('takes bytes as tokens at the dearest rate of input, and all of the output', () => {
    expect(worstCaseOf(price, 1_000_000, 1_000_000)).toBe('13.125000');
    expect(worstCaseOf({ ...price, cacheWritePerMTok: null }, 1_000_000, 0)).toBe('2.500000');
    expect(worstCaseOf({ ...price, cachedInputPerMTok: '5' }, 1_000_000, 0)).toBe('5.000000');
  });

  test('is never below what a call of that size can cost', () => {
    const rate = fc.nat({ max: 10_000 }).map((milli) => (milli / 1000).toFixed(3));
    const prices = fc.record({
      version: fc.constant('1'),
      inputPerMTok: rate,
      cachedInputPerMTok: fc.option(rate),
      cacheWritePerMTok: fc.option(rate),
      outputPerMTok: rate,
    });
    const part = fc.nat({ max: 100_000 });
    fc.assert(
      fc.property(prices, part, part, part, part, (anyPrice, fresh, cached, written, output) => {
        const inputTokens = fresh + cached + written;
        const cost = costOf(
          anyPrice,
          usage({ inputTokens, cachedInputTokens: cached, cacheWriteTokens: written, outputTokens: output }),
        );
        expect(compareUsd(worstCaseOf(anyPrice, inputTokens, output), cost)).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});

describe('budget periods are those of UTC', () => {
  const at = (text: string) => Date.parse(text);

  test.each([
    ['day', '2026-10-01T00:00:00.000Z', '2026-10-01T00:00:00Z', '2026-10-02T00:00:00Z'],
    ['day', '2026-12-31T23:59:59.999Z', '2026-12-31T00:00:00Z', '2027-01-01T00:00:00Z'],
    ['month', '2026-12-31T23:59:59.999Z', '2026-12-01T00:00:00Z', '2027-01-01T00:00:00Z'],
    ['month', '2028-02-29T12:00:00Z', '2028-02-01T00:00:00Z', '2028-03-01T00:00:00Z'],
  ] as const)('%s of %s', (period, now, start, reset) => {
    expect(budgetPeriodStart(period, at(now))).toBe(at(start));
    expect(budgetResetsAt(period, at(now))).toBe(at(reset));
  });

  test('total begins and resets never', () => {
    expect(budgetPeriodStart('total', 0)).toBeNull();
    expect(budgetResetsAt('total', 0)).toBeNull();
  });
});
