import type { EffectClass, JsonText } from '@countersign/agent-core';
import { toolInvocation } from '../../../../test/support/tool-invocation.js';
import { BUILTIN_HANDLERS, BuiltinExecutor } from './builtin-executor.js';

const never = new AbortController().signal;
const errors: unknown[] = [];
const executor = new BuiltinExecutor(
  {
    ...BUILTIN_HANDLERS,
    fails: () => {
      throw new Error('SELECT * FROM secrets');
    },
  },
  (error) => errors.push(error),
);
const call = (handler: string, effect: EffectClass = 'read', text = '{}') =>
  executor.execute(
    toolInvocation({ executor: { type: 'builtin', handler }, effect }, { arguments: text as JsonText }),
    never,
  );

test('echo gives its arguments back, digit by digit', async () => {
  const text = '{"n":9007199254740993,"price":1.10}';
  expect(await call('echo', 'read', text)).toEqual({ type: 'succeeded', output: text, attempts: 1 });
});

test.each(['constructor', '__proto__', 'toString', 'missing'])(
  '%s names no handler: nothing runs',
  async (name) => {
    expect(await call(name)).toMatchObject({ type: 'failed', code: 'executor_unavailable', attempts: 0 });
  },
);

test.each<[EffectClass, string]>([
  ['read', 'failed'],
  ['idempotent', 'failed'],
  ['once', 'unknown'],
])(
  'an error in a %s handler is %s, goes to the log, and the model reads none of it',
  async (effect, type) => {
    errors.splice(0);
    const outcome = await call('fails', effect);
    expect(outcome.type).toBe(type);
    expect(JSON.stringify(outcome)).not.toContain('SELECT');
    expect(errors).toHaveLength(1);
  },
);
