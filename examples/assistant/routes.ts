import { answered, refused, type ToolRoutes, textOf } from '../tool-route.js';
import { calculate } from './calculator.js';

interface Weather {
  readonly temperature: number;
  readonly sky: string;
}

/** The weather, which is always the same here. */
const WEATHER: ReadonlyMap<string, Weather> = new Map([
  ['bogotá', { temperature: 14, sky: 'light rain' }],
  ['madrid', { temperature: 18, sky: 'clear' }],
]);

/** The assistant's tools. `today` says which day it is. */
export function assistantRoutes(today: () => Date): ToolRoutes {
  return {
    '/get_weather': (request) => {
      const city = textOf(request, 'city');
      const weather = WEATHER.get(city.normalize('NFC').toLowerCase());
      return weather === undefined
        ? refused(404, 'No such city', `There is no weather for ${city}.`)
        : answered({ city, unit: 'celsius', ...weather });
    },
    '/calculator': (request) => {
      try {
        return answered({ result: calculate(textOf(request, 'expression')) });
      } catch (error) {
        return refused(422, 'No sum', error instanceof Error ? error.message : 'expression: is no sum');
      }
    },
    '/get_date': () => {
      const weekday = today().toLocaleDateString('en', { weekday: 'long', timeZone: 'UTC' });
      return answered({ date: today().toISOString().slice(0, 10), weekday });
    },
  };
}
