import { type ExampleModel, scriptedModel } from '../example-model.js';

/** The agent that finds out why a service fails, as it is posted to `POST /v1/agents`. It can only read. */
export function kubernetesAgent(model: ExampleModel = scriptedModel('kubernetes')) {
  return {
    name: 'kubernetes',
    instructions: [
      'You find out why a service in a Kubernetes cluster fails. You can only read.',
      'List the pods of the namespace first, then look at the one that is not ready. Name the cause and what to do.',
    ].join('\n'),
    model,
    tools: ['list_pods', 'get_pod_details'],
    toolChoice: { tool: 'list_pods' },
  };
}
