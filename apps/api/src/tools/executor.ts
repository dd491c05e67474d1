import type { ToolInvocation, ToolOutcome } from '@countersign/agent-core';

/** Performs tool calls of one kind. Never throws: whatever happens is an outcome. */
export interface Executor {
  /**
   * Runs the call. An abort of `signal` ends it early: what was not sent yet has failed, and a `once` that was in
   * flight is unknown.
   */
  execute(invocation: ToolInvocation, signal: AbortSignal): Promise<ToolOutcome>;
}
