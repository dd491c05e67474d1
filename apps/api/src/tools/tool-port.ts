import type {
  KnownOutcome,
  ToolDefinition,
  ToolInvocation,
  ToolOutcome,
  ToolPort,
} from '@countersign/agent-core';
import type { BuiltinTools } from './builtin-tools.js';
import { askCheck } from './check.js';
import { executeHttp } from './http-executor.js';
import { askReconcile } from './reconcile.js';
import type { SendSigned } from './signed-call.js';

export interface ToolPortParts {
  readonly prepareSigned: (invocation: ToolInvocation) => Promise<SendSigned>;
  readonly builtin: Pick<BuiltinTools, 'compute'>;
}

/**
 * The loop's door to tools: hands each call to what performs its kind. Tools that the app itself performs are not
 * registered in this build.
 */
export function createToolPort({ prepareSigned, builtin }: ToolPortParts): ToolPort {
  const execute = async (
    invocation: ToolInvocation,
    send: SendSigned,
    signal: AbortSignal,
    attempts?: 'single',
  ) => {
    const { executor } = invocation.definition;
    switch (executor.type) {
      case 'http':
        return executeHttp(executor.url, attempted(invocation.definition, attempts), send, signal);
      case 'builtin':
        return builtin.compute(invocation);
      default:
        return notPerformed(invocation);
    }
  };
  return {
    compute: (invocation) => {
      const { executor, effect } = invocation.definition;
      return executor.type === 'builtin' && effect === 'read' ? builtin.compute(invocation) : null;
    },
    prepare: async (invocation) => {
      const { definition } = invocation;
      const send = reachesOut(definition) ? await prepareSigned(invocation) : NOTHING_TO_SEND;
      return {
        execute: (signal, attempts): Promise<ToolOutcome> => execute(invocation, send, signal, attempts),
        reconcile: (signal) => askReconcile(definition, send, signal),
        check: (signal) => askCheck(definition, send, signal),
      };
    },
  };
}

function attempted(definition: ToolDefinition, attempts?: 'single'): ToolDefinition {
  return attempts === 'single' ? { ...definition, retries: 0 } : definition;
}

function reachesOut({ executor, check, reconcile }: ToolDefinition): boolean {
  return executor.type === 'http' || check !== null || reconcile !== null;
}

const NOTHING_TO_SEND: SendSigned = async () => ({ type: 'not_prepared' });

function notPerformed(invocation: ToolInvocation): KnownOutcome {
  const { type } = invocation.definition.executor;
  return {
    type: 'failed',
    code: 'executor_unavailable',
    detail: `Nothing ran: this deployment performs no ${type} tools.`,
    infrastructure: false,
    attempts: 0,
  };
}
