import type { JsonText, KnownOutcome, ToolInvocation } from '@countersign/agent-core';

/**
 * A tool that is computed within the process: from the call to its output as JSON text, and from nothing else, so that
 * nobody can tell whether or when it ran. It may throw; that is a failed call.
 */
export type BuiltinHandler = (invocation: ToolInvocation) => JsonText;

/**
 * Handlers that every deployment has. `echo` gives its arguments back as they are, and has no effect: for a first
 * agent, and to measure what a run costs without a tool.
 */
export const BUILTIN_HANDLERS: Readonly<Record<string, BuiltinHandler>> = {
  echo: (invocation) => invocation.arguments,
};

/** Computes builtin tools by name. An error of a handler goes to `onError`; the model learns only that the tool failed. */
export class BuiltinTools {
  private readonly handlers: ReadonlyMap<string, BuiltinHandler>;

  constructor(
    handlers: Readonly<Record<string, BuiltinHandler>>,
    private readonly onError: (error: unknown) => void,
  ) {
    this.handlers = new Map(Object.entries(handlers));
  }

  compute(invocation: ToolInvocation): KnownOutcome {
    const { executor, name } = invocation.definition;
    const handler = executor.type === 'builtin' ? this.handlers.get(executor.handler) : undefined;
    if (handler === undefined) {
      const detail = `Nothing ran: "${name}" names a handler that this deployment does not have.`;
      return { type: 'failed', code: 'executor_unavailable', detail, infrastructure: false, attempts: 0 };
    }
    try {
      return { type: 'succeeded', output: handler(invocation), attempts: 1 };
    } catch (error) {
      this.onError(error);
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
