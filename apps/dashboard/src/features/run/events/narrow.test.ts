import { ARun } from '../story/a-run';
import { narrowed, typesOf } from './narrow';

const { events } = new ARun()
  .queued('Where is my Parcel?')
  .started()
  .replied(['find'])
  .permitted('find')
  .executed('find');
const typed = (type: string | null, text: string | null) =>
  narrowed(events, { type, text }).map((event) => event.type);

test('a text is found wherever it stands in an event, large or small', () => {
  expect(typed(null, 'pARCEL')).toEqual(['run.queued']);
  expect(typed(null, ' tcl_find ')).toEqual([
    'model.responded',
    'tool.permitted',
    'tool.started',
    'tool.succeeded',
  ]);
});

test('type and text narrow together', () => {
  expect(typed('tool.started', 'tcl_find')).toEqual(['tool.started']);
  expect(typed('tool.started', 'parcel')).toEqual([]);
});

test('without a filter the list is the same one', () => {
  expect(narrowed(events, { type: null, text: '' })).toBe(events);
});

test('types are counted, by name', () => {
  expect(typesOf(events)[0]).toEqual(['model.responded', 1]);
  expect(typesOf(events)).toHaveLength(6);
});
