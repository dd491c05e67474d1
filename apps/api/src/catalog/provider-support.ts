import type { ModelChoice } from '@countersign/agent-core';

/** The wire APIs that this build speaks. */
export type WireApi = 'chat' | 'responses' | 'messages' | 'generateContent' | 'interactions' | 'scripted';

/** By provider; the first is what a choice means that names none. */
const SPOKEN: Readonly<Record<ModelChoice['provider'], readonly WireApi[]>> = {
  openai: ['chat', 'responses'],
  'openai-compatible': ['chat', 'responses'],
  anthropic: ['messages'],
  google: ['generateContent', 'interactions'],
  scripted: ['scripted'],
};

/** The wire API that a choice is called by; null: this build does not speak the one that it names, or would need. */
export function wireApiOf({ provider, api }: ModelChoice): WireApi | null {
  const spoken = SPOKEN[provider];
  const named =
    api === undefined || provider === 'scripted' ? spoken[0] : spoken.find((each) => each === api);
  return named ?? null;
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
