import type { Script, ScriptedReply } from '@countersign/agent-core';
import { lastAsked, resultOf, type ToolItem } from '../asked.js';

interface Summary {
  readonly name: string;
  readonly ready: boolean;
  readonly restarts: number;
}

interface Details {
  readonly name: string;
  readonly containers: readonly {
    readonly state: { readonly waiting?: { readonly reason: string } };
    readonly last_state: { readonly terminated?: { readonly exitCode: number; readonly reason: string } };
    readonly restarts: number;
    readonly memory_limit: string | null;
  }[];
}

/** The agent's side: the pods of the namespace, the one that is not ready, the cause. */
export const kubernetesScript: Script = (request) => {
  const { question, results } = lastAsked(request);
  const namespace = / in ([a-z0-9-]+)\?/.exec(question)?.[1] ?? 'payments';
  const service = /why is ([a-z0-9-]+) failing/i.exec(question)?.[1];
  if (service === undefined) return { text: 'Which service fails?' };
  const [pods, details] = results;
  if (pods === undefined) return { calls: [{ tool: 'list_pods', arguments: { namespace } }] };
  const failing = resultOf<readonly Summary[]>(pods)?.find(
    ({ name, ready }) => name.startsWith(service) && !ready,
  );
  if (failing === undefined) return { text: pods.isError ? pods.text : `Every pod of ${service} is ready.` };
  if (details === undefined) {
    return { calls: [{ tool: 'get_pod_details', arguments: { namespace, pod_name: failing.name } }] };
  }
  return explain(details);
};

function explain(result: ToolItem): ScriptedReply {
  const pod = resultOf<Details>(result);
  const container = pod?.containers[0];
  const ended = container?.last_state.terminated;
  if (pod === null || container === undefined || ended === undefined) return { text: result.text };
  const waiting = container.state.waiting?.reason ?? 'not ready';
  return {
    text:
      `${pod.name} is in ${waiting} after ${container.restarts} restarts: it was ${ended.reason} ` +
      `(exit ${ended.exitCode}) at its memory limit of ${container.memory_limit}. Raise the limit, or find what grows.`,
  };
}
