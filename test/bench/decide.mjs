// What deciding costs: `node test/bench/decide.mjs [turns] [runs]` on a build. No database, no model, no tool: only
// `decide` and `evolve`, for a run that reads once a turn. Prints microseconds of processor time a turn, which a busy
// machine does not change, at the beginning and at the end.
import { createRun, DEFAULT_RUN_LIMITS, decide, evolve } from '@countersign/agent-core';

const [turns = 200, runs = 100] = process.argv.slice(2).map(Number);
const AT = 1_000_000;

/** @type {import('@countersign/agent-core').DecideContext} */
const context = {
  agent: {
    name: 'agent',
    version: 1,
    instructions: '',
    models: [{ provider: 'scripted', model: 'script' }],
    tools: ['look'],
    toolChoice: 'auto',
    limits: DEFAULT_RUN_LIMITS,
    perRunUsd: null,
    policy: [],
  },
  tools: new Map([['look', look()]]),
  history: [],
  now: AT,
  governance: {
    revision: 1,
    policy: { version: 0, rules: [], allowlist: null, agentsMayLoosen: false },
    withdrawn: new Set(),
    members: new Map(),
    keys: new Map(),
  },
  intents: new Map(),
  breakers: { tools: new Map(), models: new Map() },
};

const costs = Array.from({ length: runs }, playRun);
for (const [name, from, until] of [
  ['first twenty', 0, 20],
  ['middle twenty', turns / 2 - 10, turns / 2 + 10],
  ['last twenty', turns - 20, turns],
  ['all', 0, turns],
]) {
  const each = costs.flatMap((one) => one.slice(Number(from), Number(until))).sort((a, b) => a - b);
  const mean = each.reduce((sum, cost) => sum + cost, 0) / each.length;
  const at = (/** @type {number} */ part) => micro(each[Math.floor(each.length * part)] ?? 0);
  process.stdout.write(
    `${String(name).padEnd(14)} mean ${micro(mean)}  p50 ${at(0.5)}  p99 ${at(0.99)} us a turn\n`,
  );
}

/** Microseconds of processor time that each turn of one run took, the collection of its garbage included. */
function playRun() {
  let run = start();
  const took = [];
  for (let turn = 1; turn <= turns; turn += 1) {
    const before = process.cpuUsage();
    run = playTurn(run, turn);
    const { user, system } = process.cpuUsage(before);
    took.push(user + system);
  }
  return took;
}

/** One round of the loop: a reply with a call, the call judged, run and recorded. @param {import('@countersign/agent-core').Run} run @param {number} turn */
function playTurn(run, turn) {
  if (decide(run, context).type !== 'call_model') throw new Error('the model was not due');
  let next = add(run, reply(turn));
  const judged = decide(next, context);
  if (judged.type !== 'record') throw new Error('the call was not judged');
  for (const event of judged.events) next = add(next, event);
  const ready = decide(next, context);
  if (ready.type !== 'execute') throw new Error('the call was not run');
  const toolCallId = `tcl_${turn}`;
  next = add(next, {
    type: 'tool.started',
    toolCallId,
    idempotencyKey: `eff_${turn}`,
    intentKey: null,
    approvalId: null,
  });
  const output = /** @type {any} */ (`{"seen":${turn}}`);
  return add(next, {
    type: 'tool.succeeded',
    toolCallId,
    output,
    text: output,
    replayOf: null,
    bound: null,
    binding: /** @type {any} */ ('sha256:0'),
    attempts: 1,
  });
}

/** @param {import('@countersign/agent-core').Run} run @param {import('@countersign/agent-core').RunEvent} event */
function add(run, event) {
  return evolve(run, { seq: run.seq + 1, at: AT, event });
}

function start() {
  const run = createRun(
    { id: 'run_1', tenant: 'ten_1' },
    {
      startedBy: { type: 'key', id: 'key_1' },
      agent: { name: 'agent', version: 1 },
      toolVersions: {},
      operationId: 'run_1',
      thread: null,
      subject: null,
      input: [{ role: 'user', content: 'Go on.' }],
      limits: { ...DEFAULT_RUN_LIMITS, maxTurns: turns + 1, maxToolCalls: turns + 1 },
      budgetLimitUsd: null,
    },
    AT,
  );
  return add(run, { type: 'run.started', worker: 'w', waitedMs: 0 });
}

/** @param {number} turn @returns {import('@countersign/agent-core').RunEvent} */
function reply(turn) {
  return {
    type: 'model.responded',
    turn,
    modelCallId: `mdl_${turn}`,
    choice: 0,
    provider: 'scripted',
    api: 'scripted',
    model: 'script',
    requestDigest: /** @type {any} */ ('sha256:0'),
    revision: { adapter: '1', sdk: 'none' },
    priceVersion: '1',
    usage: {
      inputTokens: 100,
      cachedInputTokens: 0,
      cacheWriteTokens: 0,
      outputTokens: 20,
      reasoningTokens: 0,
    },
    estimated: false,
    costUsd: /** @type {any} */ ('0.000200'),
    wasteUsd: /** @type {any} */ ('0.000000'),
    startedAt: AT,
    responseId: null,
    text: '',
    refusal: null,
    finish: { unified: 'tool_calls', raw: 'tool_calls' },
    raw: [],
    calls: [
      {
        toolCallId: `tcl_${turn}`,
        callId: `call_${turn}`,
        providerCallId: `call_${turn}`,
        tool: 'look',
        arguments: `{"n":${turn}}`,
      },
    ],
  };
}

/** @returns {import('@countersign/agent-core').ToolDefinition} */
function look() {
  return {
    name: 'look',
    version: 1,
    description: 'Looks.',
    parameters: /** @type {any} */ (
      '{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}'
    ),
    effect: 'read',
    executor: { type: 'builtin', handler: 'echo' },
    intent: null,
    intentScope: 'operation',
    inject: {},
    constrain: {},
    editable: null,
    fresh: false,
    timeoutMs: 1_000,
    retries: 0,
    resultMaxBytes: 16_384,
    check: null,
    money: null,
    reconcile: null,
    onUnknown: 'ask',
  };
}

/** @param {number} microseconds */
function micro(microseconds) {
  return microseconds.toFixed(1).padStart(7);
}
