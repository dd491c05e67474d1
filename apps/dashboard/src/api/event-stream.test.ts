import fc from 'fast-check';
import { readEventStream, type StreamedEvent } from './event-stream';

const TEXT =
  ': hello\n\nid: 7\nevent: run\ndata: {"runId":"run_1"}\n\n: still here\n\ndata: one\ndata: two\n\nevent: empty\n\n';

async function readAll(text: string): Promise<StreamedEvent[]> {
  const events: StreamedEvent[] = [];
  for await (const event of readEventStream(new Blob([text]).stream())) {
    events.push(event);
  }
  return events;
}

const EXPECTED: StreamedEvent[] = [
  { id: '7', event: 'run', data: '{"runId":"run_1"}' },
  { id: null, event: 'message', data: 'one\ntwo' },
];

test('events are read, comments and events without data are not', async () => {
  expect(await readAll(TEXT)).toEqual(EXPECTED);
});

test('line ends may be of Windows', async () => {
  expect(await readAll(TEXT.replaceAll('\n', '\r\n'))).toEqual(EXPECTED);
});

test('it does not matter where the network cuts', async () => {
  const bytes = new TextEncoder().encode(TEXT);
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(bytes.length)), async (cuts) => {
      const edges = [0, ...cuts.sort((a, b) => a - b), bytes.length];
      const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({
        start(controller) {
          edges.slice(1).forEach((edge, index) => {
            controller.enqueue(bytes.slice(edges[index], edge));
          });
          controller.close();
        },
      });
      const events: StreamedEvent[] = [];
      for await (const event of readEventStream(stream)) {
        events.push(event);
      }
      expect(events).toEqual(EXPECTED);
    }),
  );
});
