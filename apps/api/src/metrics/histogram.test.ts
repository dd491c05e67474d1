import { durationsOf, middleOf } from './histogram.js';

const counted = (...places: readonly number[]) => durationsOf(places.map((place) => ({ place, count: 1 })));

describe('percentiles', () => {
  test('are by nearest rank, whatever order the places come in', () => {
    const hundred = Array.from({ length: 50 }, (_, index) => [index + 1, 50 - index]).flat();
    expect(counted(...hundred)).toEqual({ count: 100, p50Ms: 25, p95Ms: 48, p99Ms: 50 });
    expect(
      durationsOf([
        { place: 60, count: 5 },
        { place: 3, count: 95 },
      ]),
    ).toMatchObject({ p50Ms: 3, p95Ms: 3, p99Ms: 60 });
  });

  test('of one are that one, and of none are none', () => {
    expect(counted(7)).toEqual({ count: 1, p50Ms: 7, p95Ms: 7, p99Ms: 7 });
    expect(counted()).toEqual({ count: 0, p50Ms: null, p95Ms: null, p99Ms: null });
  });

  test('a place above 64 ms stands for its middle', () => {
    expect([63, 64, 65, 95, 96].map(middleOf)).toEqual([63, 65, 67, 127, 130]);
  });
});
