import { execFileSync } from 'node:child_process';
import type { Run } from '@countersign/contracts';
import fc from 'fast-check';
import { parseExactly } from '../../../api/exact-json';
import type { Creation } from '../story/happening';
import { curlOf, startAgain } from './start-again';

const AGENT = {
  limits: { maxTurns: 20, deadlineSeconds: 900, maxTokens: null },
  budget: { perRunUsd: '1.50' },
} as Parameters<typeof startAgain>[2];
const RUN = {
  agent: { name: 'support', version: 4 },
  operationId: 'case 3',
  subject: { id: 'C-1' },
  metadata: null,
} as unknown as Run;
const CREATION: Creation = {
  reason: 'created',
  startedBy: { type: 'key', id: 'key_1' },
  agent: { name: 'support', version: 4 },
  operationId: 'case 3',
  subject: { id: 'C-1' },
  input: [{ role: 'user', content: 'Hello' }],
  limits: { maxTurns: 20, deadlineSeconds: 900, maxTokens: null },
  budgetLimitUsd: '1.500000',
};

test('the same version gets the same input for the same subject, under an operation of its own', () => {
  expect(startAgain(RUN, CREATION, AGENT)).toEqual({
    agent: 'support',
    version: 4,
    input: 'Hello',
    subject: { id: 'C-1' },
  });
});

test('limits and a budget are sent only where they were given', () => {
  const tight = { ...CREATION, limits: { ...CREATION.limits, maxTurns: 3 }, budgetLimitUsd: '0.10' };
  expect(startAgain(RUN, tight, AGENT)).toMatchObject({ limits: { maxTurns: 3 }, budgetUsd: '0.10' });
});

test('where the version of the agent is not known, every bound of the run is sent', () => {
  expect(startAgain(RUN, CREATION, null)).toMatchObject({
    limits: { maxTurns: 20, deadlineSeconds: 900 },
    budgetUsd: '1.500000',
  });
});

test('a conversation of several messages stays one', () => {
  const input = [
    { role: 'user', content: 'Hello' },
    { role: 'assistant', content: 'Yes?' },
    { role: 'user', content: 'A refund.' },
  ] as const;
  expect(startAgain(RUN, { ...CREATION, input }, AGENT).input).toEqual(input);
});

test('a shell hands the body on as it is, whatever it holds', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary' }).filter((text) => !text.includes('\0')),
      (content) => {
        const body = startAgain(RUN, { ...CREATION, input: [{ role: 'user', content }] }, AGENT);
        const command = curlOf('https://desk.test', body).replace(/^curl /, 'printf "%s\\n" ');
        const heard = execFileSync('sh', ['-c', command], { encoding: 'utf8' }).split('\n');
        expect(heard).toContain('https://desk.test/v1/runs');
        expect(parseExactly(heard[heard.indexOf('--data-raw') + 1] ?? '')).toEqual(body);
      },
    ),
    { numRuns: 40 },
  );
});

test('every digit of the subject and the metadata is kept', () => {
  const run = { ...RUN, metadata: parseExactly('{"n":12345678901234567890.10}') } as Run;
  expect(curlOf('https://desk.test', startAgain(run, CREATION, AGENT))).toContain(
    '{"n":12345678901234567890.10}',
  );
});
