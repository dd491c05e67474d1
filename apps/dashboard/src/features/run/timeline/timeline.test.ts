import { ARun } from '../story/a-run';
import { story } from '../story/story';
import { timeline } from './timeline';

const drawn = (run: ARun) =>
  timeline(story(run.events)).map(
    ({ depth, name, bars }) => `${'  '.repeat(depth)}${name}: ${bars.map(({ kind }) => kind).join(' ')}`,
  );

test('a turn holds its attempts and calls, a call what it waited for', () => {
  const run = new ARun()
    .queued()
    .started()
    .failed()
    .replied(['find', 'refund'])
    .permitted('find')
    .executed('find');
  run
    .asked('refund')
    .waiting()
    .decided('refund', 'approve')
    .resumed()
    .executed('refund')
    .replied([])
    .finished();
  expect(drawn(run)).toEqual([
    'Waits for a worker: queue_wait',
    'Turn 1: ',
    '  gpt: model_call',
    '  gpt: model_call',
    '  find: tool_call',
    '  refund: approval_wait tool_call',
    '    Waits for approval: approval_wait',
    'Waits for a worker: queue_wait',
    'Turn 2: ',
    '  gpt: model_call',
  ]);
});

test('a call that ended without executing is a mark where it ended', () => {
  const run = new ARun().queued().started().replied(['refund']).denied('refund');
  const row = timeline(story(run.events)).find(({ key }) => key === 'tcl_refund');
  expect(row).toMatchObject({ tone: 'red', bars: [{ kind: 'mark' }], to: row?.from });
});

test('what goes on has no end, and neither has its turn', () => {
  const run = new ARun().queued().started().replied(['find']).permitted('find').executing('find');
  const open = timeline(story(run.events)).filter(({ to }) => to === null);
  expect(open.map(({ name }) => name)).toEqual(['Turn 1', 'find']);
});

test('the model that is being asked is a part of its turn, beside the attempts that failed', () => {
  const run = new ARun().queued().started().failed();
  expect(drawn(run)).toEqual([
    'Waits for a worker: queue_wait',
    'Turn 1: ',
    '  gpt: model_call',
    '  Asking the model: model_call',
  ]);
});
