import {
  CHECKS_PASSED,
  type JsonText,
  type ToolCall,
  type ToolDefinition,
  type ToolInvocation,
} from '@countersign/agent-core';

/** A tool's definition with every default, as `PUT /tools` fills it in. */
function toolDefinition(changes: Partial<ToolDefinition> = {}): ToolDefinition {
  return {
    name: 'refund_order',
    version: 1,
    description: 'Refunds an order.',
    parameters: '{"type":"object"}' as JsonText,
    effect: 'once',
    executor: { type: 'http', url: 'http://127.0.0.1:9/refund' },
    intent: null,
    intentScope: 'operation',
    inject: {},
    constrain: {},
    editable: null,
    fresh: false,
    timeoutMs: 10_000,
    retries: 0,
    resultMaxBytes: 16_384,
    check: null,
    money: null,
    reconcile: null,
    onUnknown: 'ask',
    ...changes,
  };
}

/** A call that is about to go out. */
export function toolInvocation(
  definition: Partial<ToolDefinition> = {},
  changes: Partial<ToolInvocation> = {},
): ToolInvocation {
  const call: ToolCall = {
    id: 'tcl_01',
    turn: 1,
    index: 0,
    tool: 'refund_order',
    callId: 'call_1',
    providerCallId: 'call_1',
    proposed: '{}',
    checks: CHECKS_PASSED,
    held: null,
    tries: 0,
    approvalRequests: 0,
    state: { status: 'requested' },
  };
  return {
    tenant: 'ten_a',
    runId: 'run_1',
    operationId: 'op_1',
    subject: null,
    call,
    definition: toolDefinition(definition),
    arguments: '{}' as JsonText,
    idempotencyKey: 'eff_01',
    ...changes,
  };
}
