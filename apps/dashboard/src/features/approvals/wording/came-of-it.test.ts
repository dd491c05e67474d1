import type { ToolCall } from '@countersign/contracts';
import { cameOfIt, hasEnded, whatWentWrong } from './came-of-it';

const call = (status: ToolCall['status'], message?: string) => ({
  status,
  ...(message === undefined ? {} : { error: { code: 'any', message } }),
});
const SUMMARY = 'Refund $999.00 on order 1001';

test.each([
  ['failed', `${SUMMARY} failed: more than was paid`],
  ['denied', `${SUMMARY} did not run: more than was paid`],
  ['cancelled', `${SUMMARY} did not run: more than was paid`],
  ['unknown', `${SUMMARY}: nobody knows whether it happened: more than was paid`],
  ['succeeded', null],
  ['approved', null],
  ['executing', null],
  ['awaiting_approval', null],
] as const)('whoever signed hears of a call that is %s: %s', (status, words) => {
  expect(whatWentWrong(SUMMARY, call(status, 'more than was paid'))).toBe(words);
});

test.each([
  ['succeeded', /ran, and succeeded\.$/],
  ['failed', /^It failed: no such order$/],
  ['denied', /^It was denied before it ran: no such order$/],
  ['cancelled', /^It never ran: no such order$/],
  ['unknown', /nobody knows whether it happened: no such order$/],
] as const)('an approved card says of a call that is %s what came of it', (status, words) => {
  expect(hasEnded(call(status))).toBe(true);
  expect(cameOfIt(call(status, 'no such order'))).toMatch(words);
});

test('only a call that has still to run is said to be checked once more before it does', () => {
  expect(cameOfIt(call('approved'))).toMatch(/before it runs/);
  expect(hasEnded(call('approved'))).toBe(false);
  expect(cameOfIt(null)).not.toMatch(/before it runs/);
});

test('without a message nothing is made up', () => {
  expect(cameOfIt(call('failed'))).toBe('It failed.');
});
