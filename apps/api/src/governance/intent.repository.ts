import type { Digest, IntentRecord, JsonText } from '@countersign/agent-core';
import { callFunction, type Database } from '../platform/database.js';

interface IntentJson {
  readonly intentKey: string;
  readonly state: IntentRecord['state'];
  readonly toolCallId: string;
  readonly argumentsDigest: string | null;
  /** JSON text of the recorded output. */
  readonly output: string | null;
  /** JSON text of the message in which the model read the result. */
  readonly message: string | null;
}

/** Who holds a business intent, across all runs of a tenant (invariant I4). Held and settled by the ledger alone. */
export class IntentRepository {
  constructor(private readonly database: Database) {}

  /** What is known of these intents; those that nobody holds are absent. @throws DatabaseError */
  async intents(tenant: string, keys: readonly string[]): Promise<ReadonlyMap<string, IntentRecord>> {
    if (keys.length === 0) return new Map();
    const text = await callFunction<string>(this.database, 'intents_of', { tenant, keys });
    return new Map((JSON.parse(text) as IntentJson[]).map((row) => [row.intentKey, intentRecord(row)]));
  }
}

function intentRecord({ state, toolCallId, argumentsDigest, output, message }: IntentJson): IntentRecord {
  if (state !== 'succeeded') return { state, toolCallId };
  const { text } = JSON.parse(message ?? '{"text":""}') as { text: string };
  return {
    state,
    toolCallId,
    argumentsDigest: (argumentsDigest ?? '') as Digest,
    output: (output ?? 'null') as JsonText,
    text,
  };
}
