import { describe, expect, it, test } from 'vitest';
import { fc, forAll } from '../../../../test/support/properties.ts';
import type { OpenSourceOptions } from '../../src/data/source.ts';
import { numberCell } from '../../src/features/table-cell.ts';
import { createKernels } from '../../src/kernels/load.ts';
import { encodeModel } from '../../src/model/encode.ts';
import { evaluate } from '../../src/model/judge.ts';
import type { Model } from '../../src/model/model.ts';
import { csv } from '../../src/table/csv.ts';
import { cutLines } from '../../src/table/cut-lines.ts';
import { type NdjsonOptions, ndjson } from '../../src/table/ndjson.ts';
import { numberIn, PlainLine } from '../../src/table/plain-line.ts';
import { RecordParser, type TextRecord } from '../../src/table/record-parser.ts';
import { rows } from '../../src/table/rows.ts';
import { characterEncoding, transcoded } from '../../src/table/transcode.ts';
import { modelOf } from '../sources/runs.ts';

const objects = [
  { größe: 1.5, ok: true, when: '2024-01-02', farbe: 'rot, hell', tags: [['a']], y: 'an' },
  { größe: -2, ok: false, when: '2024-02-29', farbe: 'grün', tags: null, y: 'aus' },
  { größe: '7', ok: false, when: null, farbe: 'say "hi"', tags: [], y: 'an' },
  { größe: 0, ok: true, when: '2023-05-05', farbe: 'rot', y: 'aus' },
];
const linesOf = (list: readonly unknown[]) => list.map((each) => `${JSON.stringify(each)}\n`).join('');
const text = linesOf(objects);

const opened = (input: string, options: NdjsonOptions = {}, run: Partial<OpenSourceOptions> = {}) =>
  ndjson(input, options).open({ kernels: createKernels(), ...run });

/** A model without the format of its table and its digest, which is over the format too. */
const plain = (model: Model) => ({ ...model, features: { ...model.features, format: null, header: null } });

describe('objects, one a line', () => {
  it('give the model of the parsed objects, and of the same table as delimited text', async () => {
    const model = await modelOf(ndjson(text, { label: 'y' }));
    expect(model.features).toMatchObject({ format: 'ndjson', leftOut: [{ name: 'tags', reason: 'nested' }] });
    expect(plain(await modelOf(rows(objects, { label: 'y' })))).toEqual(plain(model));
    const cells = objects.map(
      ({ größe, ok, when, farbe, y }) => `${größe};${ok};${when ?? ''};"${farbe.replaceAll('"', '""')}";${y}\n`,
    );
    const table = await modelOf(csv(`größe;ok;when;farbe;y\n${cells.join('')}`, { label: 'y' }));
    expect({ ...plain(table), features: { ...plain(table).features, leftOut: [] } }).toEqual({
      ...plain(model),
      features: { ...plain(model).features, leftOut: [] },
    });
  });

  it('are labelled by a function of the parsed object, in training and in evaluation', async () => {
    const label = ({ größe, tags }: Readonly<Record<string, unknown>>) => Number(größe) > 0 || Array.isArray(tags);
    const model = await modelOf(ndjson(text, { label }));
    expect(model.classes).toEqual(['false', 'true']);
    expect(plain(await modelOf(rows(objects, { label })))).toEqual(plain(model));
    const others = '{"größe":4}\n{"größe":-4}\n';
    expect((await evaluate(model, ndjson(others, { label }))).examples).toBe(2);
    const named = await modelOf(ndjson(text, { label: 'y' }));
    const judgement = await evaluate(named, ndjson(others, { label: ({ größe }) => (größe === 4 ? 'an' : 'aus') }));
    expect(judgement.examples).toBe(2);
  });

  it('hand a function null for NaN and infinities, which are no JSON', async () => {
    const seen: unknown[] = [];
    const source = await opened('{"a":NaN,"b":"NaN \\" -Infinity","c":1}\n{"a":-Infinity,"b":"x","c":2}\n', {
      label: (row) => {
        seen.push(row);
        return row.c as number;
      },
      features: { columns: { a: { kind: 'drop' } } },
    });
    expect(source.classes).toEqual(['1', '2']);
    expect(seen.slice(0, 2)).toEqual([
      { a: null, b: 'NaN " -Infinity', c: 1 },
      { a: null, b: 'x', c: 2 },
    ]);
  });

  it('are refused with the line', async () => {
    await expect(opened(`${text}{"größe":1,\n`)).rejects.toMatchObject({ code: 'row-malformed', where: { line: 5 } });
    await expect(opened(`${text}[1]\n`)).rejects.toThrow('text:5: expected an object per row; got "[1]"');
    await expect(opened(`${text}{"y":1,"y":2}\n`)).rejects.toThrow(
      'expected every key of an object once; got "y" twice',
    );
    await expect(opened('x,y\n')).rejects.toMatchObject({ code: 'source-corrupt' });
    await expect(opened('')).rejects.toMatchObject({ code: 'source-empty' });
    await expect(opened(`${text}{"größe":2}\n`, { label: 'y' })).rejects.toThrow(
      'row 5, column "y": expected a label; got none',
    );
  });

  it('may lack fields that a model knows, which a note says', async () => {
    const { features: encoding } = await modelOf(ndjson(text, { label: 'y' }));
    const source = await opened('{"größe":1,"y":"an"}\n', {}, { encoding });
    for await (const { rows } of source.batches()) expect(rows).toBe(1);
    expect(source.notes).toEqual(['text has no column ok, when, farbe: their values count as missing']);
  });

  it('are the same for the same text', async () => {
    const models = await Promise.all([modelOf(ndjson(text)), modelOf(ndjson(text, { label: 'y' }))]);
    expect(encodeModel(models[0]!)).toBe(encodeModel(models[1]!));
  });
});

/* Blank lines and whole lines have fast paths, which a text in pieces of one character never takes. */
test('records and their lines do not depend on where the text is cut', () => {
  const letters = fc.constantFrom('\n', '\n\n\n', '\r\n', '\r\n\r\n', '\r', 'a', ',', '"', ' ', 'a,b\n');
  const texts = fc.array(letters, { maxLength: 40 }).map((parts) => parts.join(''));
  forAll(2000, texts, fc.boolean(), fc.nat(40), (text, single, cut) => {
    const naive = recordsOf([...text], single);
    expect(recordsOf([text], single)).toEqual(naive);
    expect(recordsOf([text.slice(0, cut), text.slice(cut)], single)).toEqual(naive);
  });
});

test('numbers are read within a line as in a cell of their own', () => {
  const letters = fc.constantFrom(...'00123456789.-+e _,x');
  const parts = fc.array(letters, { maxLength: 18 }).map((each) => each.join(''));
  forAll(5000, parts, parts, parts, (before, cell, after) => {
    const from = before.length;
    expect(numberIn(before + cell + after, from, from + cell.length)).toBe(numberCell(cell));
  });
});

test('lines cut at once are the records of a text letter by letter, with the numbers of their cells', () => {
  const plain = fc.constantFrom('', 'a', '7', '-0', '12.50', '.5', '-', '1e3', '1.2.3', ' 4', '123456789012345678');
  const rarely = <T>(usual: fc.Arbitrary<T>, rare: fc.Arbitrary<T>) =>
    fc.oneof({ arbitrary: usual, weight: 30 }, { arbitrary: rare, weight: 1 });
  const cell = rarely(plain, fc.constantFrom('é', '"q"', 'a"'));
  const cells = rarely(fc.array(cell, { minLength: 2, maxLength: 2 }), fc.array(cell, { minLength: 1, maxLength: 3 }));
  const ends = rarely(fc.constantFrom('\n', '\r\n'), fc.constantFrom('\r', '\n\n'));
  const lines = fc.array(fc.tuple(cells, ends), { maxLength: 5 });
  let cut = 0;
  forAll(3000, lines, (given) => {
    const width = 2;
    const text = given.map(([cells, end]) => cells.join(',') + end).join('');
    const found = cutLines(text, { delimiter: ',', quote: '"', width, numbers: [1] });
    if (found === null) return;
    cut++;
    const naive = recordsOf([...text], false);
    const read = Array.from({ length: found.rows }, (_, row) => {
      const place = { starts: found.starts, first: row * (width + 1), count: width };
      return new PlainLine(text, { ...place, numbers: found.numbers, row }, row + 1, true);
    });
    expect(read.map(({ cells, line, fault, text }) => ({ cells, line, fault, text }))).toEqual(naive);
    for (const line of read) expect(line.number(1)).toBe(numberCell(line.cells[1]!));
  });
  expect(cut).toBeGreaterThan(50);
});

function recordsOf(pieces: readonly string[], single: boolean): TextRecord[] {
  const records: TextRecord[] = [];
  const dialect = { delimiter: ',', quote: '"', escape: '"' } as const;
  const parser = new RecordParser(
    dialect,
    ({ cells, line, fault, text }) => records.push({ cells, line, fault, text }),
    { single, keepsText: true },
  );
  for (const piece of pieces) parser.push(piece);
  parser.end();
  return records;
}

async function* cut(bytes: Uint8Array, length: number): AsyncGenerator<Uint8Array> {
  // Readers of files use the same memory for every piece.
  const piece = new Uint8Array(length);
  for (let at = 0; at < bytes.length; at += length) {
    const part = bytes.subarray(at, at + length);
    piece.set(part);
    yield piece.subarray(0, part.length);
  }
}

async function decoded(bytes: Uint8Array, encoding: string | undefined, length: number): Promise<string> {
  const parts: number[] = [];
  for await (const piece of transcoded(cut(bytes, length), 't', { encoding: characterEncoding(encoding) }))
    parts.push(...piece);
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Uint8Array.from(parts));
}

const utf16 = (text: string) =>
  new Uint8Array(Uint16Array.from({ length: text.length }, (_, i) => text.charCodeAt(i)).buffer);
const words = 'a,größe\n1,😀 x\n';
const little = utf16(words);
const big = utf16(words).map((_, i, all) => all[i ^ 1]!);

describe('text in another encoding', () => {
  test.each([1, 2, 3, 5, 1000])('becomes UTF-8, in pieces of %i bytes', async (length) => {
    const bytes = new TextEncoder().encode(words);
    expect(await decoded(bytes, undefined, length)).toBe(words);
    expect(await decoded(bytes, 'utf8', length)).toBe(words);
    expect(await decoded(little, 'utf-16le', length)).toBe(words);
    expect(await decoded(big, 'utf-16be', length)).toBe(words);
    expect(await decoded(Uint8Array.of(0xff, 0xfe, ...little), undefined, length)).toBe(words);
    expect(await decoded(Uint8Array.of(0xfe, 0xff, ...big), undefined, length)).toBe(words);
    expect(await decoded(Uint8Array.of(0x82, 0xa0), 'shift_jis', length)).toBe('あ');
    expect(await decoded(Uint8Array.of(65), undefined, length)).toBe('A');
    expect(await decoded(new Uint8Array(0), undefined, length)).toBe('');
  });

  test('has every byte of windows-1252, as latin1 and ISO 8859-1 are in the Encoding standard', async () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, i) => i);
    const text = await decoded(bytes, 'latin1', 7);
    expect(text.length).toBe(256);
    expect(text.slice(0, 128)).toBe(String.fromCharCode(...bytes.subarray(0, 128)));
    expect(text.slice(0x80, 0xa1)).toBe('€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ\xa0');
    expect(text.slice(0xa0)).toBe(String.fromCharCode(...bytes.subarray(0xa0)));
    expect(await decoded(bytes, 'iso-8859-1', 99)).toBe(text);
  });

  test('is refused where it is cut, and under a name that nobody knows', async () => {
    await expect(decoded(little.subarray(0, little.length - 1), 'utf-16le', 8)).rejects.toThrow(
      'expected utf-16le text; got other bytes',
    );
    for (const label of ['latin-one', '', 5])
      expect(() => characterEncoding(label)).toThrow('encoding must be the name of a character encoding');
  });
});
