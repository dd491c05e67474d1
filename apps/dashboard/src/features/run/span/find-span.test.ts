import { ARun } from '../story/a-run';
import { story } from '../story/story';
import { findSpan, newSince } from './find-span';

const run = new ARun()
  .queued('Refund order 3')
  .started()
  .failed()
  .replied(['find', 'refund'])
  .permitted('find');
run
  .executed('find')
  .asked('refund')
  .waiting()
  .decided('refund', 'reject')
  .resumed()
  .replied([], { text: 'Sorry.' });
const told = story(run.events);
const models = told.modelCalls.map(({ id }) => id);

test('the first model call, and each attempt at it, was sent the input', () => {
  for (const id of models.slice(0, 2)) {
    expect(newSince(told, id ?? '')).toEqual([
      { key: 'input_0', who: 'user', isTool: false, text: 'Refund order 3' },
    ]);
  }
});

test('a later one is sent the results of the calls before it, failed ones too', () => {
  expect(newSince(told, models[2] ?? '').map(({ who, text }) => [who, text])).toEqual([
    ['find', '{"ok":true}'],
    ['refund', 'too late'],
  ]);
});

test('a span is found by the id of a model call, a call, its approval, or a wait', () => {
  expect(findSpan(told, models[2] ?? '')).toMatchObject({ kind: 'model', model: { turn: 2 } });
  expect(findSpan(told, 'tcl_refund')).toMatchObject({ kind: 'call', call: { tool: 'refund' } });
  expect(findSpan(told, 'apr_refund')).toMatchObject({ kind: 'call', call: { tool: 'refund' } });
  expect(findSpan(told, 'queue_1')).toMatchObject({ kind: 'wait' });
  expect(findSpan(told, 'tcl_of_another_run')).toBeNull();
});
