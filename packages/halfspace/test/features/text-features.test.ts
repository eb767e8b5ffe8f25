import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fc, forAll } from '../../../../test/support/properties.ts';
import type { SparseBatch } from '../../src/batch.ts';
import { TableEncoder } from '../../src/features/encode-table.ts';
import type { ColumnOptions } from '../../src/features/feature-options.ts';
import { type FitColumn, TableFitter } from '../../src/features/fit-table.ts';
import type { TableEncoding, TextColumn } from '../../src/features/table-encoding.ts';
import { featureNames } from '../../src/features/table-feature-names.ts';
import { WordsOnly } from '../../src/features/text/words-only.ts';
import { decodeWhole, encodeNumbers } from '../../src/numbers.ts';
import { encodedColumns, encodedObject, fitted, parseTableEncoding, restOfEncoding, words } from '../support/tables.ts';

/** Made by reference/tfidf.py. */
const reference = JSON.parse(readFileSync(join(import.meta.dirname, '../reference/tfidf.json'), 'utf8')) as Record<
  'words' | 'frequent' | 'characters' | 'counts' | 'binary',
  { names: string[]; rows: [string, number][][] }
> & { learned: string[]; judged: string[] };

function columnsOf(options: ColumnOptions = {}): FitColumn[] {
  return [{ name: 'm', kind: 'text', options }];
}

function textColumn(texts: readonly (string | null)[], options: ColumnOptions = {}): TextColumn {
  return fitted(columnsOf(options), [texts]).columns[0] as TextColumn;
}

const word = fc.constantFrom('a', 'b', 'free', 'Free', 'c!', '今天', '', '  ', 'NA', 'don’t', '😀 x');
const texts = fc.array(
  fc.oneof(
    fc.array(word, { maxLength: 6 }).map((all) => all.join(' ')),
    fc.constant(null),
  ),
  {
    minLength: 4,
    maxLength: 60,
  },
);
const forms = fc.record<ColumnOptions>(
  {
    words: fc.constantFrom<[number, number]>([1, 1], [1, 2], [2, 3]),
    characters: fc.constantFrom<[number, number]>([1, 2], [3, 5]),
    weighting: fc.constantFrom('tf-idf', 'counts', 'binary'),
    bits: fc.constantFrom(3, 9),
    lift: fc.constantFrom(0, 1, 4),
    lowercase: fc.boolean(),
  },
  { requiredKeys: [] },
);

describe('a column of text', () => {
  it.each([
    ['words', { words: [1, 2], lift: 0 }],
    ['frequent', { words: [1, 3], least: 2, lift: 0 }],
    ['characters', { words: null, characters: [2, 5] }],
    ['counts', { words: [2, 2], weighting: 'counts', lowercase: false }],
    ['binary', { words: [1, 1], weighting: 'binary' }],
  ] as const)('has the terms and values of scikit-learn: %s', (name, options) => {
    const { names, rows } = reference[name];
    const encoding = fitted(columnsOf(options), [reference.learned]);
    const { terms } = encoding.columns[0] as TextColumn;
    const mark = name === 'characters' ? '\t' : '';
    expect(terms.kind === 'named' && [...terms.names].sort()).toEqual(
      names.map((each) => mark + each.normalize('NFC')).sort(),
    );
    encodedColumns(encoding, columnsOf(), [reference.judged]).forEach((row, i) => {
      const own = new Map(row.map(([j, value]) => [terms.names![j]!, value]));
      expect(own.size).toBe(rows[i]!.length);
      for (const [term, value] of rows[i]!)
        expect(Math.abs(own.get(mark + term.normalize('NFC'))! - value)).toBeLessThanOrEqual(1e-14);
    });
  });

  it('gives a plain object the bits of its row, with rising indices', () => {
    forAll(texts, texts, forms, (seen, fresh, options) => {
      const encoding = fitted(columnsOf(options), [seen]);
      if (encoding.columns.length === 0) return;
      encodedColumns(encoding, columnsOf(), [fresh]).forEach((row, i) => {
        expect(row).toEqual(encodedObject(encoding, columnsOf(), [fresh], i));
        expect(row.every(([index], k) => k === 0 || index > row[k - 1]![0])).toBe(true);
      });
    });
  });

  it('is fitted alike for rows cut into any chunks', () => {
    forAll(texts, forms, fc.integer({ min: 1, max: 7 }), (seen, options, size) => {
      expect(fitted(columnsOf(options), [seen], { size })).toEqual(fitted(columnsOf(options), [seen]));
    });
  });

  it('has rows of length 1 by tf-idf, or rows of zeros', () => {
    forAll(texts, (seen) => {
      const encoding = fitted(columnsOf(), [seen]);
      if (encoding.columns.length === 0) return;
      const indicator = new TableEncoder(encoding).dimension - 1;
      const missing = encoding.columns[0]!.missing.indicator;
      for (const row of encodedColumns(encoding, columnsOf(), [seen])) {
        const own = row.filter(([index]) => !missing || index !== indicator);
        const length = Math.hypot(...own.map(([, value]) => value));
        if (own.length > 0) expect(Math.abs(length - 1)).toBeLessThanOrEqual(1e-14);
      }
    });
  });

  it('weighs words and letters apart: each has the bits that it has alone', () => {
    forAll(texts, texts, forms, (seen, fresh, { bits: _, characters = [1, 3], words = [1, 2], ...options }) => {
      const [both, ofWords, ofLetters] = [{ words, characters }, { words }, { words: null, characters }].map((form) =>
        fitted(columnsOf({ ...options, ...form } as ColumnOptions), [seen]),
      ) as [TableEncoding, TableEncoding, TableEncoding];
      if (ofWords.columns.length === 0 || ofLetters.columns.length === 0) return;
      const named = (encoding: TableEncoding) => {
        const names = featureNames(encoding);
        return encodedColumns(encoding, columnsOf(), [fresh]).map((row) => row.map(([j, value]) => [names[j], value]));
      };
      const [all, some, others] = [both, ofWords, ofLetters].map(named);
      all!.forEach((row, i) => {
        expect(row.filter(([name]) => !others![i]!.some(([other]) => other === name) || name === 'm missing')).toEqual(
          some![i],
        );
        expect(row.filter(([name]) => !some![i]!.some(([other]) => other === name) || name === 'm missing')).toEqual(
          others![i],
        );
      });
    });
  });

  it('is the same after a trial of its letters as without one', () => {
    forAll(texts, texts, forms, (seen, fresh, { characters: _, ...options }) => {
      const plain = fitted(columnsOf(options), [seen]);
      const fitter = new TableFitter(columnsOf(options), { triesLetters: true });
      fitter.observe({ rows: seen.length, columns: [words(seen)] });
      const tried = fitter.encoding(restOfEncoding);
      expect(fitter.onTrial.length === 0 || plain.columns.length > 0).toBe(true);
      if (fitter.onTrial.length === 0) expect(tried).toEqual(plain);
      else {
        const only = new WordsOnly(tried, ['m']);
        expect(only.encoding).toEqual(plain);
        const columns = [words(fresh)];
        const batch = only.batch(new TableEncoder(tried).encodeColumns({ rows: fresh.length, columns }));
        const { indices, values, offsets } = new TableEncoder(plain).encodeColumns({
          rows: fresh.length,
          columns,
        }) as SparseBatch;
        const end = offsets[fresh.length]!;
        expect(batch.offsets).toEqual(offsets.slice(0, fresh.length + 1));
        expect([...batch.indices]).toEqual([...indices.subarray(0, end)]);
        expect([...batch.values]).toEqual([...values.subarray(0, end)]);
      }
    });
  });

  it('has letters on trial where its texts are short, and no options say which', () => {
    const onTrial = (length: number, options: ColumnOptions = {}) => {
      const cells = Array.from({ length: 300 }, (_, i) => `w${i % 7} `.repeat(length / 3));
      const fitter = new TableFitter(columnsOf(options), { triesLetters: true });
      fitter.observe({ rows: cells.length, columns: [words(cells)] });
      fitter.encoding(restOfEncoding);
      return fitter.onTrial;
    };
    expect(onTrial(60)).toEqual(['m']);
    expect(onTrial(600)).toEqual([]);
    for (const options of [{ characters: null }, { characters: [2, 3] as const }, { bits: 8 }])
      expect(onTrial(60, options)).toEqual([]);
  });

  it('counts the rows of each term, without missing texts', () => {
    const column = textColumn(['a a b', 'a', null, 'c', '?'], { words: [1, 1] });
    expect(column).toMatchObject({ documents: 3, missing: { count: 2, indicator: true } });
    expect(column.terms).toEqual({ kind: 'named', names: ['a', 'b', 'c'], frequencies: [2, 1, 1] });
  });

  it('leaves out terms of one row from fifty rows on, and keeps those in most rows', () => {
    const many = Array.from({ length: 50 }, (_, i) => `w${i} pair${i >> 1} ${i % 3 === 0 ? 'third' : ''}`);
    expect(textColumn(many.slice(1), { words: [1, 1] }).terms.names).toContain('w7');
    expect(textColumn(many, { words: [1, 1] }).terms.names).not.toContain('w7');
    expect(textColumn(many, { words: [1, 1] }).terms.names).toContain('pair7');
    expect(textColumn(many, { words: [1, 1], most: 1 }).terms.names).toEqual(['third']);
  });

  it('keeps pairs of words that come together more often than by chance', () => {
    const word = (i: number) => 'abcdefgh'[(i * i + (i >> 2)) % 8]!;
    const cells = Array.from(
      { length: 400 },
      (_, i) => `${word(i)} ${word(3 * i + 1)} ${i % 9 === 0 ? 'new york' : word(7 * i + 2)}`,
    );
    const names = (lift?: number) => textColumn(cells, lift === undefined ? {} : { lift }).terms.names!;
    expect(names().filter((name) => name.includes(' '))).toEqual(['new york']);
    expect(names(0)).toContain('b e');
    // As the definition has it, for every pair.
    const all = textColumn(cells, { lift: 0, least: 1 });
    const frequencies = decodeWhole(all.terms.frequencies!)!;
    const rows = (name: string) => frequencies[all.terms.names!.indexOf(name)]!;
    const tokens = cells.reduce((sum, cell) => sum + cell.split(' ').length, 0);
    const expected = all.terms.names!.filter((name) => {
      const [a, b] = name.split(' ') as [string, string?];
      return b === undefined || (rows(name) * tokens) / (rows(a) * rows(b)) >= 1.5;
    });
    expect(textColumn(cells, { lift: 1.5, least: 1 }).terms.names).toEqual(expected);
    expect(expected.length).toBeGreaterThan(11);
    expect(expected.length).toBeLessThan(all.terms.names!.length);
  });

  it('is left out if nothing in it repeats, or everything does', () => {
    const numbered = Array.from({ length: 60 }, (_, i) => `person w${i}`);
    for (const cells of [numbered, Array(9).fill('always the same')])
      expect(fitted(columnsOf(), [cells]).leftOut).toEqual([{ name: 'm', reason: 'all-different' }]);
    expect(fitted(columnsOf(), [[null, '?']]).leftOut).toEqual([{ name: 'm', reason: 'empty' }]);
  });

  it('hashes terms to 2^bits features, and keeps names on request', () => {
    const cells = ['free entry', 'free call', 'call me'];
    const plain = fitted(columnsOf({ bits: 10 }), [cells]);
    const named = fitted(columnsOf({ bits: 10, names: true }), [cells]);
    expect(new TableEncoder(plain).dimension).toBe(1024);
    expect(encodedColumns(plain, columnsOf(), [cells])).toEqual(encodedColumns(named, columnsOf(), [cells]));
    const names = (encoding: typeof plain) =>
      encodedColumns(encoding, columnsOf(), [cells])[0]!.map(([j]) => featureNames(encoding)[j]!);
    expect(names(named).sort()).toEqual(['m:entry', 'm:free', 'm:free entry']);
    for (const name of names(plain)) expect(name).toMatch(/^m#\d+$/);
    expect(featureNames(fitted(columnsOf({ bits: 1, names: true, words: [1, 1] }), [['x y', 'z', 'x']]))).toContain(
      'm:x or m:z',
    );
  });

  it('scores a word the same by name and hashed, if no two terms share a feature', () => {
    const cells = ['free entry', 'free call', 'call me'];
    const value = (bits?: number) =>
      encodedColumns(fitted(columnsOf(bits === undefined ? { lift: 0 } : { bits }), [cells]), columnsOf(), [cells]).map(
        (row) => row.map(([, each]) => each).sort(),
      );
    expect(value(20)).toEqual(value());
  });

  it('stores document frequencies as numbers up to 256 terms, above as base64', () => {
    for (const [count, form] of [
      [256, Array],
      [257, Object],
    ] as const) {
      const cells = Array.from({ length: count + 1 }, (_, i) => `w${i} w${Math.min(i + 1, count - 1)}`).slice(0, count);
      const { terms } = textColumn(cells, { words: [1, 1], least: 1 });
      expect(terms.names).toHaveLength(count);
      expect(terms.frequencies!.constructor).toBe(form);
      expect(decodeWhole(terms.frequencies!)).toHaveLength(count);
    }
  });
});

describe('a column of text in a model', () => {
  const cells = ['free entry', 'free call', null, 'call me'];
  const named = fitted(columnsOf(), [cells]);
  const hashed = fitted(columnsOf({ bits: 9, names: true }), [cells]);
  const counts = fitted(columnsOf({ weighting: 'counts', lift: 0 }), [cells]);
  const copy = (encoding: typeof named) => JSON.parse(JSON.stringify(encoding));

  it.each([named, hashed, counts])('survives JSON, byte for byte, and encodes alike', (encoding) => {
    const again = parseTableEncoding(copy(encoding));
    expect(JSON.stringify(again)).toBe(JSON.stringify(encoding));
    expect(encodedColumns(again, columnsOf(), [cells])).toEqual(encodedColumns(encoding, columnsOf(), [cells]));
  });

  // biome-ignore lint/suspicious/noExplicitAny: members are set to what they cannot be.
  it.each<[string, typeof named, (column: any) => void]>([
    ['no n-grams', named, (column) => Object.assign(column, { words: null })],
    ['sizes that fall', named, (column) => Object.assign(column, { words: [2, 1] })],
    ['too many words', named, (column) => Object.assign(column, { words: [1, 9] })],
    ['another weighting', named, (column) => Object.assign(column, { weighting: 'bm25' })],
    ['no documents', named, (column) => Object.assign(column, { documents: 0 })],
    ['a term in more rows than there are', named, (column) => column.terms.frequencies.fill(4)],
    ['too few frequencies', named, (column) => column.terms.frequencies.pop()],
    [
      'frequencies that are not asked for',
      counts,
      (column) => Object.assign(column.terms, { frequencies: [1, 1, 1, 1, 1, 1] }),
    ],
    ['no frequencies where they are', named, (column) => Object.assign(column.terms, { frequencies: null })],
    [
      'a list where there should be base64',
      hashed,
      (column) => Object.assign(column.terms, { frequencies: Array(512).fill(1) }),
    ],
    [
      'base64 of fewer numbers',
      hashed,
      (column) => Object.assign(column.terms.frequencies, { uint32: column.terms.frequencies.uint32.slice(4) }),
    ],
    [
      'base64 with a bit too many',
      hashed,
      (column) =>
        Object.assign(column.terms.frequencies, {
          uint32: column.terms.frequencies.uint32.replace(/.=+$/, 'B='),
        }),
    ],
    ['names out of order', named, (column) => column.terms.names.reverse()],
    ['a name twice', hashed, (column) => column.terms.names.push(column.terms.names.at(-1))],
    ['no names', named, (column) => Object.assign(column.terms, { names: [], frequencies: [] })],
    ['too many bits', hashed, (column) => Object.assign(column.terms, { bits: 25 })],
    ['a strange member', named, (column) => Object.assign(column.terms, { bits: 9 })],
    ['an upper case that is neither', named, (column) => Object.assign(column, { lowercase: 1 })],
  ])('is refused with %s', (_, encoding, change) => {
    const changed = copy(encoding);
    change(changed.columns[0]);
    if (JSON.stringify(changed) === JSON.stringify(encoding)) throw new Error('nothing was changed');
    expect(() => parseTableEncoding(changed)).toThrow(expect.objectContaining({ code: 'model-invalid' }));
  });

  it.each([9, 10])('of %d bits has frequencies in one spelling only, whatever their last letters are', (bits) => {
    const encoding = copy(fitted(columnsOf({ bits }), [cells]));
    const { frequencies } = encoding.columns[0].terms;
    const [, body, end] = /^(.*)[^=](=+)$/.exec(frequencies.uint32)!;
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
    let accepted = 0;
    for (const letter of letters) {
      frequencies.uint32 = `${body}${letter}${end}`;
      const numbers = decodeWhole(frequencies)!;
      const documents = 2 ** 32 - 1;
      encoding.columns[0].documents = documents;
      const isWritten = (encodeNumbers(numbers) as { uint32: string }).uint32 === frequencies.uint32;
      if (isWritten) accepted++;
      const parse = () => parseTableEncoding(encoding);
      if (isWritten) expect(parse()).toEqual(encoding);
      else expect(parse).toThrow(expect.objectContaining({ code: 'model-invalid' }));
    }
    expect(accepted).toBe(end!.length === 1 ? 16 : 4);
  });
});
