import { toJson } from '../platform/reply.js';
import { messageView, runView, standsStill, usdView } from './mapper.js';
import type { MessageRow, RunRow } from './run.repository.js';

const at = new Date('2026-01-02T03:04:05.006Z');

const row = {
  tenantId: 'ten_1',
  id: 'run_1',
  agentName: 'agent',
  agentVersion: 2,
  threadId: null,
  operationId: 'op',
  subject: '{"id":"c","n":9007199254740993}',
  status: 'waiting',
  reasonCode: null,
  reasonMessage: null,
  waitingOn: '{"approvals":["apr_1"],"toolResults":[],"outcomes":[],"until":null,"why":null}',
  output: null,
  metadata: null,
  turns: 1,
  modelCalls: 1,
  toolCalls: 1,
  toolsUsed: '["look"]',
  messages: 2,
  inputTokens: 1,
  cachedInputTokens: 0,
  cacheWriteTokens: 0,
  outputTokens: 1,
  reasoningTokens: 0,
  estimated: false,
  costUsd: '0.00000037',
  wasteUsd: '0',
  budgetLimitUsd: null,
  reservedUsd: '1.5',
  seq: 5,
  createdAt: at,
  startedAt: null,
  finishedAt: null,
  deadlineAt: null,
} as RunRow;

describe('a run as it is shown', () => {
  test('keeps the digits of its payloads', () => {
    expect(toJson(runView(row))).toContain('"subject":{"id":"c","n":9007199254740993}');
  });

  test('waits on something only while it waits', () => {
    expect(toJson(runView(row).waitingOn)).toBe(row.waitingOn);
    expect(runView({ ...row, status: 'queued' }).waitingOn).toBeNull();
  });

  test('shows a text with NUL or a lone surrogate as it was', () => {
    const output = JSON.stringify('a\u0000b\ud800');
    expect(runView({ ...row, output }).output).toBe('a\u0000b\ud800');
  });

  test('writes money exactly, with at least six decimals', () => {
    expect(runView(row)).toMatchObject({
      costUsd: '0.00000037',
      wasteUsd: '0.000000',
      budget: { limitUsd: null, reservedUsd: '1.500000' },
    });
    expect(usdView('12345678901234567890.123456789')).toBe('12345678901234567890.123456789');
  });
});

describe('a run stands still', () => {
  const waiting = (fields: object) => ({
    ...row,
    waitingOn: JSON.stringify({
      approvals: [],
      toolResults: [],
      outcomes: [],
      until: null,
      why: null,
      ...fields,
    }),
  });

  test.each(['completed', 'refused', 'incomplete', 'failed', 'cancelled'])('once it is %s', (status) => {
    expect(standsStill({ ...row, status })).toBe(true);
  });

  test('while it waits on people or the app, and not while it waits for time to pass', () => {
    expect(standsStill(waiting({ approvals: ['apr_1'] }))).toBe(true);
    expect(standsStill(waiting({ outcomes: ['tcl_1'] }))).toBe(true);
    expect(standsStill(waiting({ toolResults: [{ toolCallId: 'tcl_1' }] }))).toBe(true);
    expect(standsStill(waiting({ why: 'budget_reserved' }))).toBe(false);
  });

  test.each(['queued', 'running'])('not while it is %s', (status) => {
    expect(standsStill({ ...row, status })).toBe(false);
  });
});

test('a message is shown by what its role has', () => {
  const message = (role: string, content: unknown) =>
    messageView({
      id: 'msg_1',
      turn: 1,
      role,
      content: JSON.stringify(content),
      createdAt: at,
    } as MessageRow);
  const shared = { id: 'msg_1', turn: 1, createdAt: at.toISOString() };
  expect(message('user', 'Hi')).toEqual({ ...shared, role: 'user', content: 'Hi' });
  expect(message('assistant', { text: 'Yes', calls: [] })).toEqual({
    ...shared,
    role: 'assistant',
    content: 'Yes',
    calls: [],
  });
  const result = { toolCallId: 'tcl_1', callId: 'c', tool: 'look', isError: false };
  expect(message('tool', { ...result, text: 'Seen' })).toEqual({
    ...shared,
    role: 'tool',
    content: 'Seen',
    ...result,
  });
});
