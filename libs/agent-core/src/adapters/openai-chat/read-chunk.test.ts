import { readChunk, readChunks } from './read-chunk.js';

const digits = '{"n":9007199254740993,"x":1.0,"z":1e400}';

/** The arguments of the first call, in a stream or in a whole reply. */
function argumentsOf(chunk: unknown): unknown {
  return JSON.parse(JSON.stringify(chunk)).choices[0].delta.tool_calls[0].function.arguments;
}

describe('a chunk', () => {
  it.each([
    ['an object', digits],
    ['a list', '[1.0]'],
    ['a number', '7'],
  ])('has the arguments of a call as text with every digit where a server sends %s', (_, written) => {
    const text = `{"choices":[{"delta":{"tool_calls":[{"function":{"name":"find","arguments":${written}}}]}}]}`;
    expect(argumentsOf(readChunk(text))).toBe(written);
  });

  it('has them as text in a whole reply, and where they stand as in former versions of the API', () => {
    const message = `{"tool_calls":[{"function":{"arguments":${digits}}}],"function_call":{"arguments":${digits}}}`;
    expect(readChunk(`{"choices":[{"message":${message}}]}`)).toEqual({
      choices: [
        {
          message: {
            tool_calls: [{ function: { arguments: digits } }],
            function_call: { arguments: digits },
          },
        },
      ],
    });
  });

  it('stays as it is where they are a text, or where there are none', () => {
    const chunk = {
      choices: [
        { delta: { tool_calls: [{ function: { arguments: '{"n":1' } }, { function: { name: 'find' } }] } },
      ],
    };
    expect(readChunk(JSON.stringify(chunk))).toEqual(chunk);
    expect(readChunk('null')).toBeNull();
  });

  it('is refused where such a value has a key twice', () => {
    const text = '{"choices":[{"delta":{"tool_calls":[{"function":{"arguments":{"a":1,"a":2}}}]}}]}';
    expect(() => readChunk(text)).toThrow(SyntaxError);
  });

  it('is the last before [DONE]', async () => {
    async function* messages() {
      for (const data of ['{"id":"a"}', '', '[DONE]', '{"id":"b"}']) yield { data };
    }
    const chunks: unknown[] = [];
    const onDone = jest.fn();
    for await (const chunk of readChunks(messages(), onDone)) chunks.push(chunk);
    expect(chunks).toEqual([{ id: 'a' }]);
    expect(onDone).toHaveBeenCalledTimes(1);
  });
});
