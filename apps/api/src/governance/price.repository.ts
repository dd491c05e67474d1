import { formatUsd, parseUsd } from '@countersign/agent-core';
import { callFunction, type Database, readRows } from '../platform/database.js';
import type { PricedEntry } from './built-in-price-list.js';

/** One version of the operator's price of a model. Rates are exact decimals per million tokens. */
export interface StoredPrice {
  readonly version: number;
  readonly validFrom: Date;
  readonly inputPerMTok: string;
  readonly cachedInputPerMTok: string | null;
  readonly cacheWritePerMTok: string | null;
  readonly outputPerMTok: string;
  readonly contextWindow: number | null;
  readonly maxOutputTokens: number | null;
}

/** What the operator sets; `validFrom` null: from now on. */
export type NewPrice = Omit<StoredPrice, 'version' | 'validFrom'> & { readonly validFrom: Date | null };

/** A price with the moment from which it holds, in milliseconds since the epoch. */
export interface DatedPrice {
  readonly from: number;
  readonly entry: PricedEntry;
}

/** The operator's prices, version after version, the same for all tenants. */
export class PriceRepository {
  constructor(private readonly database: Database) {}

  /** The newest price of a model that is valid by the clock of Postgres; null where the operator has set none. */
  async findCurrent(provider: string, model: string): Promise<PricedEntry | null> {
    const [row] = await readRows<StoredPrice>(
      this.database,
      `SELECT ${COLUMNS} FROM model_prices
       WHERE provider = $1 AND model = $2 AND valid_from <= clock_timestamp()
       ORDER BY valid_from DESC, version DESC LIMIT 1`,
      [provider, model],
    );
    return row === undefined ? null : entryOf(row);
  }

  /** Every version of a model's price. @throws DatabaseError */
  async versions(provider: string, model: string): Promise<readonly DatedPrice[]> {
    const rows = await readRows<StoredPrice>(
      this.database,
      `SELECT ${COLUMNS} FROM model_prices WHERE provider = $1 AND model = $2 ORDER BY valid_from, version`,
      [provider, model],
    );
    return rows.map((row) => ({ from: row.validFrom.getTime(), entry: entryOf(row) }));
  }

  /** Writes the next version of a model's price. */
  async save(provider: string, model: string, price: NewPrice): Promise<StoredPrice> {
    const content = JSON.stringify({ ...price, validFrom: price.validFrom?.getTime() ?? null });
    const version = await callFunction<number>(this.database, 'operator_set_model_price', {
      provider,
      model,
      price: content,
    });
    const [row] = await readRows<StoredPrice>(
      this.database,
      `SELECT ${COLUMNS} FROM model_prices WHERE provider = $1 AND model = $2 AND version = $3`,
      [provider, model, version],
    );
    if (row === undefined) throw new Error('a price that was written is not there');
    return row;
  }
}

/** Rates as text: a number of JavaScript would not keep their digits. */
const COLUMNS = `version, valid_from AS "validFrom", input_per_mtok::text AS "inputPerMTok",
  cached_input_per_mtok::text AS "cachedInputPerMTok", cache_write_per_mtok::text AS "cacheWritePerMTok",
  output_per_mtok::text AS "outputPerMTok", context_window AS "contextWindow", max_output_tokens AS "maxOutputTokens"`;

/** Money as it is shown: at least six decimals, every digit kept. */
export function shownPrice(price: StoredPrice): StoredPrice {
  const shown = (rate: string) => formatUsd(parseUsd(rate));
  const optional = (rate: string | null) => (rate === null ? null : shown(rate));
  return {
    ...price,
    inputPerMTok: shown(price.inputPerMTok),
    cachedInputPerMTok: optional(price.cachedInputPerMTok),
    cacheWritePerMTok: optional(price.cacheWritePerMTok),
    outputPerMTok: shown(price.outputPerMTok),
  };
}

function entryOf(price: StoredPrice): PricedEntry {
  const { inputPerMTok, cachedInputPerMTok, cacheWritePerMTok, outputPerMTok } = price;
  return {
    price: {
      version: `operator:${price.version}`,
      inputPerMTok,
      cachedInputPerMTok,
      cacheWritePerMTok,
      outputPerMTok,
    },
    longRequests: null,
    contextWindow: price.contextWindow,
    maxOutputTokens: price.maxOutputTokens,
  };
}
