import fc from 'fast-check';
import { historyFault } from './check-history.js';
import type { ConversationItem } from './conversation.js';

const user: ConversationItem = { role: 'user', text: 'hello' };
const turn = (...ids: readonly string[]): ConversationItem => ({
  role: 'assistant',
  text: '',
  calls: ids.map((callId) => ({ callId, tool: 'find', arguments: '{}' })),
  raw: [],
});
const result = (callId: string): ConversationItem => ({
  role: 'tool',
  callId,
  tool: 'find',
  text: '',
  isError: false,
});
const words: ConversationItem = { role: 'assistant', text: 'hi', calls: [], raw: [] };

describe('a sound history', () => {
  it.each<[string, readonly ConversationItem[]]>([
    ['words alone', [user]],
    ['calls with their results in order', [user, turn('a', 'b'), result('a'), result('b'), user]],
    ['several turns', [user, turn('a'), result('a'), turn('b'), result('b'), words, user]],
    ['raw items alone', [user, { role: 'assistant', text: '', calls: [], raw: [raw()] }, user]],
    ['a reply that goes on', [user, words, words]],
  ])('is %s', (_, conversation) => {
    expect(historyFault(conversation)).toBeNull();
  });
});

describe('a history that would be refused', () => {
  it.each<[string, readonly ConversationItem[], string]>([
    ['a call without result at the end', [user, turn('a')], 'call a has no result'],
    ['a call without result before words', [user, turn('a'), user], 'call a has no result before'],
    [
      'a call without result before a turn',
      [user, turn('a'), turn('b'), result('b')],
      'call a has no result',
    ],
    ['one result missing of two', [user, turn('a', 'b'), result('a')], 'call b has no result'],
    ['results out of order', [user, turn('a', 'b'), result('b'), result('a')], 'result for b, not a'],
    ['a second result', [user, turn('a'), result('a'), result('a')], 'asks for none'],
    ['a result of nothing', [user, result('a')], 'asks for none'],
    ['one id for two calls of a turn', [user, turn('a', 'a'), result('a'), result('a')], 'names two calls'],
    ['one id in two turns', [user, turn('a'), result('a'), turn('a'), result('a')], 'names two calls'],
    ['a call without id', [user, turn(''), result('')], 'without an id'],
    ['an empty turn', [user, turn(), user], 'empty message of the model'],
    ['an empty message', [{ role: 'user', text: '' }], 'empty message of the user'],
    ['nothing', [], 'nothing was said'],
  ])('has %s', (_, conversation, words_) => {
    expect(historyFault(conversation)).toContain(words_);
  });

  it('is what any sound one becomes that loses, doubles or swaps a result', () => {
    const sound = fc
      .array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 4 })
      .map((sizes) =>
        sizes.map((size, round) => Array.from({ length: size }, (_, index) => `${round}-${index}`)),
      )
      .map((rounds) => [user, ...rounds.flatMap((ids) => [turn(...ids), ...ids.map(result)])]);
    fc.assert(
      fc.property(sound, fc.nat(), fc.constantFrom('lose', 'double', 'swap'), (items, pick, how) => {
        expect(historyFault(items)).toBeNull();
        const places = items.flatMap((item, index) => (item.role === 'tool' ? index : []));
        const at = places[pick % places.length] ?? 0;
        const item = items[at] as ConversationItem;
        const before = items[at - 1] as ConversationItem;
        const spoilt = { lose: [before], double: [before, item, item], swap: [item, before] }[how];
        expect(historyFault(items.toSpliced(at - 1, 2, ...spoilt))).not.toBeNull();
      }),
    );
  });
});

function raw() {
  return { provider: 'anthropic', api: 'messages', json: '{}' as never } as const;
}
