import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HalfspaceError, quote } from '../src/errors.ts';
import { treeSvg } from '../src/model/tree/draw-svg.ts';
import { drawTree } from '../src/model/tree/draw-text.ts';
import { growTree } from '../src/model/tree/grow.ts';
import { printable, printableLines } from '../src/printable.ts';
import { rawSigns } from './support/nasty-words.ts';

/** Any UTF-16 units, those that matter often. */
const words = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ...'abc\\ é中👨',
        '\u200d',
        '\u200c',
        '\ufe0f',
        '\u0633',
        ...'\n\r\t\u001b\u007f\u009b\u00ad\u061c\u200b\u200e\u202e\u2066\u2028\u2029\ufeff',
      ),
      fc.nat(0xffff).map((unit) => String.fromCharCode(unit)),
      fc
        .nat(0x10ffff)
        .filter((point) => point < 0xd800 || point > 0xdfff)
        .map((point) => String.fromCodePoint(point)),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''));

describe('a printable word', () => {
  it('has nothing that a terminal obeys or that is invisible', () => {
    fc.assert(
      fc.property(words, (word) => {
        expect(rawSigns(printable(word))).toEqual([]);
        expect(rawSigns(printableLines(word).replace(/[\n\t]/g, ''))).toEqual([]);
        expect(printableLines(word).replaceAll('\n', '\\n').replaceAll('\t', '\\t')).toBe(printable(word));
      }),
      { numRuns: 2000 },
    );
  });

  it('does not change when it is made printable again', () => {
    fc.assert(
      fc.property(words, (word) => {
        expect(printable(printable(word))).toBe(printable(word));
      }),
      { numRuns: 2000 },
    );
  });

  it('can be read back as the inside of a JSON string, once its own backslashes are doubled', () => {
    fc.assert(
      fc.property(words, (word) => {
        const shown = printable(word.replaceAll('\\', '\\\\'));
        expect(JSON.parse(`"${shown.replaceAll('"', '\\"')}"`)).toBe(word);
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    'plain',
    'C:\\data\\a b.csv',
    'naïve',
    '中文',
    'می\u200cخواهم',
    'क्\u200dष',
    '👨\u200d👩\u200d👧',
    '❤\ufe0f\u200d🔥',
    '👩🏽\u200d🚀',
    '\u0600\u0661',
    '\u00a0',
  ])('is the word itself if it is ordinary: %s', (word) => expect(printable(word)).toBe(word));

  it('shows what was there', () => {
    expect(printable('a\u001b[31m\nb\t\u202e\u{e0041}\ud800')).toBe('a\\u001b[31m\\nb\\t\\u202e\\udb40\\udc41\\ud800');
    expect(printable('a\u200db')).toBe('a\\u200db');
  });
});

describe('words of data in messages and drawings', () => {
  it('are printable in every message of an error, quoted or not, and in its place', () => {
    fc.assert(
      fc.property(words, words, (word, other) => {
        const { message } = new HalfspaceError('row-malformed', `expected ${word}; got ${quote(other)}`, {
          source: other,
          field: word,
        });
        expect(rawSigns(message)).toEqual([]);
        expect(rawSigns(quote(word, 9))).toEqual([]);
        expect(rawSigns(quote([word, { [word]: other }], 30))).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it('are printable in both drawings of a tree', () => {
    fc.assert(
      fc.property(words, words, words, words, (column, level, one, other) => {
        const tree = growTree({
          rows: 4,
          columns: [
            { kind: 'category', name: column, levels: [level, `${level}2`] },
            { kind: 'number', name: `${column}3` },
          ],
          values: [Int32Array.of(0, 0, 1, 1), Float64Array.of(1, 2, 1, 2)],
          classes: [one, `${other}4`],
          labels: Int32Array.of(0, 0, 1, 0),
          importance: null,
        });
        for (const line of drawTree(tree, { width: 40 })) expect(rawSigns(line)).toEqual([]);
        const svg = treeSvg(tree);
        expect(rawSigns(svg.replaceAll('\n', ''))).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });
});
