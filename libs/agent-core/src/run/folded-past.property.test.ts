import fc from 'fast-check';
import type { JsonText } from '../shared/brand.js';
import { digestOf } from '../shared/digest.js';
import { rejectedCalls } from './calls.js';
import { closedTool } from './closed-tool.js';
import { conversationOf } from './conversation.js';
import { bindingFault, bindResult } from './result-binding.js';
import type { Run, Turn } from './run.js';
import type { BoundArguments, ToolCall, ToolCallState } from './tool-call.js';

const result = { text: 'ok', isError: false };
const text = '{}' as JsonText;
const bound: BoundArguments = { arguments: text, argumentsDigest: digestOf(text) };

const states = fc.constantFrom<ToolCallState>(
  { status: 'requested' },
  { status: 'permitted', ...bound },
  { status: 'denied', code: 'approval_rejected', result, bound },
  { status: 'denied', code: 'policy_denied', result, bound },
  {
    status: 'executing',
    ...bound,
    approval: null,
    idempotencyKey: 'k',
    intentKey: null,
    startedAt: 0 as never,
  },
  { status: 'failed', code: 'error', result, bound, infrastructure: false },
  { status: 'failed', code: 'error', result, bound, infrastructure: false },
  { status: 'failed', code: 'error', result, bound, infrastructure: false },
  { status: 'failed', code: 'arguments_refused', result, bound, infrastructure: false },
  {
    status: 'succeeded',
    bound,
    output: text,
    result,
    binding: 'right' as never,
    replayOf: null,
    intentKey: null,
  },
  {
    status: 'succeeded',
    bound,
    output: text,
    result,
    binding: 'right' as never,
    replayOf: 'x',
    intentKey: null,
  },
  {
    status: 'unknown',
    ...bound,
    approval: null,
    idempotencyKey: 'k',
    intentKey: null,
    startedAt: 0 as never,
    askUntil: null,
    detail: '',
    result,
  },
);
const made = fc.record({ tool: fc.constantFrom('a', 'b'), state: states });
type Made = { tool: string; state: ToolCallState };

let ids = 0;
function callOf({ tool, state }: Made, run: Run, turn: number, index: number): ToolCall {
  ids += 1;
  const call = {
    id: `tcl_${ids}`,
    turn,
    index,
    tool,
    callId: `c${ids}`,
    providerCallId: null,
    proposed: '{}',
    checks: {} as never,
    held: null,
    tries: 0,
    approvalRequests: 0,
    state,
  } as ToolCall;
  return withState(call, run, state);
}
function withState(call: ToolCall, run: Run, state: ToolCallState): ToolCall {
  if (state.status !== 'succeeded') return { ...call, state };
  const binding = bindResult(run, { ...call, state }, bound, { output: text, text: 'ok' });
  return { ...call, state: { ...state, binding } };
}
function emptyRun(id: string): Run {
  return { id, tenant: 'ten', input: [{ role: 'user', text: 'hi' }], turns: [] } as unknown as Run;
}
const governance = { governance: { withdrawn: new Set<string>() } } as never;

function naiveClosed(run: Run, tool: string): boolean {
  let running = 0;
  for (const { calls } of run.turns)
    for (const call of calls) {
      if (call.tool !== tool || running >= 3) continue;
      const { state } = call;
      if (state.status === 'failed' && state.code !== 'arguments_refused' && state.code !== 'worker_lost')
        running += 1;
      else if (
        state.status === 'executing' ||
        state.status === 'unknown' ||
        (state.status === 'succeeded' && state.replayOf === null)
      )
        running = 0;
    }
  return running >= 3;
}
const all = (run: Run) => run.turns.flatMap(({ calls }) => calls);

function answers(run: Run) {
  return JSON.stringify([
    conversationOf(run, []),
    rejectedCalls(run),
    bindingFault(run),
    ['a', 'b'].map((tool) => closedTool(run, tool, governance)?.code ?? null),
  ]);
}

const move = fc.oneof(
  fc.record({
    type: fc.constant('turn' as const),
    run: fc.nat(1),
    text: fc.constantFrom('', 't'),
    calls: fc.array(made, { maxLength: 3 }),
  }),
  fc.record({ type: fc.constant('settle' as const), run: fc.nat(1), at: fc.nat(), state: states }),
  fc.record({ type: fc.constant('back' as const), run: fc.nat(1), to: fc.nat() }),
  fc.record({ type: fc.constant('tamper' as const), run: fc.nat(1), at: fc.nat() }),
);

test('what is known of a run is what a look at all of it gives', () => {
  fc.assert(
    fc.property(fc.array(move, { maxLength: 25 }), (moves) => {
      const runs = [emptyRun('run_1'), emptyRun('run_2')];
      const past: Run[][] = [[], []];
      for (const one of moves) {
        let run = runs[one.run] as Run;
        past[one.run]?.push(run);
        if (one.type === 'turn') {
          const index = run.turns.length + 1;
          const calls = one.calls.map((each, place) => callOf(each, run, index, place));
          run = {
            ...run,
            turns: [
              ...run.turns,
              { index, text: one.text, refusal: null, finish: 'stop', raw: [], calls } as unknown as Turn,
            ],
          };
        } else if (one.type === 'back') {
          const seen = past[one.run] as Run[];
          run = seen[one.to % seen.length] as Run;
        } else {
          const calls = all(run);
          if (calls.length === 0) continue;
          const chosen = calls[one.at % calls.length] as ToolCall;
          const changed =
            one.type === 'settle'
              ? withState(chosen, run, one.state)
              : chosen.state.status === 'succeeded'
                ? { ...chosen, state: { ...chosen.state, output: '{"x":1}' as JsonText } }
                : chosen;
          run = {
            ...run,
            turns: run.turns.map((turn) =>
              turn.calls.includes(chosen)
                ? { ...turn, calls: turn.calls.map((each) => (each === chosen ? changed : each)) }
                : turn,
            ),
          };
        }
        runs[one.run] = run;
        for (const each of runs) {
          expect(answers(each)).toBe(answers(structuredClone(each)));
          expect(['a', 'b'].map((tool) => closedTool(each, tool, governance) !== null)).toEqual(
            ['a', 'b'].map((tool) => naiveClosed(each, tool)),
          );
          expect(rejectedCalls(each)).toEqual(
            all(each).filter(({ state }) => state.status === 'denied' && state.code === 'approval_rejected'),
          );
        }
      }
    }),
    { numRuns: 600 },
  );
});
