import { answered, refused, type ToolRequest, type ToolRoutes, textOf } from '../tool-route.js';
import { READER_TOKEN } from './api-server.js';
import type { Pod } from './pods.js';

/** The tools over the API server at this URL. They pass on the little of its objects that answers the question. */
export function kubernetesRoutes(apiUrl: string): ToolRoutes {
  const get = <Body>(request: ToolRequest, path: string, view: (body: Body) => unknown) =>
    askApi(`${apiUrl}/api/v1/namespaces/${encodeURIComponent(textOf(request, 'namespace'))}/${path}`, view);
  return {
    '/list_pods': (request) =>
      get(request, 'pods', ({ items }: { items: readonly Pod[] }) => items.map(summary)),
    '/get_pod_details': (request) =>
      get(request, `pods/${encodeURIComponent(textOf(request, 'pod_name'))}`, details),
  };
}

/** The API server's refusals keep their status and their words: the product tells the model what stopped the call. */
async function askApi<Body>(url: string, view: (body: Body) => unknown) {
  const response = await fetch(url, { headers: { authorization: `Bearer ${READER_TOKEN}` } });
  const body: unknown = await response.json();
  if (response.ok) return answered(view(body as Body));
  return refused(response.status, 'The API server refuses', (body as { message: string }).message);
}

function summary({ metadata, status }: Pod) {
  return {
    name: metadata.name,
    phase: status.phase,
    ready: status.containerStatuses.every(({ ready }) => ready),
    restarts: status.containerStatuses.reduce((sum, { restartCount }) => sum + restartCount, 0),
  };
}

function details(pod: Pod) {
  const containers = pod.status.containerStatuses.map((status) => ({
    name: status.name,
    state: status.state,
    last_state: status.lastState,
    restarts: status.restartCount,
    memory_limit:
      pod.spec.containers.find(({ name }) => name === status.name)?.resources.limits.memory ?? null,
  }));
  return { name: pod.metadata.name, phase: pod.status.phase, containers };
}
