import { toJson } from '../platform/reply.js';
import { eventView } from './event-view.js';

const at = new Date('2026-01-02T03:04:05.006Z');
const shown = (type: string, data: object): unknown =>
  toJson(eventView({ seq: 3, type, at, data: JSON.stringify(data) }).data);

describe('an event as it is shown', () => {
  test('keeps the digits of its payloads', () => {
    const digits = '{"amount":0.10,"id":9007199254740993}';
    expect(shown('tool.permitted', { toolCallId: 'tcl_1', arguments: digits })).toBe(
      `{"toolCallId":"tcl_1","arguments":${digits}}`,
    );
    expect(
      shown('tool.succeeded', { output: digits, bound: { arguments: digits, argumentsDigest: 'd' } }),
    ).toBe(`{"output":${digits},"bound":{"arguments":${digits},"argumentsDigest":"d"}}`);
    expect(shown('run.queued', { subject: digits })).toBe(`{"subject":${digits}}`);
  });

  test('shows what is missing as null', () => {
    expect(shown('run.queued', { subject: null })).toBe('{"subject":null}');
    expect(shown('tool.denied', { bound: null })).toBe('{"bound":null}');
  });

  test('leaves the text of an answer a text', () => {
    expect(shown('run.finished', { output: '{"x":1}' })).toBe('{"output":"{\\"x\\":1}"}');
    expect(shown('model.responded', { calls: [{ arguments: '{"x":1}' }] })).toBe(
      '{"calls":[{"arguments":"{\\"x\\":1}"}]}',
    );
  });

  test('keeps the items that only the provider understands inside', () => {
    expect(shown('model.responded', { text: 'Hi', raw: [{ provider: 'anthropic', json: '{}' }] })).toBe(
      '{"text":"Hi"}',
    );
  });

  test('writes times as RFC 3339', () => {
    expect(shown('run.waiting', { until: at.getTime() })).toBe('{"until":"2026-01-02T03:04:05.006Z"}');
    expect(shown('run.waiting', { until: null })).toBe('{"until":null}');
  });
});
