import type {
  Digest,
  JsonText,
  ReservationRequest,
  RunEvent,
  Step,
  ToolDefinition,
} from '@countersign/agent-core';
import { newId } from '../../apps/api/src/platform/ids.js';

const REFUND: ToolDefinition = {
  name: 'refund',
  version: 3,
  description: 'Refunds an order.',
  parameters: '{"type":"object"}' as JsonText,
  effect: 'once',
  executor: { type: 'http', url: 'https://shop.example/refund' },
  intent: ['/orderId'],
  intentScope: 'subject',
  inject: {},
  constrain: {},
  editable: null,
  fresh: false,
  timeoutMs: 10_000,
  retries: 0,
  resultMaxBytes: 16_384,
  check: null,
  money: { path: '/amount', currency: 'EUR' },
  reconcile: null,
  onUnknown: 'ask',
};

export const TOOLS: ReadonlyMap<string, ToolDefinition> = new Map([['refund', REFUND]]);

const ATTEMPT = {
  choice: 0,
  provider: 'scripted',
  api: 'chat',
  model: 'small',
  requestDigest: `sha256:${'a'.repeat(64)}` as Digest,
  revision: { adapter: 'adapter-1', sdk: 'sdk-1' },
  priceVersion: 'price-1',
} as const;

export function reservation(amountUsd: string, modelCallId: string = newId('mdl')): ReservationRequest {
  return { ...ATTEMPT, modelCallId, startedAt: Date.now(), amountUsd };
}

export interface ReplyParts {
  readonly text?: string;
  readonly costUsd?: string;
  readonly calls?: readonly {
    readonly toolCallId: string;
    readonly arguments?: string;
    readonly tool?: string;
  }[];
  readonly turn?: number;
}

export function reply(
  modelCallId: string,
  parts: ReplyParts = {},
): Extract<RunEvent, { type: 'model.responded' }> {
  const calls = parts.calls ?? [];
  return {
    type: 'model.responded',
    ...ATTEMPT,
    modelCallId,
    turn: parts.turn ?? 1,
    responseId: 'resp-1',
    text: parts.text ?? '',
    refusal: null,
    finish: { unified: calls.length > 0 ? 'tool_calls' : 'stop', raw: 'stop' },
    raw: [],
    calls: calls.map((call, index) => ({
      toolCallId: call.toolCallId,
      callId: `call-${index}`,
      providerCallId: `call-${index}`,
      tool: call.tool ?? 'refund',
      arguments: call.arguments ?? '{"orderId":"7","amount":"12.50"}',
    })),
    usage: {
      inputTokens: 10,
      cachedInputTokens: 4,
      cacheWriteTokens: 0,
      outputTokens: 5,
      reasoningTokens: 1,
    },
    estimated: false,
    costUsd: parts.costUsd ?? '0.001000',
    wasteUsd: '0.000000',
    startedAt: Date.now(),
  };
}

export const CHECKS = {
  registered: 'passed',
  arguments: 'passed',
  scope: 'passed',
  policy: 'passed',
  credential: 'not_reached',
} as const;

export const ARGUMENTS = '{"amount":"12.50","orderId":"7"}' as JsonText;
export const ARGUMENTS_DIGEST = `sha256:${'b'.repeat(64)}` as Digest;

export function permitted(toolCallId: string): RunEvent {
  return {
    type: 'tool.permitted',
    toolCallId,
    checks: CHECKS,
    policyVersion: 1,
    policyRule: 'tenant:0',
    arguments: ARGUMENTS,
    argumentsDigest: ARGUMENTS_DIGEST,
  };
}

export function effectKey(toolCallId: string): string {
  return toolCallId.replace('tcl_', 'eff_');
}

export function startedCall(toolCallId: string, intentKey: string | null): RunEvent {
  return {
    type: 'tool.started',
    toolCallId,
    idempotencyKey: effectKey(toolCallId),
    intentKey,
    approvalId: null,
  };
}

export function intention(toolCallId: string, ...intentKeys: string[]): Step['intentions'][number] {
  return { toolCallId, idempotencyKey: effectKey(toolCallId), intentKeys, argumentsDigest: ARGUMENTS_DIGEST };
}

export function succeeded(toolCallId: string, output = '{"refunded":true}', text = output): RunEvent {
  return {
    type: 'tool.succeeded',
    toolCallId,
    output: output as JsonText,
    text,
    replayOf: null,
    bound: null,
    binding: `sha256:${'b'.repeat(64)}` as Digest,
    attempts: 1,
  };
}
