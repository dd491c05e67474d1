import type { Script, ScriptedReply } from '@countersign/agent-core';
import { lastAsked, resultOf, type ToolItem } from '../asked.js';

/**
 * The assistant's side: everything that can be asked for at once in one turn; one after another where one answer is
 * part of the next question.
 */
export const assistantScript: Script = (request) => {
  const { question, results } = lastAsked(request);
  const factor = /^temperature in (.+) times (\d+)/i.exec(question);
  if (factor !== null) return timesTemperature(factor[1] ?? '', factor[2] ?? '', results);
  const calls = callsFor(question);
  if (calls.length === 0) return { text: 'I can tell the date and the weather, and work out sums.' };
  return results.length === 0 ? { calls } : { text: results.map(sentence).join(' ') };
};

function callsFor(question: string) {
  const expression = /how much is ([-\d+*/(). ]*[\d)])/i.exec(question)?.[1];
  const city = /weather in ([\p{L} ]+)/iu.exec(question)?.[1];
  return [
    ...(/what day/i.test(question) ? [{ tool: 'get_date', arguments: {} }] : []),
    ...(expression === undefined ? [] : [{ tool: 'calculator', arguments: { expression } }]),
    ...(city === undefined ? [] : [{ tool: 'get_weather', arguments: { city } }]),
  ];
}

interface Weather {
  readonly city: string;
  readonly temperature: number;
  readonly sky: string;
}

function timesTemperature(city: string, factor: string, results: readonly ToolItem[]): ScriptedReply {
  const [weather, product] = results;
  if (weather === undefined) return { calls: [{ tool: 'get_weather', arguments: { city } }] };
  const temperature = resultOf<Weather>(weather)?.temperature;
  if (temperature === undefined)
    return { text: `I could not find the temperature in ${city}: ${weather.text}` };
  const expression = `${temperature} * ${factor}`;
  if (product === undefined) return { calls: [{ tool: 'calculator', arguments: { expression } }] };
  const result = resultOf<{ result: string }>(product)?.result ?? product.text;
  return { text: `${temperature} °C times ${factor} is ${result}.` };
}

function sentence(result: ToolItem): string {
  if (result.isError) return `${result.tool} gave no answer: ${result.text}`;
  switch (result.tool) {
    case 'get_date': {
      const today = resultOf<{ date: string; weekday: string }>(result);
      return today === null ? result.text : `Today is ${today.weekday}, ${today.date}.`;
    }
    case 'calculator':
      return `The sum is ${resultOf<{ result: string }>(result)?.result ?? result.text}.`;
    default: {
      const weather = resultOf<Weather>(result);
      return weather === null
        ? result.text
        : `In ${weather.city} it is ${weather.temperature} °C, ${weather.sky}.`;
    }
  }
}
