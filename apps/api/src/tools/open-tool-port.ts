import type { ToolPort } from '@countersign/agent-core';
import type { Log } from '../platform/log.js';
import { BUILTIN_HANDLERS, BuiltinTools } from './builtin-tools.js';
import type { EgressGuard } from './egress.js';
import { prepareSigned, type SignedCallParts } from './signed-call.js';
import { createToolPort } from './tool-port.js';
import type { FindToolSecrets } from './tool-secrets.js';

export interface OpenToolPortParts {
  readonly guard: EgressGuard;
  readonly findSecrets: FindToolSecrets;
  /** COUNTERSIGN_SECRET. */
  readonly secret: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly log: Log;
}

/** The door to tools, as a process of ours has it: behind the egress guard, signed, with the tenants' own headers. */
export function openToolPort({ guard, findSecrets, secret, now, log }: OpenToolPortParts): ToolPort {
  const signed: SignedCallParts = {
    guard,
    findSecrets,
    secret,
    now,
    random: Math.random,
    onError: (error) => log.error({ err: error }, 'a tool could not be called'),
  };
  const builtin = new BuiltinTools(BUILTIN_HANDLERS, (error) =>
    log.error({ err: error }, 'a builtin tool failed'),
  );
  return createToolPort({
    prepareSigned: (invocation) => prepareSigned(signed, invocation),
    builtin,
  });
}
