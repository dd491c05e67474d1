/** A tool that only reads, and one that must never run in this scenario. */
export function machineTools(url: string) {
  const n = { type: 'integer', description: 'Which one.' };
  return [
    {
      ...tool(url, 'look', 'Looks at something.', {
        n,
        delay_ms: {
          type: 'integer',
          minimum: 0,
          maximum: 1_000,
          default: 0,
          description: 'How long it takes.',
        },
      }),
      effect: 'read' as const,
    },
    { ...tool(url, 'act', 'Changes something.', { n }), effect: 'once' as const },
  ];
}

function tool(url: string, name: string, description: string, properties: Record<string, object>) {
  return {
    name,
    description,
    parameters: { type: 'object', properties, required: ['n'], additionalProperties: false },
    executor: { type: 'http' as const, url: `${url}/${name}` },
  };
}
