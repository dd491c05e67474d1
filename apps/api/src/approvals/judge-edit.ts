import {
  applyEdit,
  type BoundArguments,
  canonicalJson,
  evaluatePolicy,
  holdsRole,
  type JsonValue,
  type Run,
  type TenantPolicy,
  type ToolCall,
} from '@countersign/agent-core';
import type { DefinitionCatalog } from '../catalog/definitions.js';
import type { FieldError } from '../platform/problem.js';
import type { TenantScope } from '../platform/tenant-context.js';
import { definitionsOf } from './definitions-of.js';

export interface JudgeEditDependencies {
  readonly catalog: Pick<DefinitionCatalog, 'load'>;
  /** The tenant's policy as of now. */
  readonly policy: (tenant: string) => Promise<TenantPolicy>;
}

export type PendingState = Extract<ToolCall['state'], { status: 'awaiting_approval' }>;

/** What a reviewer's arguments would mean. */
export type JudgedEdit =
  /** Not valid here, at the places that `errors` name, or denied by policy. */
  | { readonly type: 'refused'; readonly message: string; readonly errors: readonly FieldError[] }
  | {
      readonly type: 'accepted';
      readonly bound: BoundArguments;
      /** False: the editor's own signature does not suffice for them. */
      readonly suffices: boolean;
    };

/** Holds a reviewer's arguments against the tool, its scope and the policy of this moment. Changes nothing. */
export async function judgeEdit(
  { catalog, policy }: JudgeEditDependencies,
  run: Run,
  call: ToolCall,
  state: PendingState,
  editedArguments: unknown,
  editor: Pick<TenantScope, 'role'>,
): Promise<JudgedEdit> {
  const { agent, definition } = await definitionsOf(catalog, run, call);
  const edit = applyEdit({
    definition,
    subject: run.subject,
    current: state.arguments,
    // The body was read losslessly, so this is a tree of JSON values.
    edited: canonicalJson(editedArguments as JsonValue),
  });
  if (edit.type === 'refused') {
    const errors = edit.errors.map(({ path, message }) => ({ path: `/editedArguments${path}`, message }));
    return { type: 'refused', message: 'The edited arguments are not valid here.', errors };
  }
  const verdict = evaluatePolicy({
    tool: { name: definition.name, effect: definition.effect },
    arguments: edit.bound.arguments,
    agentRules: agent.policy,
    tenant: await policy(run.tenant),
    defaultTtlSeconds: run.limits.approvalTtlSeconds,
  });
  if (verdict.type === 'deny') {
    return { type: 'refused', message: `Denied by policy: ${verdict.reason}`, errors: [] };
  }
  const { role } = editor;
  const suffices =
    state.approval.requiredApprovals === 1 &&
    (verdict.type === 'allow' ||
      (verdict.approvals === 1 &&
        verdict.approverRoles.every((required) => role !== null && holdsRole(role, required))));
  return { type: 'accepted', bound: edit.bound, suffices };
}
