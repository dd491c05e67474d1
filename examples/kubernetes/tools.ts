const namespace = { type: 'string', minLength: 1, maxLength: 63, description: 'The namespace.' };
const pod_name = { type: 'string', minLength: 1, maxLength: 253, description: 'The full name of the pod.' };

/** The tools of the scenario, as they are posted to `POST /v1/tools`. A run sees its subject's namespace alone. */
export function kubernetesTools(url: string) {
  return [
    tool(url, 'list_pods', 'The pods of a namespace: name, phase, ready, restarts.', { namespace }),
    tool(url, 'get_pod_details', 'The containers of one pod: what they wait for, how they ended last.', {
      namespace,
      pod_name,
    }),
  ];
}

function tool(url: string, name: string, description: string, properties: Record<string, object>) {
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
    constrain: { namespace: '/namespace' },
  };
}
