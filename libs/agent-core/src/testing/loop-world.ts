import { type Abandonment, abandonRun } from '../loop/abandon-run.js';
import type {
  FactsOutcome,
  LoopPorts,
  Reconciliation,
  Step,
  StepOutcome,
  ToolInvocation,
  ToolOutcome,
} from '../loop/ports.js';
import { type LoopEnd, runLoop } from '../loop/run-loop.js';
import type { ConversationItem, ModelRequest } from '../model/conversation.js';
import type { ModelEvent, ModelFailure, ModelResponse } from '../model/model-event.js';
import type { Role } from '../policy/role.js';
import { type AgentDefinition, DEFAULT_RUN_LIMITS, type RunLimits } from '../run/agent-definition.js';
import type { Actor } from '../run/approval.js';
import type { Definitions, IntentRecord } from '../run/decide-context.js';
import { foldRun } from '../run/evolve.js';
import type { Run } from '../run/run.js';
import type { RunEvent, StoredEvent } from '../run/run-event.js';
import type { Digest, Instant, JsonText, UsdText } from '../shared/brand.js';
import type { ToolDefinition } from '../tools/tool-definition.js';
import { OPEN_POLICY } from './loop-fixtures.js';
import { settleIntents } from './settle-intents.js';

const KEY: Actor = { type: 'key', id: 'key_1' };

/** A worker that is gone in the middle of its work. */
class WorkerKilled extends Error {}

interface WorldParts {
  readonly tools?: readonly ToolDefinition[];
  readonly agent?: Partial<AgentDefinition>;
  readonly limits?: Partial<RunLimits>;
  readonly history?: readonly ConversationItem[];
  readonly replies: readonly (ModelResponse | Extract<ModelEvent, { type: 'failure' }>)[];
}

/**
 * One run with everything around it in memory: a ledger that keeps events and intents as the real one does, a model
 * that plays its replies, tools that count what they did. `killAt` ends the worker at a named point.
 */
export class LoopWorld {
  now = 1_000_000;
  governance = {
    revision: 1,
    policy: OPEN_POLICY,
    withdrawn: new Set<string>(),
    members: new Map<string, Role>(),
    keys: new Map<string, Instant | null>([[KEY.id, null]]),
    suspended: false,
  };
  /** Until when the breakers of tools, and of models by name, are open; what may be probed is in none of them. */
  readonly openTools = new Map<string, number>();
  readonly openModels = new Map<string, number>();
  /** Who is let through by breakers that may be probed: the rest is held back. */
  admit: (callOrModel: string) => number | null = () => null;
  /** What the breaker of a model says after an attempt at it. */
  report: (model: string, failure: ModelFailure | null) => number | null = () => null;
  reservation: 'granted' | 'blocked_by_reservations' | 'blocked_by_spending' = 'granted';
  readonly events: StoredEvent[] = [];
  readonly intents = new Map<string, IntentRecord>();
  readonly performed: ToolInvocation[] = [];
  readonly computed: ToolInvocation[] = [];
  /** The types of the events of each commit. */
  readonly commits: (readonly string[])[] = [];
  readonly asked: Omit<ModelRequest, 'choice' | 'maxOutputTokens'>[] = [];
  killAt: string | null = null;
  /** What happens meanwhile: `prepare` of a model call, `lookUp` of what a tool call needs. */
  during: { check?: () => void; prepare?: () => void; lookUp?: () => void; execute?: () => void } = {};
  private abort = new AbortController();
  private ledgerError: Error | null = null;
  outcome: (invocation: ToolInvocation) => ToolOutcome | Promise<ToolOutcome> = ({ call }) => ({
    type: 'succeeded',
    output: `{"done":"${call.tool}"}` as JsonText,
    attempts: 1,
  });
  reconciliation: Reconciliation = { type: 'unknown', detail: 'nobody knows' };
  facts: FactsOutcome = { type: 'ok', facts: '{}' as JsonText, message: null };
  readonly definitions: Definitions;
  private readonly history: readonly ConversationItem[];
  private ids = 0;
  private readonly replies: (ModelResponse | Extract<ModelEvent, { type: 'failure' }>)[];

  constructor(parts: WorldParts) {
    const tools = parts.tools ?? [];
    this.replies = [...parts.replies];
    this.history = parts.history ?? [];
    const agent: AgentDefinition = {
      name: 'agent',
      version: 1,
      instructions: 'Be helpful.',
      models: [{ provider: 'scripted', model: 'script' }],
      tools: tools.map(({ name }) => name),
      toolChoice: 'auto',
      limits: DEFAULT_RUN_LIMITS,
      perRunUsd: null,
      policy: [],
      ...parts.agent,
    };
    this.definitions = { agent, tools: new Map(tools.map((definition) => [definition.name, definition])) };
    this.append({
      type: 'run.queued',
      reason: 'created',
      startedBy: KEY,
      agent: { name: 'agent', version: 1 },
      toolVersions: {},
      operationId: 'run_1',
      thread: null,
      subject: '{"id":"C-1"}' as JsonText,
      input: [{ role: 'user', content: 'Hello' }],
      limits: { ...DEFAULT_RUN_LIMITS, ...parts.limits },
      budgetLimitUsd: null,
    });
  }

  get run(): Run {
    return foldRun({ id: 'run_1', tenant: 'ten_1' }, this.events);
  }

  get types(): readonly string[] {
    return this.events.map(({ event }) => event.type);
  }

  /** From now on nothing can be written. */
  breakLedger(error: Error): void {
    this.ledgerError = error;
  }

  /** Tells the worker to stop at once. */
  stop(): void {
    this.abort.abort();
  }

  /** What somebody else records: a decision, a cancellation. */
  append(event: RunEvent): void {
    this.events.push({ seq: this.events.length + 1, at: this.now, event });
  }

  /** Claims the run and works on it until it stops, or until the worker is killed. */
  async work(): Promise<LoopEnd | 'killed'> {
    if (this.run.status.name === 'waiting') this.append({ type: 'run.queued', reason: 'timer' });
    if (this.run.status.name === 'running') this.append({ type: 'run.handed_back', reason: 'lease_expired' });
    this.abort = new AbortController();
    this.append({
      type: this.run.startedAt === null ? 'run.started' : 'run.resumed',
      worker: 'w',
      waitedMs: 0,
    });
    try {
      return await runLoop(this.run, { ...this.definitions, history: this.history }, this.ports());
    } catch (error) {
      if (error instanceof WorkerKilled) return 'killed';
      throw error;
    }
  }

  /** Ends the run as its worker does when a step of it can never be kept. */
  abandon(abandonment: Pick<Abandonment, 'ending' | 'open'>): Promise<LoopEnd> {
    return abandonRun(this.run, { ...abandonment, tools: this.definitions.tools }, this.ports());
  }

  /** The decision of a person on the only open approval. */
  decide(decision: 'approve' | 'reject', message: string | null = null, by: Actor = KEY): void {
    const request = this.events.findLast(({ event }) => event.type === 'approval.requested')?.event;
    if (request?.type !== 'approval.requested') throw new Error('no approval was requested');
    const { approvalId, toolCallId } = request;
    this.append({
      type: 'approval.decided',
      approvalId,
      toolCallId,
      by,
      decision,
      message,
      edited: null,
      notBefore: this.now,
    });
  }

  private kill(point: string): void {
    if (this.killAt !== point) return;
    this.killAt = null;
    throw new WorkerKilled(point);
  }

  private ports(): LoopPorts {
    return {
      now: () => this.now,
      newId: (prefix) => {
        this.ids += 1;
        return `${prefix}_${String(this.ids).padStart(26, '0')}`;
      },
      signal: this.abort.signal,
      shouldYield: () => null,
      governance: {
        current: async () => this.governance,
        intents: async (_tenant, keys) => new Map([...this.intents].filter(([key]) => keys.includes(key))),
      },
      ledger: {
        commit: async (step) => this.commit(step),
        eventsAfter: async (_run, seq) => this.events.filter((stored) => stored.seq > seq),
      },
      models: {
        publishDelta: () => undefined,
        prepare: async (_tenant, choice, request) => {
          this.during.prepare?.();
          const until = this.openModels.get(choice.model) ?? 0;
          if (until > this.now) return { type: 'held_back', until };
          return {
            type: 'prepared',
            api: 'scripted',
            revision: { adapter: '1', sdk: 'none' },
            priced: {
              choice,
              maxOutputTokens: 100,
              priceVersion: '1',
              worstCaseUsd: () => '0.010000' as UsdText,
              costUsd: () => '0.001000' as UsdText,
            },
            call: { requestBytes: 1, requestDigest: 'sha256:0' as Digest, send: () => this.answer(request) },
            breaker: {
              admit: async () => this.admit(choice.model),
              report: async (failure) => this.report(choice.model, failure),
            },
          };
        },
      },
      breakers: {
        openUntil: async (_tenant, tool) => {
          const until = this.openTools.get(tool) ?? 0;
          return until > this.now ? until : null;
        },
        admit: async ({ call }) => this.admit(call.id),
      },
      tools: {
        compute: (invocation) => {
          const { executor, effect } = invocation.definition;
          if (executor.type !== 'builtin' || effect !== 'read') return null;
          this.computed.push(invocation);
          return { type: 'succeeded', output: invocation.arguments, attempts: 1 };
        },
        prepare: async (invocation) => {
          this.during.lookUp?.();
          return {
            execute: async () => {
              this.kill('before_effect');
              this.performed.push(invocation);
              this.during.execute?.();
              this.kill('after_effect');
              return this.outcome(invocation);
            },
            reconcile: async () => this.reconciliation,
            check: async () => {
              this.during.check?.();
              return this.facts;
            },
          };
        },
      },
    };
  }

  private async *answer(
    request: Omit<ModelRequest, 'choice' | 'maxOutputTokens'>,
  ): AsyncGenerator<ModelEvent> {
    this.asked.push(request);
    const next = this.replies.shift();
    if (next === undefined) throw new Error('the script has no further reply');
    yield 'finish' in next ? { type: 'response', response: next } : next;
  }

  private commit(step: Step): StepOutcome {
    if (this.ledgerError !== null) throw this.ledgerError;
    if (step.intentions.length > 0) this.kill('before_intent');
    if (step.before.seq !== this.events.length) return { type: 'moved' };
    if (step.reserve !== null) this.kill('before_reserve');
    const { governanceRevision, reserve, intentions } = step;
    const outdated = governanceRevision !== null && governanceRevision !== this.governance.revision;
    const forbidden = this.governance.suspended && (reserve !== null || intentions.length > 0);
    if (outdated || forbidden) return { type: 'governance_changed' };
    const taken = intentions.some(({ toolCallId, intentKeys }) =>
      intentKeys.some((key) => (this.intents.get(key)?.toolCallId ?? toolCallId) !== toolCallId),
    );
    if (taken) return { type: 'intent_taken' };
    const settles = step.events.some(({ event }) => event.type === 'tool.succeeded');
    if (settles) this.kill('before_settle');
    this.events.push(...step.events);
    this.commits.push(step.events.map(({ event }) => event.type));
    for (const { toolCallId, intentKeys } of step.intentions) {
      for (const key of intentKeys) this.intents.set(key, { state: 'executing', toolCallId });
    }
    settleIntents(this.intents, step);
    if (settles) this.kill('after_settle');
    if (step.intentions.length > 0) this.kill('after_intent');
    const reservation = step.reserve === null ? null : this.reservation;
    return { type: 'committed', now: this.now, reservation, blockedBy: null };
  }
}
