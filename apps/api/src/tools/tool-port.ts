import type { KnownOutcome, ToolInvocation, ToolPort } from '@countersign/agent-core';
import type { BuiltinTools } from './builtin-tools.js';
import type { AskCheck } from './check.js';
import type { Executor } from './executor.js';
import type { AskReconcile } from './reconcile.js';

export interface ToolPortParts {
  readonly http: Executor;
  readonly builtin: Pick<BuiltinTools, 'compute'>;
  readonly reconcile: AskReconcile;
  readonly check: AskCheck;
}

/**
 * The loop's door to tools: hands each call to what performs its kind. Tools that the app itself performs are not
 * registered in this build.
 */
export function createToolPort({ http, builtin, reconcile, check }: ToolPortParts): ToolPort {
  return {
    reconcile,
    check,
    compute: (invocation) => {
      const { executor, effect } = invocation.definition;
      return executor.type === 'builtin' && effect === 'read' ? builtin.compute(invocation) : null;
    },
    execute: async (invocation, signal) => {
      switch (invocation.definition.executor.type) {
        case 'http':
          return http.execute(invocation, signal);
        case 'builtin':
          return builtin.compute(invocation);
        default:
          return notPerformed(invocation);
      }
    },
  };
}

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
