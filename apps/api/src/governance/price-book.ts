import { builtInPrice, type PricedEntry } from './built-in-price-list.js';

/** Finds the operator's price of a model that is valid now; null where the operator has set none. */
export type FindOperatorPrice = (provider: string, model: string) => Promise<PricedEntry | null>;

/** Long enough to spare the database, short enough that a corrected price holds soon. */
const KEPT_MS = 5_000;
/** Model names come from agents: what is kept of them is bounded. */
const KEPT_MODELS = 1_000;

interface Kept {
  readonly until: number;
  readonly entry: PricedEntry | null;
}

/** What models cost: the operator's price where there is one, else the built-in list. The same for all tenants. */
export class PriceBook {
  private readonly kept = new Map<string, Kept>();

  constructor(
    private readonly findOperatorPrice: FindOperatorPrice,
    /** Milliseconds since the epoch. */
    private readonly now: () => number,
  ) {}

  /** The price of a model as of now, or null: such a model is not called. */
  async find(provider: string, model: string): Promise<PricedEntry | null> {
    const key = `${provider} ${model}`;
    const now = this.now();
    const kept = this.kept.get(key);
    if (kept !== undefined && kept.until > now) return kept.entry;
    const builtIn = builtInPrice(provider, model, now);
    const operator = await this.findOperatorPrice(provider, model);
    const entry = operator === null ? builtIn : withLimitsOf(operator, builtIn);
    if (this.kept.size >= KEPT_MODELS) this.kept.clear();
    this.kept.set(key, { until: now + KEPT_MS, entry });
    return entry;
  }

  /** Forgets a model: called when its price was set in this process. */
  forget(provider: string, model: string): void {
    this.kept.delete(`${provider} ${model}`);
  }
}

/** An operator who sets a price need not repeat what is known of the model's limits. */
function withLimitsOf(operator: PricedEntry, builtIn: PricedEntry | null): PricedEntry {
  return {
    ...operator,
    contextWindow: operator.contextWindow ?? builtIn?.contextWindow ?? null,
    maxOutputTokens: operator.maxOutputTokens ?? builtIn?.maxOutputTokens ?? null,
  };
}
