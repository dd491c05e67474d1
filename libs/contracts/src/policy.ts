import { z } from 'zod';
import { instant, integer, jsonPayload, jsonPointer, label, name } from './shared.js';

/** A glob over tool names: `*` stands for any run of characters. */
const toolGlob = z.string().regex(/^[a-zA-Z0-9_*-]{1,64}$/, 'takes a tool name, * for any characters');

/** What a member may be; each may do all that the ones before it may. */
export const ROLES = ['viewer', 'reviewer', 'operator', 'admin'] as const;
export const role = z.enum(ROLES).meta({ id: 'Role' });
export type Role = z.output<typeof role>;

const condition = z.strictObject({
  path: jsonPointer,
  op: z.enum(['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in', 'exists']),
  /** Anything for eq and ne, a number or decimal string for an order, a list for in, true (the default) or false for exists. */
  value: jsonPayload.optional(),
});

export const policyRule = z
  .strictObject({
    tool: toolGlob,
    when: z.array(condition).max(20).optional(),
    action: z.enum(['allow', 'deny', 'require_approval']),
    approvals: integer(1, 2)
      .optional()
      .meta({ enum: [1, 2] }),
    approverRole: role.optional(),
    ttlSeconds: integer(1, 2_592_000).optional(),
    onExpiry: z.enum(['reject', 'fail']).optional(),
    reason: label.optional(),
  })
  .meta({ id: 'PolicyRule' });
export type PolicyRuleInput = z.output<typeof policyRule>;

export const policyRules = z.array(policyRule).max(200);

export const policyPut = z
  .strictObject({
    rules: policyRules,
    allowlist: z.array(name).max(1000).nullable().optional(),
    agentsMayLoosen: z.boolean().optional(),
  })
  .meta({ id: 'PolicyPut' });
export type PolicyPut = z.output<typeof policyPut>;

export const policy = z
  .strictObject({
    version: z.number().int(),
    rules: policyRules,
    allowlist: z.array(z.string()).nullable(),
    agentsMayLoosen: z.boolean(),
    createdAt: instant.nullable(),
  })
  .meta({ id: 'Policy' });
export type Policy = z.output<typeof policy>;
