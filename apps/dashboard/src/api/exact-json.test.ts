import { parseExactly, writeExactly } from './exact-json';

test.each(['90071992547409931', '1e400', '0.1000', '1.0', '-0', '12345678901234567890.5', '1E5'])(
  '%s keeps its digits',
  (digits) => {
    expect(writeExactly(parseExactly(`{"amount":${digits}}`))).toBe(`{"amount":${digits}}`);
  },
);

test('numbers that JavaScript writes as they came are numbers', () => {
  expect(parseExactly('{"turns":3,"share":0.25}')).toEqual({ turns: 3, share: 0.25 });
});

test('what is no JSON is an error', () => {
  expect(() => parseExactly('<html>')).toThrow(SyntaxError);
});
