import type { ToolInvocation, ToolOutcome, ToolPort } from '@countersign/agent-core';
import type { AskCheck } from './check.js';
import type { Executor } from './executor.js';
import type { AskReconcile } from './reconcile.js';

export interface ToolPortParts {
  /** One for each kind of executor that this build performs. Tools that the app itself performs are not registered in this build. */
  readonly executors: { readonly http: Executor; readonly builtin: Executor };
  readonly reconcile: AskReconcile;
  readonly check: AskCheck;
}

/** The loop's door to tools: hands each call to the executor that its definition names. */
export function createToolPort(parts: ToolPortParts): ToolPort {
  return {
    reconcile: parts.reconcile,
    check: parts.check,
    execute: async (invocation, signal) => {
      const { executor } = invocation.definition;
      if (executor.type === 'http' || executor.type === 'builtin') {
        return parts.executors[executor.type].execute(invocation, signal);
      }
      return notPerformed(invocation);
    },
  };
}

function notPerformed(invocation: ToolInvocation): ToolOutcome {
  const { type } = invocation.definition.executor;
  return {
    type: 'failed',
    code: 'executor_unavailable',
    detail: `Nothing ran: this deployment performs no ${type} tools.`,
    infrastructure: false,
    attempts: 0,
  };
}
