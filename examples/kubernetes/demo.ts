import { playRun, type Stage } from '../play-run.js';

interface ToolCall {
  readonly tool: string;
  readonly arguments: unknown;
  readonly checks: Readonly<Record<string, string>>;
}

/** Plays scenario 3: a diagnosis in two reads, and a namespace that is not the subject's. */
export async function demonstrateKubernetes(stage: Stage): Promise<void> {
  const { print } = stage;
  const ask = async (input: string) => {
    const subject = { id: 'sre-1', namespace: 'payments' };
    const { id } = await playRun(stage, { agent: 'kubernetes', input, subject });
    await showChecks(stage, id);
  };
  print('# Why does it fail? The pods of the namespace, then the one that is not ready.');
  await ask('Why is payments-api failing?');
  print('');
  print("# Another namespace than the subject's: the call is stopped before the cluster hears of it.");
  await ask('Why is coredns failing in kube-system?');
}

/** The checks of each call, with the one that stopped it. */
async function showChecks({ product, print }: Stage, runId: string): Promise<void> {
  const calls = await product.send<{ data: ToolCall[] }>('GET', `/v1/runs/${runId}/tool-calls`);
  for (const { tool, arguments: args, checks } of calls.data) {
    const shown = Object.entries(checks).map(([check, state]) => `${check} ${state}`);
    print(`  checks of ${tool} ${JSON.stringify(args)}: ${shown.join(', ')}`);
  }
}
