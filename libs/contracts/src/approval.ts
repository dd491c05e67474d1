import { z } from 'zod';
import { instant, integer, jsonObject, jsonPayload, page, pageQuery } from './shared.js';

export const APPROVAL_STATUSES = ['pending', 'approved', 'rejected', 'expired', 'cancelled'] as const;
export const approvalStatus = z.enum(APPROVAL_STATUSES).meta({ id: 'ApprovalStatus' });

export const approvalDecision = z
  .strictObject({
    by: z.strictObject({ type: z.enum(['member', 'key']), id: z.string() }),
    decision: z.enum(['approve', 'reject']),
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
    toolCallId: z.string(),
    tool: z.string(),
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
    decisions: z.array(approvalDecision),
    requestedAt: instant,
    expiresAt: instant,
  })
  .meta({ id: 'Approval' });
export type Approval = z.output<typeof approval>;

export const approvalPage = page(approval).meta({ id: 'ApprovalPage' });

export const approvalListQuery = z.strictObject({
  ...pageQuery,
  status: z.enum(APPROVAL_STATUSES).optional(),
  runId: z
    .string()
    .max(255)
    .refine((text) => !text.includes('\u0000'), 'holds NUL')
    .optional(),
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
