import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RecordParser, type TextRecord } from '../../src/table/record-parser.ts';

/* Blank lines and whole lines have fast paths, which a text in pieces of one character never takes. */
test('records and their lines do not depend on where the text is cut', () => {
  const letters = fc.constantFrom('\n', '\n\n\n', '\r\n', '\r\n\r\n', '\r', 'a', ',', '"', ' ', 'a,b\n');
  const texts = fc.array(letters, { maxLength: 40 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(texts, fc.boolean(), fc.nat(40), (text, single, cut) => {
      const naive = recordsOf([...text], single);
      expect(recordsOf([text], single)).toEqual(naive);
      expect(recordsOf([text.slice(0, cut), text.slice(cut)], single)).toEqual(naive);
    }),
    { numRuns: 2000 },
  );
});

function recordsOf(pieces: readonly string[], single: boolean): TextRecord[] {
  const records: TextRecord[] = [];
  const dialect = { delimiter: ',', quote: '"', escape: '"' } as const;
  const parser = new RecordParser(dialect, (record) => records.push(record), { single, keepsText: true });
  for (const piece of pieces) parser.push(piece);
  parser.end();
  return records;
}
