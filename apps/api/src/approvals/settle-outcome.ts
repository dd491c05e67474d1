import {
  bindResult,
  boundIn,
  canonicalJson,
  editedArguments,
  findCall,
  type JsonValue,
  type Run,
  type RunEvent,
  resultOfOutput,
  type ToolCall,
  type ToolDefinition,
} from '@countersign/agent-core';
import type { SettleOutcome } from '@countersign/contracts';
import { invalidContent, notFound, Problem } from '../platform/problem.js';
import type { TenantScope } from '../platform/tenant-context.js';
import { type AmendDependencies, amendRun } from '../runs/amend-run.js';
import { definitionsOf } from './definitions-of.js';

/**
 * A person's word on a call of which nobody knows whether it happened (invariant I4). It settles the intent even where
 * the run has ended without waiting for it.
 * @throws Problem not_found, outcome_not_expected, invalid_content.
 */
export async function settleOutcome(
  dependencies: AmendDependencies,
  { tenant, actor }: TenantScope,
  { runId, toolCallId }: { readonly runId: string; readonly toolCallId: string },
  input: SettleOutcome,
): Promise<void> {
  if (!input.happened && input.output !== undefined) {
    throw invalidContent({ path: '/output', message: 'belongs to a call that happened' });
  }
  await amendRun(dependencies, { tenant, runId }, async (run): Promise<readonly RunEvent[]> => {
    const call = findCall(run, toolCallId);
    if (call === null) throw notFound('tool call');
    if (call.state.status !== 'unknown') {
      throw new Problem(
        'outcome_not_expected',
        `The outcome of this call is not unknown: it is ${call.state.status}.`,
      );
    }
    const { definition } = await definitionsOf(dependencies.catalog, run, call);
    const outcome = input.happened ? 'happened' : 'did_not_happen';
    // The body was read losslessly, so this is a tree of JSON values.
    const output = input.output === undefined ? null : canonicalJson(input.output as JsonValue);
    const text = input.happened
      ? happenedText(run, call, definition, input)
      : `A person found out that it did not happen.${remark(input)}`;
    const binding = bindResult(run, call, call.state, { output, text });
    return [{ type: 'tool.settled', toolCallId, outcome, by: actor, output, text, binding }];
  });
}

/** What the model reads: the output where there is one, else the person's words. */
function happenedText(run: Run, call: ToolCall, definition: ToolDefinition, input: SettleOutcome): string {
  if (input.output === undefined) return `A person found out that this call did happen.${remark(input)}`;
  const output = canonicalJson(input.output as JsonValue);
  const ran = boundIn(call.state);
  const edited = ran === null ? null : editedArguments(run, call, definition, ran);
  return resultOfOutput(output, definition, edited) + remark(input);
}

function remark({ message }: SettleOutcome): string {
  return message === undefined ? '' : ` ${message}`;
}
