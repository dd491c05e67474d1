import { z } from 'zod';
import { policyRules } from './policy.js';
import { httpUrl, instant, integer, name, number, usdInput } from './shared.js';

export const PROVIDERS = ['openai', 'openai-compatible', 'anthropic', 'google', 'scripted'] as const;
export const provider = z.enum(PROVIDERS);
export type Provider = z.output<typeof provider>;

export const modelChoice = z
  .strictObject({
    provider,
    api: z.enum(['responses', 'chat', 'messages', 'generateContent', 'interactions']).optional(),
    model: z.string().min(1).max(200),
    maxOutputTokens: integer(1, 10_000_000).optional(),
    temperature: number(0, 2).optional(),
    reasoningEffort: z.string().min(1).max(32).optional(),
    baseUrl: httpUrl.optional(),
  })
  .meta({ id: 'ModelChoice' });
export type ModelChoiceInput = z.output<typeof modelChoice>;

/** Bounds of a run; the operator's ceiling on turns is 200. */
export const limits = z
  .strictObject({
    maxTurns: integer(1, 200),
    maxToolCalls: integer(1, 10_000),
    maxParallelToolCalls: integer(1, 100),
    maxRepeats: integer(0, 100),
    maxTokens: integer(1, 1_000_000_000),
    deadlineSeconds: integer(1, 86_400),
    approvalTtlSeconds: integer(1, 2_592_000),
    maxAgeSeconds: integer(1, 31_536_000),
  })
  .partial()
  .meta({ id: 'Limits' });
export type LimitsInput = z.output<typeof limits>;

const definition = {
  instructions: z.string().min(1).max(200_000),
  model: modelChoice,
  fallbacks: z.array(modelChoice).max(10).optional(),
  tools: z.array(name).max(200),
  toolChoice: z.union([z.enum(['auto', 'required']), z.strictObject({ tool: name })]).optional(),
  limits: limits.optional(),
  budget: z.strictObject({ perRunUsd: usdInput }).optional(),
  policy: policyRules.optional(),
};

/** The name comes from the path. */
export const agentPut = z.strictObject(definition).meta({ id: 'AgentPut' });
export type AgentPut = z.output<typeof agentPut>;

export const agentCreate = z.strictObject({ name, ...definition }).meta({ id: 'AgentCreate' });
export type AgentCreate = z.output<typeof agentCreate>;

/** One version of an agent with every default filled in. */
export const agent = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    version: z.number().int(),
    instructions: z.string(),
    model: modelChoice,
    fallbacks: z.array(modelChoice),
    tools: z.array(z.string()),
    toolChoice: z.union([z.enum(['auto', 'required']), z.strictObject({ tool: z.string() })]),
    limits: limits.required().extend({ maxTokens: z.number().int().nullable() }),
    budget: z.strictObject({ perRunUsd: z.string() }).nullable(),
    policy: policyRules,
    createdAt: instant,
    /** What is allowed and yet worth a thought, for people. */
    warnings: z.array(z.string()),
  })
  .meta({ id: 'Agent' });
export type Agent = z.output<typeof agent>;
