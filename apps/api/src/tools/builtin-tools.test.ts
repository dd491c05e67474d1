import type { JsonText } from '@countersign/agent-core';
import { toolInvocation } from '../../../../test/support/tool-invocation.js';
import { BUILTIN_HANDLERS, BuiltinTools } from './builtin-tools.js';

const errors: unknown[] = [];
const tools = new BuiltinTools(
  {
    ...BUILTIN_HANDLERS,
    fails: () => {
      throw new Error('SELECT * FROM secrets');
    },
  },
  (error) => errors.push(error),
);
const call = (handler: string, text = '{}') =>
  tools.compute(
    toolInvocation(
      { executor: { type: 'builtin', handler }, effect: 'read' },
      { arguments: text as JsonText },
    ),
  );

test('echo gives its arguments back, digit by digit', () => {
  const text = '{"n":9007199254740993,"price":1.10}';
  expect(call('echo', text)).toEqual({ type: 'succeeded', output: text, attempts: 1 });
});

test.each(['constructor', '__proto__', 'toString', 'missing'])(
  '%s names no handler: nothing runs',
  (name) => {
    expect(call(name)).toMatchObject({ type: 'failed', code: 'executor_unavailable', attempts: 0 });
  },
);

test('an error in a handler is a failed call, goes to the log, and the model reads none of it', () => {
  errors.splice(0);
  const outcome = call('fails');
  expect(outcome).toMatchObject({ type: 'failed', infrastructure: true });
  expect(JSON.stringify(outcome)).not.toContain('SELECT');
  expect(errors).toHaveLength(1);
});
