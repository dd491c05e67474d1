/** A model as an agent names it. */
export interface ExampleModel {
  readonly provider: 'openai' | 'openai-compatible' | 'anthropic' | 'google' | 'scripted';
  readonly api?: 'responses' | 'chat' | 'messages' | 'generateContent' | 'interactions';
  readonly model: string;
  readonly maxOutputTokens?: number;
  readonly baseUrl?: string;
}

/** The script of this name, which needs no key: what an example uses unless it is given a model. */
export function scriptedModel(name: string): ExampleModel {
  return { provider: 'scripted', model: name, maxOutputTokens: 1_024 };
}
