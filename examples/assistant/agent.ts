import { type ExampleModel, scriptedModel } from '../example-model.js';

/** The assistant, as it is posted to `POST /v1/agents`. All of its tools only read. */
export function assistantAgent(model: ExampleModel = scriptedModel('assistant')) {
  return {
    name: 'assistant',
    instructions: [
      'You answer questions about the date, the weather and sums.',
      'Ask for everything that you can ask for at once in one turn. Never work a sum out yourself: use calculator.',
    ].join('\n'),
    model,
    tools: ['get_weather', 'calculator', 'get_date'],
  };
}
