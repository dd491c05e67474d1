import {
  CHECKS_PASSED,
  canonicalJson,
  type JsonText,
  type JsonValue,
  normalizeArguments,
  type ToolDefinition,
  type ToolInvocation,
  type ToolOutcome,
  type ToolPort,
} from '@countersign/agent-core';
import type { ToolTest } from '@countersign/contracts';
import { newId } from '../platform/ids.js';
import { invalidContent, notFound } from '../platform/problem.js';
import type { TenantScope } from '../platform/tenant-context.js';
import type { ToolRepository } from './tool.repository.js';

export interface TryToolDependencies {
  readonly tools: Pick<ToolRepository, 'find'>;
  readonly port: Pick<ToolPort, 'prepare'>;
}

/** What was sent, and what came of it. */
export interface TriedTool {
  readonly arguments: JsonText;
  readonly outcome: ToolOutcome;
}

/** Stands in the call's context where a run's id would: the tool can tell a test from a run. */
const NO_RUN = 'test';

/**
 * Calls a tool once, as a run would: validated, scoped to the subject, signed, with a key of its own. It is the tenant's
 * own tool and its own wish, so no policy and no approval stand before it; whatever the tool does is done.
 * @throws Problem not_found, invalid_content.
 */
export async function tryTool(
  { tools, port }: TryToolDependencies,
  { tenant }: TenantScope,
  name: string,
  input: ToolTest,
  signal: AbortSignal,
): Promise<TriedTool> {
  const stored = await tools.find(tenant, name);
  if (stored === null) throw notFound('tool');
  const { definition } = stored;
  // The body was read losslessly, so these are trees of JSON values.
  const subject = input.subject === undefined ? null : canonicalJson(input.subject as JsonValue);
  const proposed = canonicalJson(input.arguments as JsonValue);
  const normalized = normalizeArguments({ definition, subject, proposed });
  if (normalized.type === 'scope') throw invalidContent({ path: '/subject', message: normalized.message });
  if (normalized.type === 'arguments') {
    const errors = normalized.errors.map(({ path, message }) => ({ path: `/arguments${path}`, message }));
    throw invalidContent(...errors);
  }
  const { bound } = normalized;
  const invocation = invocationOf(tenant, definition, subject, bound.arguments);
  const { execute } = await port.prepare(invocation);
  return { arguments: bound.arguments, outcome: await execute(signal) };
}

function invocationOf(
  tenant: string,
  definition: ToolDefinition,
  subject: JsonText | null,
  text: JsonText,
): ToolInvocation {
  const id = newId('tcl');
  return {
    tenant,
    runId: NO_RUN,
    operationId: NO_RUN,
    subject,
    definition,
    arguments: text,
    idempotencyKey: id.replace(/^tcl_/, 'eff_'),
    call: {
      id,
      turn: 0,
      index: 0,
      tool: definition.name,
      callId: id,
      providerCallId: null,
      proposed: text,
      checks: CHECKS_PASSED,
      held: null,
      tries: 0,
      approvalRequests: 0,
      state: { status: 'requested' },
    },
  };
}
