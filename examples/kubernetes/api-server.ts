import { type ListeningServer, listen } from '../listening.js';
import { PODS } from './pods.js';

/** The token of a service account that may read pods in the namespace `payments`, and nothing else. */
export const READER_TOKEN = 'token-of-payments-reader';

export interface ClusterApi extends ListeningServer {
  /** Paths that were asked for, oldest first. */
  readonly requests: readonly string[];
}

/** A stub of a cluster's API server: pods of a namespace, one pod, and the refusals that a real one gives. */
export async function startClusterApi(): Promise<ClusterApi> {
  const requests: string[] = [];
  const server = await listen(0, (request, response) => {
    requests.push(request.url ?? '');
    const { status, body } = answer(request.url ?? '', request.headers.authorization);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  return { ...server, requests };
}

function answer(path: string, authorization: string | undefined): { status: number; body: unknown } {
  if (authorization !== `Bearer ${READER_TOKEN}`) return failure(401, 'Unauthorized', 'Unauthorized');
  const match = /^\/api\/v1\/namespaces\/([^/]+)\/pods(?:\/([^/]+))?$/.exec(path);
  if (match === null) return failure(404, 'NotFound', 'the server could not find the requested resource');
  const [namespace = '', name] = match.slice(1).map((part) => part && decodeURIComponent(part));
  if (namespace !== 'payments') return failure(403, 'Forbidden', forbidden(namespace, name));
  const pods = PODS.filter(({ metadata }) => metadata.namespace === namespace);
  if (name === undefined) return { status: 200, body: { kind: 'PodList', apiVersion: 'v1', items: pods } };
  const pod = pods.find(({ metadata }) => metadata.name === name);
  return pod === undefined
    ? failure(404, 'NotFound', `pods "${name}" not found`)
    : { status: 200, body: pod };
}

function forbidden(namespace: string, name: string | undefined): string {
  const verb = name === undefined ? 'list' : 'get';
  return `pods is forbidden: User "system:serviceaccount:payments:reader" cannot ${verb} resource "pods" in API group "" in the namespace "${namespace}"`;
}

function failure(code: number, reason: string, message: string): { status: number; body: unknown } {
  return {
    status: code,
    body: { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason, message, code },
  };
}
