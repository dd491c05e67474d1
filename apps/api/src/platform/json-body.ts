import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import {
  canonicalJson,
  digestOf,
  type JsonText,
  type JsonValue,
  parseJson,
  writeJson,
} from '@countersign/agent-core';
import type { JsonPayload } from '@countersign/contracts';
import { invalidContent, Problem } from './problem.js';

const MAXIMUM_BYTES = 1024 * 1024;

/** A body as a lossless tree: every number of a payload keeps its digits (invariant I12). */
export interface JsonBody {
  readonly value: JsonValue;
  /** Digest of the canonical text: equal for bodies that mean the same. */
  digest(): string;
}

/**
 * Reads and parses a request's body.
 * @throws Problem body_too_large, unsupported_media_type, malformed_json, or invalid_content (NUL, lone surrogates,
 *   members that occur twice, too deep).
 */
export async function readJsonBody(request: IncomingMessage): Promise<JsonBody> {
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') {
    throw new Problem('unsupported_media_type', 'A body is sent without content-encoding.');
  }
  const value = parsed(await readText(request), request.headers['content-type']);
  return { value, digest: () => digestOf(canonicalJson(value)) };
}

/** Whatever a body is called, JSON is taken; where it is none, what it is called tells why. */
function parsed(text: string, type: string | undefined): JsonValue {
  try {
    return parseBodyText(text);
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'malformed_json') throw error;
    if (type === undefined || /json/i.test(type)) throw error;
    throw new Problem(
      'malformed_json',
      `The body is not JSON, and is sent as ${type}: send application/json.`,
    );
  }
}

/** Parses the text of a body; see readJsonBody. */
export function parseBodyText(text: string): JsonValue {
  const parsed = parseJson(text, { strictText: true });
  if (parsed.ok) return parsed.value;
  if (isJson(text)) throw invalidContent(parsed.error);
  throw new Problem('malformed_json', `The body is not valid JSON: ${parsed.error.message}`);
}

/** Tells a text that is no JSON from one that holds what we do not take. */
function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    return !(error instanceof SyntaxError);
  }
}

function readText(request: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const refuse = (problem: Problem): void => {
      request.removeAllListeners('data').resume();
      reject(problem);
    };
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > MAXIMUM_BYTES) {
        refuse(
          new Problem('body_too_large', 'A body takes at most 1 MiB.', { headers: { connection: 'close' } }),
        );
      } else {
        chunks.push(chunk);
      }
    });
    request.on('error', reject);
    request.on('close', () => {
      if (!request.complete) reject(new Problem('malformed_json', 'The body ended early.'));
    });
    request.on('end', () => {
      const body = chunks.length === 1 ? (chunks[0] ?? Buffer.alloc(0)) : Buffer.concat(chunks);
      if (isUtf8(body)) resolve(body.toString('utf8'));
      else refuse(new Problem('malformed_json', 'The body is not UTF-8.'));
    });
  });
}

/** The tree of a payload member of a parsed body: schemas hand it on as parseBodyText made it. */
export function payloadValue(payload: JsonPayload): JsonValue {
  return payload as JsonValue;
}

/** The JSON text of a payload member, members in their order and numbers as they came. */
export function payloadText(payload: JsonPayload): JsonText {
  return writeJson(payloadValue(payload));
}
