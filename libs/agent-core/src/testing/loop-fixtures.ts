import type { ModelResponse } from '../model/model-event.js';
import type { TenantPolicy } from '../policy/policy-rule.js';
import type { JsonText } from '../shared/brand.js';
import type { ToolDefinition } from '../tools/tool-definition.js';

export const OPEN_POLICY: TenantPolicy = { version: 0, rules: [], allowlist: null, agentsMayLoosen: false };

export function tool(
  name: string,
  effect: ToolDefinition['effect'],
  more: Partial<ToolDefinition> = {},
): ToolDefinition {
  return {
    name,
    version: 1,
    description: name,
    parameters:
      '{"type":"object","properties":{"orderId":{"type":"integer"},"amount":{"type":"string"}}}' as JsonText,
    effect,
    executor: { type: 'http', url: `http://shop/${name}` },
    intent: effect === 'read' ? null : ['/orderId'],
    intentScope: 'subject',
    inject: {},
    constrain: {},
    editable: null,
    fresh: false,
    timeoutMs: 1000,
    retries: 0,
    resultMaxBytes: 16_384,
    check: null,
    money: null,
    reconcile: null,
    onUnknown: 'ask',
    ...more,
  };
}

export function reply(part: Partial<ModelResponse> & { calls?: ModelResponse['calls'] }): ModelResponse {
  const unified = (part.calls ?? []).length > 0 ? 'tool_calls' : 'stop';
  return {
    responseId: null,
    model: 'scripted',
    text: '',
    refusal: null,
    calls: [],
    finish: { unified, raw: unified },
    usage: {
      inputTokens: 10,
      cachedInputTokens: 0,
      cacheWriteTokens: 0,
      outputTokens: 2,
      reasoningTokens: 0,
    },
    raw: [],
    ...part,
  };
}

export function call(tool: string, args: unknown, providerCallId: string | null = null) {
  return { providerCallId, tool, arguments: typeof args === 'string' ? args : JSON.stringify(args) };
}
