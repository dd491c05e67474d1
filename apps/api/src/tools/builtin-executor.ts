import type { JsonText, ToolInvocation, ToolOutcome } from '@countersign/agent-core';
import type { Executor } from './executor.js';

/** A tool that runs within the process: from arguments to output, both JSON text. It may throw; that is a failed call. */
export type BuiltinHandler = (
  invocation: ToolInvocation,
  signal: AbortSignal,
) => Promise<JsonText> | JsonText;

/**
 * Handlers that every deployment has. `echo` gives its arguments back as they are, and has no effect: for a first
 * agent, and to measure what a run costs without a tool.
 */
export const BUILTIN_HANDLERS: Readonly<Record<string, BuiltinHandler>> = {
  echo: (invocation) => invocation.arguments,
};

/** Performs builtin tools by name. An error of a handler goes to `onError`; the model learns only that the tool failed. */
export class BuiltinExecutor implements Executor {
  private readonly handlers: ReadonlyMap<string, BuiltinHandler>;

  constructor(
    handlers: Readonly<Record<string, BuiltinHandler>>,
    private readonly onError: (error: unknown) => void,
  ) {
    this.handlers = new Map(Object.entries(handlers));
  }

  async execute(invocation: ToolInvocation, signal: AbortSignal): Promise<ToolOutcome> {
    const { executor, effect, name } = invocation.definition;
    const handler = executor.type === 'builtin' ? this.handlers.get(executor.handler) : undefined;
    if (handler === undefined) {
      const detail = `Nothing ran: "${name}" names a handler that this deployment does not have.`;
      return { type: 'failed', code: 'executor_unavailable', detail, infrastructure: false, attempts: 0 };
    }
    try {
      return { type: 'succeeded', output: await handler(invocation, signal), attempts: 1 };
    } catch (error) {
      this.onError(error);
      if (effect === 'once') return { type: 'unknown', detail: 'The tool failed while it ran.', attempts: 1 };
      return {
        type: 'failed',
        code: 'tool_failed',
        detail: 'The tool failed.',
        infrastructure: true,
        attempts: 1,
      };
    }
  }
}
