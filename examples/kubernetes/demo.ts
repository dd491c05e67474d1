import { type Print, playRun } from '../play-run.js';
import type { ProductClient } from '../product-client.js';

interface ToolCall {
  readonly tool: string;
  readonly arguments: unknown;
  readonly checks: Readonly<Record<string, string>>;
}

/** Plays scenario 3: a diagnosis in two reads, and a namespace that is not the subject's. */
export async function demonstrateKubernetes(product: ProductClient, print: Print): Promise<void> {
  const ask = async (input: string) => {
    const subject = { id: 'sre-1', namespace: 'payments' };
    const { id } = await playRun(product, print, { agent: 'kubernetes', input, subject });
    await showChecks(product, print, id);
  };
  print('# Why does it fail? The pods of the namespace, then the one that is not ready.');
  await ask('Why is payments-api failing?');
  print('');
  print("# Another namespace than the subject's: the call is stopped before the cluster hears of it.");
  await ask('Why is coredns failing in kube-system?');
}

/** The checks of each call, with the one that stopped it. */
async function showChecks(product: ProductClient, print: Print, runId: string): Promise<void> {
  const calls = await product.send<{ data: ToolCall[] }>('GET', `/v1/runs/${runId}/tool-calls`);
  for (const { tool, arguments: args, checks } of calls.data) {
    const shown = Object.entries(checks).map(([check, state]) => `${check} ${state}`);
    print(`  checks of ${tool} ${JSON.stringify(args)}: ${shown.join(', ')}`);
  }
}
