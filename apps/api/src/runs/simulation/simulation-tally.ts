import {
  formatUsd,
  isUsdText,
  type Money,
  parseUsd,
  sumUsd,
  type Usd,
  type Verdict,
} from '@countersign/agent-core';

/** Sums of money by currency. Amounts are exact decimals, of dollars or of anything else. */
export class MoneySums {
  private readonly sums = new Map<string, Usd>();

  /** An amount of absurd length is left out: no sum of money holds it. */
  add(money: Money | null): void {
    if (money === null || !isUsdText(money.amount)) return;
    const known = this.sums.get(money.currency) ?? { units: 0n, scale: 0 };
    this.sums.set(money.currency, sumUsd(known, parseUsd(money.amount)));
  }

  /** In the order of currencies. */
  list(): readonly Money[] {
    return [...this.sums]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([currency, sum]) => ({ amount: formatUsd(sum), currency }));
  }
}

type Word = Verdict['type'];

/** A pair of what was decided and what would be, with its calls. */
export interface Outcome {
  readonly recorded: Word;
  readonly simulated: Word;
  readonly calls: number;
  readonly money: readonly Money[];
}

/** Calls and money of each pair of verdicts. */
export class OutcomeTally {
  private readonly pairs = new Map<string, { calls: number; readonly money: MoneySums }>();

  add(recorded: Word, simulated: Word, money: Money | null): void {
    const pair = this.pairs.get(`${recorded} ${simulated}`) ?? { calls: 0, money: new MoneySums() };
    pair.calls += 1;
    pair.money.add(money);
    this.pairs.set(`${recorded} ${simulated}`, pair);
  }

  /** From lenient to strict; pairs without calls are absent. */
  list(): readonly Outcome[] {
    return WORDS.flatMap((recorded) =>
      WORDS.flatMap((simulated) => {
        const pair = this.pairs.get(`${recorded} ${simulated}`);
        return pair === undefined
          ? []
          : [{ recorded, simulated, calls: pair.calls, money: pair.money.list() }];
      }),
    );
  }
}

const WORDS: readonly Word[] = ['allow', 'require_approval', 'deny'];
