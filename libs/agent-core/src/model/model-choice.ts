/** One model of one provider, as an agent names it. The first is tried first, fallbacks follow in order. */
export interface ModelChoice {
  readonly provider: 'openai' | 'openai-compatible' | 'anthropic' | 'google' | 'scripted';
  readonly api?: 'responses' | 'chat' | 'messages' | 'generateContent' | 'interactions';
  readonly model: string;
  readonly maxOutputTokens?: number;
  readonly temperature?: number;
  readonly reasoningEffort?: string;
  readonly baseUrl?: string;
}
