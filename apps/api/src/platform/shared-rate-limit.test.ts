import { RateLimit } from './rate-limit.js';
import type { Grant } from './rate-limit.repository.js';
import { SharedRateLimit } from './shared-rate-limit.js';

const KEY = { tenant: 'ten_a', actorId: 'key_a' };

/** A bucket of so many requests that never fills, and how often it was asked. */
function bucketOf(requests: number) {
  const asked: number[] = [];
  let left = requests;
  const take = async (_requester: typeof KEY, _perSecond: number, wanted: number): Promise<Grant> => {
    asked.push(wanted);
    const granted = Math.min(left, wanted);
    left -= granted;
    return { granted, emptyForMs: granted === 0 ? 1_500 : 0 };
  };
  return { asked, take };
}

function limitOver(take: ReturnType<typeof bucketOf>['take']) {
  let now = 0;
  const limit = new SharedRateLimit({ take, alone: new RateLimit(() => now), clock: () => now });
  const taken = async (count: number, perSecond: number): Promise<number[]> => {
    const seconds: number[] = [];
    for (let each = 0; each < count; each += 1) seconds.push(await limit.take(KEY, perSecond));
    return seconds;
  };
  return { limit, taken, pass: (milliseconds: number) => (now += milliseconds) };
}

describe('the shared rate limit', () => {
  test('asks for a twentieth of a second\u2019s worth at once, and for single requests where that is less', async () => {
    const many = bucketOf(1_000);
    expect(await limitOver(many.take).taken(100, 200)).toEqual(Array(100).fill(0));
    expect(many.asked).toEqual(Array(10).fill(10));
    const few = bucketOf(2);
    expect(await limitOver(few.take).taken(3, 2)).toEqual([0, 0, 2]);
    expect(few.asked).toEqual([1, 1, 1]);
  });

  test('asks once for all that wait, and not again before there is something', async () => {
    const { asked, take } = bucketOf(10);
    const { limit, taken, pass } = limitOver(take);
    const together = await Promise.all(Array.from({ length: 12 }, () => limit.take(KEY, 10)));
    expect(together.filter((seconds) => seconds === 0)).toHaveLength(10);
    expect(asked).toHaveLength(3);
    expect(await taken(5, 10)).toEqual(Array(5).fill(2));
    expect(asked).toHaveLength(3);
    pass(1_500);
    await taken(1, 10);
    expect(asked).toHaveLength(4);
  });

  test('does not use later what it did not use in time', async () => {
    const { asked, take } = bucketOf(1_000);
    const { taken, pass } = limitOver(take);
    await taken(1, 200);
    pass(1_001);
    await taken(1, 200);
    expect(asked).toEqual([10, 10]);
  });

  test('counts in this process while the buckets do not answer, and asks them again after a second', async () => {
    let away = true;
    const bucket = bucketOf(1_000);
    const { taken, pass } = limitOver(async (...given) => {
      if (away) throw new Error('away');
      return bucket.take(...given);
    });
    expect(await taken(3, 2)).toEqual([0, 0, 1]);
    away = false;
    pass(1_001);
    expect(await taken(3, 2)).toEqual([0, 0, 0]);
  });

  test('does not wait for buckets that hang', async () => {
    const { taken } = limitOver(() => new Promise(() => undefined));
    expect(await taken(1, 2)).toEqual([0]);
  });
});
