import { ARun } from '../story/a-run';
import { story } from '../story/story';
import { barsPath, contextPoints } from './context-points';

test('the context is told of each reply; attempts without one sent nothing that stayed', () => {
  const run = new ARun()
    .queued()
    .started()
    .failed()
    .replied(['find'], { sent: 100 })
    .permitted('find')
    .executed('find');
  run.replied([], { sent: 180, cached: 90 });
  expect(contextPoints(story(run.events)).map(({ turn, input, cached }) => [turn, input, cached])).toEqual([
    [1, 100, 0],
    [2, 180, 90],
  ]);
});

test('bars stand side by side, the highest as high as the box', () => {
  const points = [1, 2].map((input) => ({ id: '', turn: 1, input, cached: 0 }));
  expect(barsPath(points, ({ input }) => input, 2)).toBe(
    'M0.00000 1V0.5000H0.46000V1ZM0.50000 1V0.0000H0.96000V1Z',
  );
});
