import { breakerOpen, tellWhatCloses } from '../run/closed-tool.js';
import type { DecideContext } from '../run/decide-context.js';
import { deny } from '../run/deny.js';
import { boundIn } from '../run/evolve-call.js';
import { stopCall } from '../run/judge-call.js';
import { intentKeysOf, intentOf } from '../run/judge-intent.js';
import { resultText } from '../run/result-text.js';
import type { RunEvent } from '../run/run-event.js';
import type { BoundArguments, ToolCall } from '../run/tool-call.js';
import type { JsonText } from '../shared/brand.js';
import type { ToolDefinition } from '../tools/tool-definition.js';
import type { Journal } from './journal.js';
import type { Intention, LoopPorts, PreparedTool, ToolInvocation } from './ports.js';
import { outcomeEvents, unknownEvents } from './tool-events.js';
import { editedArguments, invocationOf } from './tool-invocation.js';

interface Execution {
  readonly call: ToolCall;
  readonly definition: ToolDefinition;
  readonly bound: BoundArguments;
  readonly invocation: ToolInvocation;
  readonly prepared: PreparedTool;
}

/**
 * Runs a batch of calls: what they need is looked up, facts are checked, the effects intended and committed, then
 * performed, then what came of them recorded (invariant I4). Reads that this process computes need no commit before they run. Calls that are
 * executing already were interrupted: they are resolved instead.
 */
export async function executeToolCalls(
  journal: Journal,
  calls: readonly ToolCall[],
  context: DecideContext,
  ports: LoopPorts,
): Promise<void> {
  const executions = (await Promise.all(calls.map((call) => prepare(journal, call, context, ports)))).flat();
  const inDoubt = executions.filter(({ call }) => call.state.status === 'executing');
  if (inDoubt.length > 0) {
    await performAll(journal, inDoubt, ports);
    return;
  }
  const heldBack = await heldBackByBreakers(executions, context, ports);
  if (heldBack.length > 0) {
    journal.decide(heldBack, context.governance);
    return;
  }
  if (executions.some(({ definition }) => definition.check !== null)) {
    if (!(await journal.flush(context.governance))) return;
    const stopped = await checkFacts(executions, context, ports);
    // An abort cut the checks short: what they did not say must not count as yes.
    if (ports.signal.aborted) return;
    if (stopped.length > 0) {
      journal.decide(tellWhatCloses(journal.run, stopped), context.governance);
      return;
    }
  }
  journal.decide(
    executions.map((execution) => startedEvent(journal, execution)),
    context.governance,
  );
  const computed = compute(journal, executions, ports);
  if (computed !== null) {
    journal.decide(tellWhatCloses(journal.run, computed), context.governance);
    return;
  }
  const intentions = executions.flatMap((execution) => intentionOf(journal, execution));
  const outcome = await journal.commit(context.governance, { intentions });
  if (outcome.type === 'committed') await performAll(journal, executions, ports);
}

async function prepare(
  journal: Journal,
  call: ToolCall,
  { tools }: DecideContext,
  ports: LoopPorts,
): Promise<readonly Execution[]> {
  const definition = tools.get(call.tool);
  const bound = boundIn(call.state);
  if (definition === undefined || bound === null) return [];
  const invocation = invocationOf(journal.run, call, definition, bound);
  return [{ call, definition, bound, invocation, prepared: await ports.tools.prepare(invocation) }];
}

/**
 * The results of calls that reach nothing outside; null where one of them does. They follow from the decision to run
 * the calls, so they are recorded with it and forgotten with it: should the rules have changed, nothing has run.
 */
function compute(
  { run }: Journal,
  executions: readonly Execution[],
  ports: LoopPorts,
): readonly RunEvent[] | null {
  const events: RunEvent[] = [];
  for (const execution of executions) {
    const { call, definition, bound, invocation } = execution;
    const outcome = ports.tools.compute(invocation);
    if (outcome === null) return null;
    const edited = editedArguments(run, call, definition, bound);
    events.push(...outcomeEvents(run, execution, outcome, edited));
  }
  return events;
}

/** A breaker that may be probed lets one call through; only asking it tells which. Its check, too, is asked by that one alone. */
async function heldBackByBreakers(
  executions: readonly Execution[],
  context: DecideContext,
  ports: LoopPorts,
): Promise<readonly RunEvent[]> {
  const answers = await Promise.all(
    executions.map(async ({ call, bound, invocation }): Promise<readonly RunEvent[]> => {
      if ((await ports.breakers.admit(invocation)) === null) return [];
      const approval = call.state.status === 'approved' ? call.state.approval : null;
      return stopCall(call, approval, bound, context, breakerOpen(call.tool));
    }),
  );
  return answers.flat();
}

/** Facts are asked again just before the effect; where they changed, or nobody answers, nothing runs. */
async function checkFacts(
  executions: readonly Execution[],
  context: DecideContext,
  ports: LoopPorts,
): Promise<readonly RunEvent[]> {
  const answers = await Promise.all(
    executions.map(async ({ call, definition, bound, prepared }): Promise<readonly RunEvent[]> => {
      if (definition.check === null) return [];
      const facts = await prepared.check(ports.signal);
      switch (facts.type) {
        case 'ok':
          return [];
        case 'changed':
          return [
            deny(call, context, 'facts_changed', resultText.factsChanged(facts.message), 'policy', bound),
          ];
        case 'unavailable':
          return [
            {
              type: 'tool.failed',
              toolCallId: call.id,
              code: 'check_unavailable',
              message: resultText.checkUnavailable,
              infrastructure: true,
              attempts: 0,
            },
          ];
      }
    }),
  );
  return answers.flat();
}

function startedEvent({ run }: Journal, { call, definition, bound, invocation }: Execution): RunEvent {
  return {
    type: 'tool.started',
    toolCallId: call.id,
    idempotencyKey: invocation.idempotencyKey,
    intentKey: intentOf(run, definition, bound),
    approvalId: call.state.status === 'approved' ? call.state.approval.approvalId : null,
  };
}

/** `calls` stand before `tool.started` here: an edit closes the intent that was proposed, too. */
function intentionOf(
  { run }: Journal,
  { call, definition, bound, invocation }: Execution,
): readonly Intention[] {
  const intentKeys = intentKeysOf(run, call, definition);
  if (intentKeys.length === 0) return [];
  return [
    {
      toolCallId: call.id,
      idempotencyKey: invocation.idempotencyKey,
      intentKeys,
      argumentsDigest: bound.argumentsDigest,
    },
  ];
}

async function performAll(
  journal: Journal,
  executions: readonly Execution[],
  ports: LoopPorts,
): Promise<void> {
  await Promise.all(
    executions.map(async (execution) => {
      const events = await perform(journal, execution, ports);
      journal.observe(tellWhatCloses(journal.run, events));
    }),
  );
}

/** One call from sending to its outcome. No events: the worker was told to stop, and the next one finds it in doubt. */
async function perform(
  journal: Journal,
  execution: Execution,
  ports: LoopPorts,
): Promise<readonly RunEvent[]> {
  const { call, definition, prepared } = execution;
  const edited = editedArguments(journal.run, call, definition, execution.bound);
  const interrupted = call.state.status === 'executing' && definition.effect === 'once';
  const outcome = interrupted
    ? ({
        type: 'unknown',
        detail: 'The worker was lost while the call ran',
        infrastructure: false,
        attempts: 0,
      } as const)
    : await prepared.execute(ports.signal);
  if (outcome.type === 'failed' && outcome.code === 'aborted') return notSent(journal, execution, edited);
  if (outcome.type !== 'unknown') return outcomeEvents(journal.run, execution, outcome, edited);
  if (ports.signal.aborted) return [];
  const reconciled = definition.reconcile === null ? null : await prepared.reconcile(ports.signal);
  if (ports.signal.aborted && reconciled?.type === 'unknown') return [];
  return unknownEvents(journal.run, execution, outcome, reconciled, edited, journal.now());
}

/** Told to stop before it was sent: a repeatable call is found in doubt and redone, a `once` is known not to have happened. */
function notSent(journal: Journal, execution: Execution, edited: JsonText | null): readonly RunEvent[] {
  if (execution.definition.effect !== 'once') return [];
  const unsent = { detail: 'The worker stopped before the call was sent', attempts: 0 };
  return unknownEvents(journal.run, execution, unsent, { type: 'did_not_happen' }, edited, journal.now());
}
