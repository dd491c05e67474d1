import { wireArguments } from './wire-call.js';

describe('arguments in a history', () => {
  it('stay as they were written where a call could have run with them', () => {
    for (const text of ['{}', ' {"n":9007199254740993, "x":1.0}\n', '{"a":"\\ud83d\\ude00"}'])
      expect(wireArguments(text)).toBe(text);
    expect(wireArguments(' \n')).toBe('{}');
  });

  it.each([
    ['cut', '{"a":'],
    ['no object', '[1]'],
    ['deeper than any arguments may be', `{"a":${'['.repeat(5_000)}${']'.repeat(5_000)}}`],
    ['of two meanings', '{"a":1,"a":2}'],
  ])('go back inside an object where they are %s', (_, text) => {
    expect(JSON.parse(wireArguments(text))).toEqual({ unreadable_arguments: text });
  });
});
