import { z } from 'zod';
import { filter, instant, integer, jsonObject, jsonPayload, page, pageQuery } from './shared.js';

export const APPROVAL_STATUSES = ['pending', 'approved', 'rejected', 'expired', 'cancelled'] as const;
export const approvalStatus = z.enum(APPROVAL_STATUSES).meta({ id: 'ApprovalStatus' });

const actor = z.strictObject({ type: z.enum(['member', 'key']), id: z.string() });

export const approvalDecision = z
  .strictObject({
    by: actor,
    decision: z.enum(['approve', 'reject']),
    name: z.string().nullable().meta({
      description: "The member's or the key's name as of now; null where it is not known any more.",
    }),
    message: z.string().nullable(),
    at: instant,
  })
  .meta({ id: 'ApprovalDecision' });
export type ApprovalDecision = z.output<typeof approvalDecision>;

/** A request for a person's signature on one call with exactly these arguments. */
export const approval = z
  .strictObject({
    id: z.string(),
    runId: z.string(),
    agent: z.strictObject({ name: z.string(), version: z.number().int() }),
    toolCallId: z.string(),
    tool: z.string(),
    toolVersion: z.number().int(),
    arguments: jsonPayload,
    argumentsDigest: z.string(),
    effect: z.enum(['read', 'idempotent', 'once']).nullable(),
    money: z.strictObject({ amount: z.string(), currency: z.string() }).nullable(),
    facts: z
      .strictObject({ ok: z.boolean(), facts: jsonPayload, message: z.string().nullable() })
      .nullable()
      .meta({
        description:
          "What the tool's check says as of now: asked for one pending approval; null in lists and where it does not answer.",
      }),
    reason: z.string(),
    policyRule: z.string(),
    policyVersion: z.number().int(),
    subject: jsonObject.nullable(),
    status: approvalStatus,
    requiredApprovals: z.number().int(),
    approverRoles: z.array(z.string()).meta({
      description: 'Roles each of which whoever decides has to hold, as far as rules ask for any.',
    }),
    startedBy: actor.meta({ description: 'Who started its run: a member who did may not decide.' }),
    decisions: z.array(approvalDecision),
    requestedAt: instant,
    expiresAt: instant,
  })
  .meta({ id: 'Approval' });
export type Approval = z.output<typeof approval>;

export const approvalPage = page(approval).meta({ id: 'ApprovalPage' });

export const approvalListQuery = z.strictObject({
  ...pageQuery,
  status: z
    .enum([...APPROVAL_STATUSES, 'closed'])
    .optional()
    .meta({ description: '`closed`: whatever is not pending.' }),
  runId: filter.optional(),
  tool: filter.optional(),
  agent: filter.optional(),
  subject: filter.optional().meta({ description: 'The id of the subject.' }),
  order: z
    .enum(['newest', 'expiring'])
    .optional()
    .meta({ description: '`newest` first unless given; `expiring`: what expires first.' }),
});
export type ApprovalListQuery = z.output<typeof approvalListQuery>;

export const decideApproval = z
  .strictObject({
    decision: z.enum(['approve', 'reject']),
    argumentsDigest: z
      .string()
      .max(255)
      .meta({ description: 'The digest of the arguments that were shown.' }),
    editedArguments: jsonObject.optional(),
    message: z.string().max(2_000).optional(),
    holdSeconds: integer(0, 10).optional().meta({ description: 'How long the decision can be undone.' }),
  })
  .meta({ id: 'DecideApproval' });
export type DecideApproval = z.output<typeof decideApproval>;

const count = z.number().int().min(0);

/** How much waits for people: approvals, by tool and by agent, and outcomes that nobody knows. */
export const approvalSummary = z
  .strictObject({
    pending: count,
    outcomes: count,
    tools: z.array(z.strictObject({ tool: z.string(), pending: count })),
    agents: z.array(z.strictObject({ agent: z.string(), pending: count })),
  })
  .meta({ id: 'ApprovalSummary' });
export type ApprovalSummary = z.output<typeof approvalSummary>;

/** How people decided before on approvals that the same rule asked for, of the same tool. */
export const approvalPrecedents = z
  .strictObject({
    approved: count.meta({ description: 'As the model proposed it.' }),
    edited: count.meta({ description: 'Approved with other arguments.' }),
    rejected: count,
    expired: count,
    recent: z.array(approval).max(10).meta({ description: 'The latest of them, latest first.' }),
  })
  .meta({ id: 'ApprovalPrecedents' });
export type ApprovalPrecedents = z.output<typeof approvalPrecedents>;

export const previewApproval = z
  .strictObject({ editedArguments: jsonObject })
  .meta({ id: 'PreviewApproval' });
export type PreviewApproval = z.output<typeof previewApproval>;

/**
 * What would become of an approval with other arguments. `allowed`: it runs; `needs_approval`: it takes more than this
 * one signature; `refused`: it cannot be approved, for the `errors` or by policy.
 */
export const approvalPreview = z
  .strictObject({
    verdict: z.enum(['allowed', 'needs_approval', 'refused']),
    argumentsDigest: z.string().nullable(),
    message: z.string().nullable(),
    errors: z.array(z.strictObject({ path: z.string(), message: z.string() })),
  })
  .meta({ id: 'ApprovalPreview' });
export type ApprovalPreview = z.output<typeof approvalPreview>;
