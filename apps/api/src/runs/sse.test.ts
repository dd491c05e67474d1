import fc from 'fast-check';
import { raw } from '../platform/reply.js';
import { deltaFrame, eventFrame, KEEP_ALIVE } from './sse.js';

/** As a browser reads one frame: fields by name, the lines of `data` joined again. */
function readFrame(frame: string): Record<string, string> {
  expect(frame.endsWith('\n\n')).toBe(true);
  const fields: Record<string, string> = {};
  for (const line of frame.slice(0, -2).split('\n')) {
    const [name = '', ...rest] = line.split(': ');
    const value = rest.join(': ');
    fields[name] = fields[name] === undefined ? value : `${fields[name]}\n${value}`;
  }
  return fields;
}

describe('server-sent events', () => {
  test('a stored event carries its seq as id and its type as event', () => {
    const event = { seq: 7, type: 'run.started', at: new Date(0), data: { worker: 'w' } };
    expect(eventFrame(event)).toBe(
      'id: 7\nevent: run.started\ndata: {"seq":7,"type":"run.started","at":"1970-01-01T00:00:00.000Z","data":{"worker":"w"}}\n\n',
    );
  });

  test('live text carries no id, so that nobody resumes behind it', () => {
    expect(deltaFrame({ turn: 1, text: 'Hi' })).toBe('event: delta\ndata: {"turn":1,"text":"Hi"}\n\n');
  });

  test('a comment is no event', () => {
    expect(KEEP_ALIVE).toMatch(/^:.*\n\n$/);
  });

  test('a payload survives whatever text it holds, line breaks and lone surrogates included', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.constantFrom('\n', '\r', '\r\n', ' '), (text, space) => {
        const data = { output: raw(`{${space}"x":${space}${JSON.stringify(text)}}`) };
        const frame = eventFrame({ seq: 1, type: 'tool.succeeded', data } as never);
        expect(JSON.parse(readFrame(frame).data ?? '')).toEqual({
          seq: 1,
          type: 'tool.succeeded',
          data: { output: { x: text } },
        });
      }),
    );
  });
});
