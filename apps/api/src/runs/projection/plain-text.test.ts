import fc from 'fast-check';
import { jsonColumn, plainText } from './plain-text.js';

const anyText = fc.string({
  unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
});

it('plain text is always storable, and unchanged where it was', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const plain = plainText(text);
      expect(plain).not.toContain('\u0000');
      expect(Buffer.from(plain, 'utf8').toString('utf8')).toBe(plain);
      expect(plain).toHaveLength(text.length);
      expect(plainText(plain)).toBe(plain);
    }),
  );
});

it('JSON text for a column survives UTF-8 and means the same', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const json = jsonColumn(
        `{"a":"${JSON.stringify(text)
          .slice(1, -1)
          .replace(/\\u(d[89a-f]..)/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))}"}`,
      );
      expect(Buffer.from(json, 'utf8').toString('utf8')).toBe(json);
      expect(JSON.parse(json)).toEqual({ a: text });
    }),
  );
});
