import type { ToolChoice } from '../model/conversation.js';
import type { ModelChoice } from '../model/model-choice.js';
import type { PolicyRule } from '../policy/policy-rule.js';
import type { UsdText } from '../shared/brand.js';

/** Bounds of one run. Seconds unless said otherwise; defaults are CONTRACT's. */
export interface RunLimits {
  readonly maxTurns: number;
  readonly maxToolCalls: number;
  readonly maxParallelToolCalls: number;
  readonly maxRepeats: number;
  readonly maxTokens: number | null;
  /** Counts running time only. */
  readonly deadlineSeconds: number;
  readonly approvalTtlSeconds: number;
  /** Counts in every state. */
  readonly maxAgeSeconds: number;
}

export const DEFAULT_RUN_LIMITS: RunLimits = {
  maxTurns: 20,
  maxToolCalls: 50,
  maxParallelToolCalls: 4,
  maxRepeats: 2,
  maxTokens: null,
  deadlineSeconds: 900,
  approvalTtlSeconds: 86_400,
  maxAgeSeconds: 2_592_000,
};

/** One immutable version of an agent, with every default filled in. */
export interface AgentDefinition {
  readonly name: string;
  readonly version: number;
  readonly instructions: string;
  /** The model and then its fallbacks, in the order in which they are tried. */
  readonly models: readonly ModelChoice[];
  readonly tools: readonly string[];
  readonly toolChoice: ToolChoice;
  readonly limits: RunLimits;
  readonly perRunUsd: UsdText | null;
  readonly policy: readonly PolicyRule[];
}
