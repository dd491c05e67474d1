import { type ExampleModel, scriptedModel } from '../example-model.js';

/** The model of the wire cases: a small server of ours that speaks OpenAI's chat API, below this URL. */
export function wireModel(url: string): ExampleModel {
  return {
    provider: 'openai-compatible',
    api: 'chat',
    model: 'machine',
    maxOutputTokens: 1_024,
    baseUrl: `${url}/v1`,
  };
}

/** The agent that is driven through the states of a run, as it is posted to `POST /v1/agents`. */
export function machineAgent(name = 'machine', model: ExampleModel = scriptedModel('machine')) {
  return {
    name,
    instructions: 'You show what can become of a run.',
    model,
    tools: ['look', 'act'],
  };
}
