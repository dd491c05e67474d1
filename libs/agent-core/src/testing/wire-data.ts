import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { env } from 'node:process';

/** The folder of recordings that `COUNTERSIGN_TEST_DATA` names, or null: tests over it say that they are skipped. */
export function testDataFolder(): string | null {
  // biome-ignore lint/style/noProcessEnv: recordings are found through the environment, and only by tests.
  const folder = env.COUNTERSIGN_TEST_DATA;
  return folder !== undefined && existsSync(folder) ? folder : null;
}

/** One recorded provider reply. `expected` is what it means, as far as the recordings' makers say. */
export interface WireReply {
  readonly id: string;
  readonly api: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly stream: boolean;
  readonly body: Buffer;
  readonly expected: WireOutcome;
}

interface WireOutcome {
  readonly model: string | null;
  readonly response_id: string | null;
  readonly text: string;
  readonly reasoning_text: string;
  /** Signatures, or encrypted reasoning, in the reply. */
  readonly signatures: number;
  readonly tool_calls: readonly { readonly id: string; readonly name: string; readonly arguments: unknown }[];
  readonly stop: string;
  readonly stop_raw: string | null;
  readonly refusal: string | null;
  readonly usage: {
    readonly input: number;
    readonly output: number;
    readonly cache_read: number | null;
    readonly cache_write?: number | null;
    readonly reasoning: number | null;
  } | null;
  readonly error: { readonly message: string } | null;
}

/** The recorded replies of one wire API. */
export function wireReplies(folder: string, api: string): readonly WireReply[] {
  const manifest = readJsonFile<readonly ManifestEntry[]>(join(folder, 'wire/manifest.json'));
  return manifest
    .filter((entry) => entry.api === api)
    .map((entry) => ({
      ...entry,
      body: lastStream(readFileSync(join(folder, 'wire', entry.response))),
      expected: readJsonFile<WireOutcome>(join(folder, 'wire', entry.id, 'expected.json')),
    }));
}

/** One recording of the Responses API holds the streams of four calls in a row; what is expected is of the last. */
function lastStream(body: Buffer): Buffer {
  const start = body.lastIndexOf('event: response.created\n');
  return start > 0 ? body.subarray(start) : body;
}

type ManifestEntry = Omit<WireReply, 'body' | 'expected'> & { readonly response: string };

/** An error as a provider was seen to report it: a body, or a stream that holds it. */
export interface ErrorCase {
  readonly id: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly sse?: string;
  readonly retryable: boolean;
}

/** The error cases of one provider. */
export function errorCases(folder: string, provider: string): readonly ErrorCase[] {
  type Case = ErrorCase & { readonly api: string };
  const { cases } = readJsonFile<{ readonly cases: readonly Case[] }>(join(folder, 'wire/errors/cases.json'));
  return cases.filter(({ api }) => api === provider);
}

/** Reads a file of recordings, whose shape their makers promise. */
export function readJsonFile<Shape>(path: string): Shape {
  return JSON.parse(readFileSync(path, 'utf8')) as Shape;
}
