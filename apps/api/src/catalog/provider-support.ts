import type { ModelChoice } from '@countersign/agent-core';

/** The wire API that a choice is called by; null: this build does not speak the one that it names, or would need. */
export function wireApiOf(choice: ModelChoice): 'chat' | 'scripted' | null {
  if (choice.provider === 'scripted') return 'scripted';
  const speaksChat = choice.provider === 'openai' || choice.provider === 'openai-compatible';
  return speaksChat && (choice.api === undefined || choice.api === 'chat') ? 'chat' : null;
}

/** Why a choice cannot be called by this deployment, whatever its key and price; null where it can. */
export function providerFault(choice: ModelChoice, deployment: { readonly demo: boolean }): string | null {
  const api = wireApiOf(choice);
  if (api === 'scripted' && !deployment.demo) {
    return 'The provider "scripted" is for demonstrations: it needs COUNTERSIGN_DEMO=1.';
  }
  if (api !== null) return null;
  const named = choice.api === undefined ? '' : ` by its API "${choice.api}"`;
  return `This version does not speak to the provider "${choice.provider}"${named}.`;
}
