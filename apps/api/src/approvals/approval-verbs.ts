import type { AskFactsDependencies } from './ask-facts.js';
import type { DecideApprovalDependencies } from './decide-approval.js';

/** What the verbs of this room need, put together once. */
export type ApprovalVerbs = DecideApprovalDependencies & AskFactsDependencies;

export const APPROVAL_VERBS = Symbol('ApprovalVerbs');
