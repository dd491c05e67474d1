#!/usr/bin/env node
/**
 * Writes apps/api/src/governance/built-in-prices.ts: list prices of OpenAI, Anthropic and Google models.
 * Source: @pydantic/genai-prices (MIT), of which only the data is read. Most output tokens are not in it: they are kept
 * below, from the vendors' model pages, and a model that is missing there needs `maxOutputTokens` in its agent.
 *
 *   node tools/built-in-prices.mjs 0.1.8
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PACKAGE = '@pydantic/genai-prices';
const TARGET = new URL('../apps/api/src/governance/built-in-prices.ts', import.meta.url);

/** Models that hold a conversation in text. What speaks, draws, embeds or is long withdrawn is left out. */
const WANTED = {
  openai:
    /^(gpt-3\.5-turbo|gpt-4|gpt-4-turbo|gpt-4o|gpt-4o-2024-05-13|gpt-4o-mini|gpt-4\.1.*|gpt-[5-9].*|o[134].*)$/,
  anthropic: /^claude-(3|opus|sonnet|haiku|fable)-/,
  google: /^gemini-([2-9])/,
};
const UNWANTED = /image|audio|live|realtime|tts|transcribe|search|deep-research|preview-tts|o1-preview/;

/** @type {Record<string, number>} */
const MAX_OUTPUT_TOKENS = {
  'gpt-3.5-turbo': 4096,
  'gpt-4': 8192,
  'gpt-4-turbo': 4096,
  'gpt-4o': 16_384,
  'gpt-4o-2024-05-13': 4096,
  'gpt-4o-mini': 16_384,
  'gpt-4.1': 32_768,
  'gpt-4.1-mini': 32_768,
  'gpt-4.1-nano': 32_768,
  'gpt-5': 128_000,
  'gpt-5-mini': 128_000,
  'gpt-5-nano': 128_000,
  'gpt-5.1': 128_000,
  'gpt-5.2': 128_000,
  o1: 100_000,
  o3: 100_000,
  'o3-mini': 100_000,
  'o4-mini': 100_000,
  'claude-3-haiku': 4096,
  'claude-3-5-haiku-latest': 8192,
  'claude-3-5-sonnet': 8192,
  'claude-3-7-sonnet-latest': 64_000,
  'claude-haiku-4-5': 64_000,
  'claude-opus-4-0': 32_000,
  'claude-opus-4-1': 32_000,
  'claude-opus-4-5': 64_000,
  'claude-sonnet-4-0': 64_000,
  'claude-sonnet-4-5': 64_000,
  'gemini-2.0-flash': 8192,
  'gemini-2.0-flash-lite': 8192,
  'gemini-2.5-flash': 65_536,
  'gemini-2.5-flash-lite': 65_536,
  'gemini-2.5-pro': 65_536,
};

const RATES = ['input_mtok', 'cache_read_mtok', 'cache_write_mtok', 'output_mtok'];

/** @typedef {number | { base: number, tiers: { start: number, price: number }[] } | undefined} Rate */
/** @typedef {Record<string, Rate>} Prices */

/** @param {unknown} number */
function decimal(number) {
  if (number === undefined) return '-';
  const text = String(number);
  if (!/^\d+(\.\d+)?$/.test(text)) throw new Error(`not a plain decimal: ${text}`);
  return text;
}

/** The rates of short requests, and those of requests with more input tokens than `start`. @param {Prices} prices */
function columns(prices) {
  const rates = RATES.map((name) => prices[name]);
  const short = rates.map((rate) => decimal(typeof rate === 'object' ? rate.base : rate)).join(' ');
  const tiers = rates.flatMap((rate) => (typeof rate === 'object' ? rate.tiers : []));
  if (tiers.length === 0) return short;
  const start = tiers[0]?.start;
  if (tiers.some((tier) => tier.start !== start)) throw new Error('rates with several thresholds');
  const long = rates.map((rate) => decimal(typeof rate === 'object' ? rate.tiers[0]?.price : rate)).join(' ');
  return `${short} >${start} ${long}`;
}

/** One line for each start date of a price. @param {string} provider @param {any} model */
function lines(provider, model) {
  const steps = Array.isArray(model.prices) ? model.prices : [{ prices: model.prices }];
  return steps
    .filter((/** @type {any} */ step) => step.prices.output_mtok !== undefined)
    .filter(
      (/** @type {any} */ step) => step.constraint === undefined || step.constraint.type === 'start_date',
    )
    .map((/** @type {any} */ step) => {
      const from = step.constraint?.start_date ?? '-';
      const known = [model.context_window ?? '-', MAX_OUTPUT_TOKENS[model.id] ?? '-'];
      return [provider, model.id, from, ...known, columns(step.prices)].join(' ');
    });
}

const version = process.argv[2];
if (version === undefined) throw new Error(`usage: node tools/built-in-prices.mjs <version of ${PACKAGE}>`);
const folder = mkdtempSync(join(tmpdir(), 'prices-'));
try {
  execFileSync('npm', ['install', '--prefix', folder, '--no-audit', '--no-fund', `${PACKAGE}@${version}`]);
  const { findProvider } = createRequire(join(folder, 'package.json'))(PACKAGE);
  const rows = Object.entries(WANTED).flatMap(([providerId, wanted]) =>
    findProvider({ providerId })
      .models.filter((/** @type {any} */ { id }) => wanted.test(id) && !UNWANTED.test(id))
      .flatMap((/** @type {any} */ model) => lines(providerId, model)),
  );
  const day = new Date().toISOString().slice(0, 10);
  writeFileSync(
    TARGET,
    `/**
 * List prices in US dollars per million tokens. Written by tools/built-in-prices.mjs on ${day} from
 * ${PACKAGE} ${version} (MIT, Copyright Pydantic Services Inc.): do not edit.
 *
 * A line: provider, model, valid from, context window, most output tokens, then the rates of input, cached input,
 * cache writes and output; behind \`>n\` the same rates for requests of more than n input tokens. \`-\`: not known.
 */
export const BUILT_IN_VERSION = 'builtin:genai-prices-${version}';

export const BUILT_IN_PRICES = \`
${rows.join('\n')}
\`;
`,
  );
} finally {
  rmSync(folder, { recursive: true });
}
