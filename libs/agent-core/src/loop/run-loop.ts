import { lastTurn } from '../run/calls.js';
import { decide } from '../run/decide.js';
import type { Beginning, DecideContext, Definitions, IntentRecord } from '../run/decide-context.js';
import { intentKeysOf } from '../run/judge-intent.js';
import type { Run } from '../run/run.js';
import type { ToolCallStatus } from '../run/tool-call.js';
import type { Instant } from '../shared/brand.js';
import { callModel } from './call-model.js';
import { executeToolCalls } from './execute-tool-calls.js';
import { Journal } from './journal.js';
import type { LoopPorts } from './ports.js';

/** How a worker's work on a run ended: with the run stopped in a state of its own, or with the lease gone. */
export type LoopEnd = { readonly type: 'stopped'; readonly run: Run } | { readonly type: 'lost' };

/**
 * Decide, perform, record; repeat until the run waits, ends or is handed back. `run` must be claimed by this worker.
 * Never throws for what a model or a tool does; what the ledger throws (Postgres away) goes to the caller, and the
 * lease runs out.
 */
export async function runLoop(run: Run, beginning: Beginning, ports: LoopPorts): Promise<LoopEnd> {
  const journal = new Journal(run, ports);
  let models: DecideContext['breakers']['models'] = new Map();
  for (;;) {
    const governance = await ports.governance.current(run.tenant);
    const intents = await lookUpIntents(journal.run, beginning, ports);
    const breakers = { tools: await openTools(journal.run, ports), models };
    const context: DecideContext = { ...beginning, now: journal.now(), governance, intents, breakers };
    const decision = decide(journal.run, context);

    const handBack = reasonToHandBack(decision.type, journal.run, governance.suspended, ports);
    if (handBack !== null) journal.decide([{ type: 'run.handed_back', reason: handBack }], governance);
    else if (decision.type === 'record') journal.decide(decision.events, governance);
    else if (decision.type === 'call_model') models = await callModel(journal, decision, context, ports);
    else if (decision.type === 'execute') await executeToolCalls(journal, decision.calls, context, ports);

    if (journal.run.status.name === 'running') {
      if (journal.lost) return { type: 'lost' };
      continue;
    }
    const outcome = await journal.commit(governance);
    if (outcome.type === 'lost') return { type: 'lost' };
    if (outcome.type === 'committed') return { type: 'stopped', run: journal.run };
  }
}

/**
 * A run is handed back at a step boundary: before a model or a tool is called, never between a call and its record.
 * Effects in doubt are settled first, unless the worker must stop at once.
 */
function reasonToHandBack(next: string, run: Run, suspended: boolean, ports: LoopPorts) {
  if (ports.signal.aborted) return 'shutdown';
  if (next === 'record' || next === 'stop') return null;
  if (next === 'execute' && lastTurn(run)?.calls.some((call) => call.state.status === 'executing'))
    return null;
  return suspended ? 'suspended' : ports.shouldYield();
}

/** Of the tools whose calls in the last turn have not run. */
async function openTools(run: Run, { breakers }: LoopPorts): Promise<ReadonlyMap<string, Instant>> {
  const pending = (lastTurn(run)?.calls ?? []).filter(({ state }) => MAY_RUN.has(state.status));
  const open = new Map<string, Instant>();
  for (const tool of new Set(pending.map((call) => call.tool))) {
    const until = await breakers.openUntil(run.tenant, tool);
    if (until !== null) open.set(tool, until);
  }
  return open;
}

const MAY_RUN: ReadonlySet<ToolCallStatus> = new Set(['requested', 'permitted', 'approved']);

/** Asks the ledger about the intents of calls that may become effects; a run that only reads asks nothing. */
async function lookUpIntents(
  run: Run,
  { tools }: Definitions,
  ports: LoopPorts,
): Promise<ReadonlyMap<string, IntentRecord>> {
  const keys = (lastTurn(run)?.calls ?? []).flatMap((call) => {
    const definition = tools.get(call.tool);
    return definition === undefined ? [] : intentKeysOf(run, call, definition);
  });
  return keys.length === 0 ? new Map() : ports.governance.intents(run.tenant, [...new Set(keys)]);
}
