import { z } from 'zod';
import { instant, instantInput, integer, jsonPayload, jsonPointer, label, name } from './shared.js';

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

const verdict = z.enum(['allow', 'require_approval', 'deny']).meta({ id: 'VerdictWord' });
const moneySum = z.strictObject({ amount: z.string(), currency: z.string() });

/** The body of `PUT /v1/policy`, tried on the calls that were proposed from `from` until before `to`. */
export const policySimulate = policyPut
  .extend({ from: instantInput, to: instantInput })
  .refine(({ from, to }) => Date.parse(from) < Date.parse(to), {
    path: ['to'],
    message: 'must be after from',
  })
  .meta({ id: 'PolicySimulate' });
export type PolicySimulate = z.output<typeof policySimulate>;

export const policySimulation = z
  .strictObject({
    from: instant.meta({
      description: 'Later than asked for where there are more calls than are looked at.',
    }),
    to: instant,
    complete: z.boolean().meta({ description: 'False: only the newest calls, those since `from`.' }),
    calls: z.number().int().meta({ description: 'Calls that policy has judged.' }),
    notJudged: z.number().int().meta({
      description: 'Calls that were answered or refused before policy had to decide, or are not judged yet.',
    }),
    outcomes: z
      .array(
        z.strictObject({
          recorded: verdict,
          simulated: verdict,
          calls: z.number().int(),
          money: z.array(moneySum),
        }),
      )
      .meta({
        description: 'What was decided against what these rules decide; pairs without calls are absent.',
      }),
    rejectedButAllowed: z
      .strictObject({
        calls: z.number().int(),
        money: z.array(moneySum),
        data: z
          .array(
            z.strictObject({
              runId: z.string(),
              toolCallId: z.string(),
              approvalId: z.string(),
              tool: z.string(),
              arguments: jsonPayload,
              money: moneySum.nullable(),
              rule: z.string().meta({ description: 'The rule that would allow it.' }),
              proposedAt: instant,
            }),
          )
          .meta({ description: 'The newest hundred.' }),
      })
      .meta({ description: 'Calls that people rejected, and that would run now without asking anybody.' }),
  })
  .meta({ id: 'PolicySimulation' });
