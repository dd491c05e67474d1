import type { RunEvent } from '@countersign/contracts';

const BEGAN = Date.parse('2026-10-01T09:00:00.000Z');
const PASSED = {
  registered: 'passed',
  arguments: 'passed',
  scope: 'passed',
  policy: 'passed',
  credential: 'not_reached',
} as const;
const BOUND = { arguments: { orderId: '3', amount: '129.00' }, argumentsDigest: 'sha256:a' };
const RULE = { policyVersion: 7, policyRule: 'tenant:0' };
const BY = { type: 'member', id: 'usr_rita' } as const;

/** Events of a run as the API gives them, for tests: each `after` so many milliseconds. */
export class ARun {
  readonly events: RunEvent[] = [];
  private at = BEGAN;
  private turn = 0;

  add(type: string, data: Record<string, unknown> = {}, after = 10): this {
    this.at += this.events.length === 0 ? 0 : after;
    this.events.push({ seq: this.events.length + 1, type, at: new Date(this.at).toISOString(), data });
    return this;
  }

  /** Milliseconds after the run began. */
  since(at: number): number {
    return at - BEGAN;
  }

  queued(input = 'Refund order 3, please.'): this {
    return this.add('run.queued', {
      reason: 'created',
      startedBy: { type: 'key', id: 'key_1' },
      agent: { name: 'support', version: 4 },
      operationId: 'case 3',
      subject: { id: 'C-1' },
      input: [{ role: 'user', content: input }],
      limits: { maxTurns: 20, maxTokens: null },
      budgetLimitUsd: null,
    });
  }

  started(after = 5): this {
    return this.add('run.started', { worker: 'w' }, after);
  }

  resumed(after = 5): this {
    return this.add('run.resumed', { worker: 'w' }, after);
  }

  /** A reply that took `took` milliseconds; calls are named after their tools: `refund` has the id `tcl_refund`. */
  replied(tools: readonly string[], { text = '', took = 400, sent = 100, cached = 0 } = {}): this {
    this.turn += 1;
    return this.add(
      'model.responded',
      {
        ...this.attempt(),
        turn: this.turn,
        responseId: null,
        text,
        refusal: null,
        finish: { unified: tools.length === 0 ? 'stop' : 'tool_calls', raw: 'end' },
        usage: usage(sent, cached),
        calls: tools.map((tool) => ({
          toolCallId: `tcl_${tool}`,
          callId: `call_${tool}`,
          providerCallId: null,
          tool,
          arguments: '{"orderId":"3"}',
        })),
      },
      took,
    );
  }

  failed(code = 'overloaded', took = 300): this {
    const failure = { code, message: 'too busy', httpStatus: 529, retryable: true, retryAfterMs: 1_000 };
    return this.add('model.failed', { ...this.attempt(), usage: null, ...failure }, took);
  }

  permitted(tool: string): this {
    return this.add('tool.permitted', { toolCallId: `tcl_${tool}`, checks: PASSED, ...BOUND, ...RULE });
  }

  asked(tool: string, { required = 1, id = `apr_${tool}` } = {}): this {
    const at = new Date(this.at).toISOString();
    return this.add('approval.requested', {
      toolCallId: `tcl_${tool}`,
      approvalId: id,
      checks: PASSED,
      ...BOUND,
      ...RULE,
      reason: 'over $50',
      requiredApprovals: required,
      requestedAt: at,
      expiresAt: new Date(this.at + 86_400_000).toISOString(),
    });
  }

  waiting(why: string | null = null, after = 1): this {
    return this.add('run.waiting', { approvals: [], toolResults: [], outcomes: [], until: null, why }, after);
  }

  /** `hold`: so many milliseconds the decision can be undone. */
  decided(
    tool: string,
    decision: 'approve' | 'reject',
    { after = 60_000, hold = 0, by = BY.id as string, edited = null as unknown } = {},
  ): this {
    const notBefore = new Date(this.at + after + hold).toISOString();
    const message = decision === 'reject' ? 'too late' : null;
    const data = {
      toolCallId: `tcl_${tool}`,
      approvalId: `apr_${tool}`,
      by: { ...BY, id: by },
      decision,
      message,
      edited,
      notBefore,
    };
    return this.add('approval.decided', data, after);
  }

  executed(tool: string, took = 120): this {
    return this.executing(tool).add(
      'tool.succeeded',
      {
        toolCallId: `tcl_${tool}`,
        output: { ok: true },
        text: '{"ok":true}',
        replayOf: null,
        bound: null,
        attempts: 1,
      },
      took,
    );
  }

  executing(tool: string): this {
    return this.add('tool.started', {
      toolCallId: `tcl_${tool}`,
      idempotencyKey: 'eff_1',
      intentKey: null,
      approvalId: null,
    });
  }

  denied(tool: string): this {
    const checks = { ...PASSED, policy: 'stopped' };
    return this.add('tool.denied', {
      toolCallId: `tcl_${tool}`,
      code: 'policy_denied',
      message: 'no',
      checks,
      bound: null,
      ...RULE,
    });
  }

  finished(status = 'completed', reason: { code: string; message: string } | null = null): this {
    return this.add('run.finished', { status, reason, output: null });
  }

  private attempt() {
    return {
      modelCallId: `mdl_${this.events.length}`,
      choice: 0,
      provider: 'openai',
      api: 'responses',
      model: 'gpt',
      requestDigest: 'sha256:r',
      revision: { adapter: '1', sdk: '1' },
      priceVersion: 'p1',
      estimated: false,
      costUsd: '0.010000',
      wasteUsd: '0.000000',
      startedAt: new Date(this.at).toISOString(),
    };
  }
}

function usage(sent: number, cached: number) {
  return {
    inputTokens: sent,
    cachedInputTokens: cached,
    cacheWriteTokens: 0,
    outputTokens: 5,
    reasoningTokens: 0,
  };
}
