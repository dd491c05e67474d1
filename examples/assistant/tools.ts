/** The tools of the scenario, as they are posted to `POST /v1/tools`. */
export function assistantTools(url: string) {
  return [
    reading(url, 'get_weather', 'The weather in a city as of now.', {
      city: { type: 'string', minLength: 1, maxLength: 80, description: 'The name of the city.' },
    }),
    reading(url, 'calculator', 'Works out a sum, exactly.', {
      expression: {
        type: 'string',
        pattern: '^[0-9+*/(). -]{1,200}$',
        description: 'Numbers, + - * / and parentheses, as in (2 + 3) * 1.5.',
      },
    }),
    reading(url, 'get_date', 'The date of today and its day of the week.', {}),
  ];
}

function reading(url: string, name: string, description: string, properties: Record<string, object>) {
  return {
    name,
    description,
    parameters: {
      type: 'object',
      properties,
      required: Object.keys(properties),
      additionalProperties: false,
    },
    effect: 'read' as const,
    executor: { type: 'http' as const, url: `${url}/${name}` },
  };
}
