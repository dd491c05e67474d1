import type { ConversationItem } from '../model/conversation.js';
import type { TenantPolicy } from '../policy/policy-rule.js';
import type { Digest, Instant, JsonText } from '../shared/brand.js';
import type { ToolDefinition } from '../tools/tool-definition.js';
import type { AgentDefinition } from './agent-definition.js';
import type { DecidingKeys, Members } from './approvers.js';

/** What is known of one business intent, across all runs of the tenant. */
export type IntentRecord =
  | { readonly state: 'executing' | 'unknown'; readonly toolCallId: string }
  | {
      readonly state: 'succeeded';
      readonly toolCallId: string;
      readonly argumentsDigest: Digest;
      readonly output: JsonText;
      /** What the model read of it. */
      readonly text: string;
    };

/** The rules that hold for a run right now. `revision` changes with any of them. */
export interface Governance {
  readonly revision: number;
  readonly policy: TenantPolicy;
  /** Tools that were deleted: calls not yet intended are denied. */
  readonly withdrawn: ReadonlySet<string>;
  /** Whose signatures count, by what they are as of now. */
  readonly members: Members;
  readonly keys: DecidingKeys;
}

/** The definitions that a run began with. */
export interface Definitions {
  readonly agent: AgentDefinition;
  readonly tools: ReadonlyMap<string, ToolDefinition>;
}

/** What a run begins with. */
export interface Beginning extends Definitions {
  /** What was said in its thread before. */
  readonly history: readonly ConversationItem[];
}

/** What circuit breakers hold back, and until when; what may be tried is absent. */
export interface OpenBreakers {
  /** By the tool's name. */
  readonly tools: ReadonlyMap<string, Instant>;
  /** By the model's place in the agent's list. */
  readonly models: ReadonlyMap<number, Instant>;
}

/** Everything besides the run itself that a decision may depend on (invariant I3). */
export interface DecideContext extends Beginning {
  readonly now: Instant;
  readonly governance: Governance;
  /** Intents that somebody holds or that are done; free ones are absent. */
  readonly intents: ReadonlyMap<string, IntentRecord>;
  readonly breakers: OpenBreakers;
}
