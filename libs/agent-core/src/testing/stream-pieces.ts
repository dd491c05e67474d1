import fc from 'fast-check';
import type { ModelFailure, Usage } from '../model/model-event.js';

/** The arguments of a call, as JSON text with digits that no double holds. */
export const argumentsText = fc.oneof(
  fc
    .dictionary(fc.string({ maxLength: 4 }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 })
    .map((value) => JSON.stringify(value)),
  fc.constant('{"n":9007199254740993,"x":1.0,"s":"\\ud800"}'),
);

/** A text of any code units, in pieces that may split anything. */
export function piecesOf(text: fc.Arbitrary<string>): fc.Arbitrary<readonly string[]> {
  return fc.tuple(text, fc.array(fc.nat(60), { maxLength: 4 })).map(([whole, cuts]) => {
    const inner = cuts.filter((cut) => cut < whole.length).sort((left, right) => left - right);
    const places = [0, ...inner, whole.length];
    return places.slice(1).map((place, index) => whole.slice(places[index], place));
  });
}

export const anyText = fc.oneof(fc.string({ unit: 'binary', maxLength: 12 }), fc.constant('a\ud800\u0000😀'));

/** Queues side by side: takes one entry after the other in an order that `picks` decides, each queue's own kept. */
export function interleaved<Entry>(
  queues: readonly (readonly Entry[])[],
  picks: readonly number[],
): readonly Entry[] {
  const open = queues.map((queue) => [...queue]);
  const taken: Entry[] = [];
  for (let turn = 0; open.some((queue) => queue.length > 0); turn += 1) {
    const left = open.filter((queue) => queue.length > 0);
    taken.push(...(left[(picks[turn % picks.length] ?? 0) % left.length]?.splice(0, 1) ?? []));
  }
  return taken;
}

export const picks = fc.array(fc.nat(3), { minLength: 1, maxLength: 20 });

/** A failure that says no more than why. */
export function plainFailure(reason: unknown, usage: Usage | null): ModelFailure {
  const message = String(reason);
  return { code: 'unreadable', message, status: null, neverSent: false, retryAfterMs: null, usage };
}

/** The events of a stream as its messages. */
export async function* messagesOf(events: readonly unknown[]): AsyncGenerator<{ readonly data: string }> {
  for (const event of events) yield { data: JSON.stringify(event) };
}

/** Puts strange events between others, at places of their own. */
export function sprinkled<Event>(events: readonly Event[], strange: readonly Event[]): readonly Event[] {
  const found = [...events];
  for (const [index, each] of strange.entries()) found.splice((index * 3) % (found.length + 1), 0, each);
  return found;
}
