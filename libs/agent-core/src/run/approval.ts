import type { Digest, Instant, JsonText } from '../shared/brand.js';
import type { BoundArguments } from '../tools/bound-arguments.js';

/** Who decided: a member (from the dashboard) or a key (from an app). */
export interface Actor {
  readonly type: 'member' | 'key';
  readonly id: string;
}

export interface ApprovalDecision {
  readonly by: Actor;
  readonly decision: 'approve' | 'reject';
  readonly message: string | null;
  readonly at: Instant;
}

/** A request for a person's signature on one call with one arguments digest (invariant I6). */
export interface ApprovalRequest {
  readonly approvalId: string;
  readonly arguments: JsonText;
  readonly argumentsDigest: Digest;
  readonly reason: string;
  readonly policyRule: string;
  readonly policyVersion: number;
  readonly requiredApprovals: 1 | 2;
  readonly approverRoles: readonly string[];
  readonly requestedAt: Instant;
  readonly expiresAt: Instant;
  readonly onExpiry: 'reject' | 'fail';
}

/** An approval with the decisions made so far. It permits the call once enough people approved and `notBefore` passed. */
export interface Approval extends ApprovalRequest {
  readonly decisions: readonly ApprovalDecision[];
  /** What was asked for: an undone edit is this again. */
  readonly requested: BoundArguments;
  /** End of the time in which an approval may be undone. */
  readonly notBefore: Instant;
}
