import { readFileSync } from 'node:fs';
import path from 'node:path';

/** A conversation of several steps that was recorded between another framework and a provider. */
export interface Recording {
  readonly id: string;
  readonly steps: readonly {
    readonly request_facts: {
      readonly history_calls: readonly (readonly [id: string, tool: string, args: unknown])[];
      readonly history_results: readonly string[];
      /** Signatures, or encrypted reasoning, in the history. */
      readonly signatures_sent_back: number;
    };
    readonly response: { readonly status: number; readonly content_type: string; readonly body: unknown };
    readonly expected: {
      readonly text: string;
      readonly tool_calls: readonly {
        readonly id: string;
        readonly name: string;
        readonly arguments: unknown;
      }[];
      readonly usage: {
        readonly input: number;
        readonly output: number;
        readonly reasoning: number | null;
      };
    };
  }[];
  readonly rerun: {
    readonly system: string;
    readonly user: readonly string[];
    readonly tools: readonly {
      readonly name: string;
      readonly description: string;
      readonly parameters: object;
    }[];
    readonly tool_outputs: Readonly<Record<string, string>>;
  };
}

/** The recorded loops of one wire API that can be driven anew from their user's words and their tools' outputs. */
export function simpleLoops(folder: string, api: string): Recording[] {
  const manifest = readJson<{ file: string; simple_rerun: boolean }[]>(folder, 'wire/loops/manifest.json');
  return manifest
    .filter((entry) => entry.simple_rerun && entry.file.startsWith(`loops/${api}/`))
    .map((entry) => readJson<Recording>(folder, `wire/${entry.file}`));
}

function readJson<Value>(folder: string, file: string): Value {
  return JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as Value;
}
