import type { StreamedEvent } from '../../../api/event-stream';
import { NOTHING_READ, withArrived } from './run-events';

const stored = (seq: number, type: string): StreamedEvent => ({
  id: `${seq}`,
  event: type,
  data: JSON.stringify({ seq, type, at: '2026-10-01T09:00:00.000Z', data: {} }),
});
const delta = (data: object): StreamedEvent => ({ id: null, event: 'delta', data: JSON.stringify(data) });

test('events that come again after a reconnect are not added again', () => {
  const first = withArrived(NOTHING_READ, [stored(1, 'run.queued'), stored(2, 'run.started')]);
  const again = withArrived(first, [stored(2, 'run.started'), stored(3, 'run.finished')]);
  expect(again.events.map(({ seq }) => seq)).toEqual([1, 2, 3]);
});

test('live text grows until its reply is stored', () => {
  const written = withArrived(NOTHING_READ, [
    delta({ turn: 1, text: 'One ' }),
    delta({ turn: 1, text: 'moment' }),
  ]);
  const calling = withArrived(written, [delta({ turn: 1, index: 0, tool: 'refund' })]);
  expect(calling.live).toEqual({ turn: 1, text: 'One moment', tools: ['refund'] });
  expect(withArrived(calling, [stored(1, 'tool.permitted')]).live).not.toBeNull();
  expect(withArrived(calling, [stored(1, 'model.responded')]).live).toBeNull();
});

test('live text of another attempt begins anew', () => {
  const written = withArrived(NOTHING_READ, [
    delta({ turn: 1, text: 'One' }),
    stored(1, 'model.failed'),
    delta({ turn: 1, text: 'Two' }),
  ]);
  expect(written.live?.text).toBe('Two');
});

test('what brings no event leaves the list of events as it is, so that nothing is told anew', () => {
  const first = withArrived(NOTHING_READ, [stored(1, 'run.queued')]);
  expect(withArrived(first, [delta({ turn: 1, text: 'a' })]).events).toBe(first.events);
});
