import { LARGEST_ARGUMENTS } from '../wire/limits.js';
import type { WireObject } from '../wire/wire-value.js';
import { CallFragments } from './call-fragments.js';

function assemble(fragments: readonly WireObject[]) {
  const calls = new CallFragments();
  for (const fragment of fragments) calls.add(fragment);
  return calls.all().map(({ call }) => [call.providerCallId, call.tool, call.arguments]);
}

const piece = (
  index: number | undefined,
  id: string | undefined,
  name: string | undefined,
  text: string,
) => ({
  ...(index !== undefined && { index }),
  ...(id !== undefined && { id }),
  function: { ...(name !== undefined && { name }), arguments: text },
});

describe('pieces of parallel calls', () => {
  const two = [
    ['a', 'find', '{"q":1}'],
    ['b', 'send', '{"q":2}'],
  ];

  it('are told apart by their index while they alternate', () => {
    const fragments = [
      piece(0, 'a', 'find', ''),
      piece(1, 'b', 'send', ''),
      piece(0, undefined, undefined, '{"q"'),
      piece(1, undefined, undefined, '{"q"'),
      piece(1, undefined, undefined, ':2}'),
      piece(0, undefined, undefined, ':1}'),
    ];
    expect(assemble(fragments)).toEqual(two);
  });

  it('are told apart by their id where the index is always 0', () => {
    const fragments = [
      piece(0, 'a', 'find', '{"q"'),
      piece(0, 'b', 'send', '{"q"'),
      piece(0, 'a', undefined, ':1}'),
      piece(0, 'b', undefined, ':2}'),
    ];
    expect(assemble(fragments)).toEqual(two);
  });

  it('continue the last call where neither index nor id comes with them', () => {
    const fragments = [
      piece(undefined, 'a', 'find', '{"q"'),
      piece(undefined, undefined, undefined, ':1}'),
      piece(undefined, 'b', 'send', '{"q":'),
      piece(undefined, '', '', '2}'),
    ];
    expect(assemble(fragments)).toEqual(two);
  });

  it('are two calls where the provider repeats an id under another index', () => {
    const fragments = [
      piece(0, 'same', 'find', ''),
      piece(1, 'same', 'find', ''),
      piece(0, 'same', undefined, '{"q":1}'),
      piece(1, 'same', undefined, '{"q":2}'),
    ];
    expect(assemble(fragments)).toEqual([
      ['same', 'find', '{"q":1}'],
      ['same', 'find', '{"q":2}'],
    ]);
  });

  it('are two calls where whole calls come under one index and one id', () => {
    const fragments = [piece(0, 'same', 'find', '{"q":1}'), piece(0, 'same', 'find', '{"q":2}')];
    expect(assemble(fragments).map(([, , text]) => text)).toEqual(['{"q":1}', '{"q":2}']);
  });

  it('are one call where id and name come with every piece', () => {
    const fragments = [
      piece(0, 'a', 'find', '{"q"'),
      piece(0, 'a', 'find', ':1'),
      piece(0, 'a', 'find', '}'),
    ];
    expect(assemble(fragments)).toEqual([['a', 'find', '{"q":1}']]);
  });

  it.each([
    ['with id and index', piece(0, 'a', 'find', '')],
    ['with the id alone', piece(undefined, 'a', 'find', '')],
    ['with the index alone', piece(0, undefined, 'find', '')],
    ['with white space', piece(0, 'a', 'find', '\n')],
  ])('are one call where its name comes once more with nothing, %s', (_, repeated) => {
    const calls = assemble([piece(0, 'a', 'find', '{"q":1}'), repeated]);
    expect(calls.map(([id, tool, text]) => [id, tool, text?.trim()])).toEqual([['a', 'find', '{"q":1}']]);
  });

  it('begin with a name where no ids are sent at all', () => {
    const fragments = [
      piece(undefined, '', 'find', '{"q":1}'),
      piece(undefined, '', 'send', ''),
      piece(undefined, '', undefined, '{"q":2}'),
    ];
    expect(assemble(fragments)).toEqual([
      [null, 'find', '{"q":1}'],
      [null, 'send', '{"q":2}'],
    ]);
  });

  it('take an id that comes late', () => {
    expect(assemble([piece(0, undefined, 'find', '{"q":'), piece(0, 'a', undefined, '1}')])).toEqual([
      ['a', 'find', '{"q":1}'],
    ]);
  });

  it('never begin a call without name and id: such a piece continues the last one', () => {
    expect(assemble([piece(undefined, 'a', 'find', ''), piece(0, undefined, undefined, '{"q":1}')])).toEqual([
      ['a', 'find', '{"q":1}'],
    ]);
  });

  it('that say nothing are passed over', () => {
    expect(assemble([{}, { index: 3 }, { function: null }, piece(0, '', '', '')])).toEqual([]);
  });
});

describe('arguments', () => {
  it('are never repaired', () => {
    expect(assemble([piece(0, 'a', 'find', '{"q":1'), piece(0, undefined, undefined, ',,')])).toEqual([
      ['a', 'find', '{"q":1,,'],
    ]);
  });

  it('beyond the cap are reported, counted in bytes', () => {
    const calls = new CallFragments();
    calls.add(piece(0, 'a', 'find', 'é'.repeat(LARGEST_ARGUMENTS / 2)));
    expect(calls.oversized).toBe(false);
    calls.add(piece(0, undefined, undefined, 'x'));
    expect(calls.oversized).toBe(true);
  });
});
