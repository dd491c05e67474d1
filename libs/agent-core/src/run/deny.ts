import type { DecideContext } from './decide-context.js';
import type { RunEvent } from './run-event.js';
import { type BoundArguments, type CallChecks, CHECKS_NOT_REACHED, type ToolCall } from './tool-call.js';

const ORDER = ['registered', 'arguments', 'scope', 'policy', 'credential'] as const;

/** A denial, with the check that stopped the call: those before it passed, those behind it were never reached. */
export function deny(
  call: ToolCall,
  context: DecideContext,
  code: string,
  message: string,
  stoppedBy: (typeof ORDER)[number],
  bound: BoundArguments | null,
  policyRule: string | null = null,
): RunEvent {
  return {
    type: 'tool.denied',
    toolCallId: call.id,
    code,
    message,
    checks: checksStoppedBy(stoppedBy),
    bound: bound === null ? null : { arguments: bound.arguments, argumentsDigest: bound.argumentsDigest },
    policyVersion: context.governance.policy.version,
    policyRule,
  };
}

function checksStoppedBy(stopping: (typeof ORDER)[number]): CallChecks {
  const position = ORDER.indexOf(stopping);
  const passed = ORDER.slice(0, position).map((check) => [check, 'passed'] as const);
  return { ...CHECKS_NOT_REACHED, ...Object.fromEntries(passed), [stopping]: 'stopped' };
}
