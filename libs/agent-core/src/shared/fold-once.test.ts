import fc from 'fast-check';
import { foldOnce } from './fold-once.js';

const items = Array.from({ length: 6 }, (_, n) => ({ text: `${n}` }));

function recorder() {
  const looked: string[] = [];
  const texts = foldOnce<{ readonly text: string }, string[]>(
    () => [],
    (state, item, index) => {
      const text = `${index}:${item.text}`;
      looked.push(text);
      // Changed in place, as a hash is.
      state.push(text);
      return state;
    },
  );
  return { looked, texts };
}

describe('what is folded once', () => {
  test('looks at each item of a list that grows one time', () => {
    const { looked, texts } = recorder();
    for (let length = 1; length <= items.length; length += 1) texts(items.slice(0, length));
    expect(looked).toEqual(['0:0', '1:1', '2:2', '3:3', '4:4', '5:5']);
  });

  test('is what a fold from the beginning gives, whatever was asked before', () => {
    const list = fc.array(fc.constantFrom(...items), { maxLength: 5 });
    fc.assert(
      fc.property(fc.array(list, { maxLength: 12 }), (asked) => {
        const { texts } = recorder();
        for (const one of asked) expect(texts(one)).toEqual(recorder().texts(one));
      }),
    );
  });

  test('is not misled by an array that grows in place', () => {
    const { texts } = recorder();
    const growing = items.slice(0, 2);
    texts(growing);
    growing.push(items[2] as { text: string });
    expect(texts(growing)).toEqual(['0:0', '1:1', '2:2']);
  });

  test('begins anew after a step that threw', () => {
    let fails = true;
    const texts = foldOnce<{ readonly text: string }, string[]>(
      () => [],
      (state, item, index) => {
        state.push(item.text);
        if (index === 1 && fails) throw new Error('no');
        return state;
      },
    );
    texts(items.slice(0, 1));
    expect(() => texts(items.slice(0, 2))).toThrow('no');
    fails = false;
    expect(texts(items.slice(0, 2))).toEqual(['0', '1']);
  });
});
