import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Batch } from 'halfspace/rules';
import { describe, expect, it } from 'vitest';
import { encodeRow } from '../../../halfspace/src/features/encode-table.ts';
import type { TableEncoding } from '../../../halfspace/src/features/table-encoding.ts';
import { halfspace, temporaryFolder } from '../run.ts';
import { openTable, type TableOptions, type TableSource } from '../support/open-table.ts';

const folder = temporaryFolder();

function file(name: string, content: string): string {
  writeFileSync(join(folder, name), content);
  return name;
}

function open(name: string, options: Partial<TableOptions> = {}): Promise<TableSource> {
  const format = name.split('.').at(-1) as TableOptions['format'];
  return openTable([{ path: join(folder, name), name }], { format, ...options });
}

/** The features of every row that are not 0. */
async function rowsOf(source: TableSource): Promise<[number[], number[]][]> {
  const rows: [number[], number[]][] = [];
  for await (const batch of source.batches() as AsyncIterable<Extract<Batch, { kind: 'sparse' }>>)
    for (let i = 0; i < batch.rows; i++) {
      const [from, to] = [batch.offsets[i]!, batch.offsets[i + 1]!];
      rows.push([[...batch.indices.subarray(from, to)], [...batch.values.subarray(from, to)]]);
    }
  return rows;
}

function kindsOf({ columns }: TableEncoding): string[] {
  return columns.map(({ name, kind }) => `${name}: ${kind}`);
}

const topics = [
  'the price of tea is rising',
  'a ship sails at noon',
  'our cat sleeps all day',
  'größer als 今天 😀 gedacht',
];
/** Texts of very different length, missing ones among them. */
const messages = Array.from({ length: 6000 }, (_, i) =>
  i % 97 === 5 ? null : `${topics[i % 4]} ${`word${i % 500} `.repeat(i % 1000 === 7 ? 3000 : i % 5)}no ${i}`,
);
const table = messages.map((message, i) => ({ message, n: i % 13, label: i % 4 === 0 ? 'yes' : 'no' }));

describe('a column of text', () => {
  it('gives the features of its raw cells, from the spill as from a second reading', async () => {
    const name = file('messages.ndjson', table.map((row) => JSON.stringify(row)).join('\n'));
    const source = await open(name);
    const encoding = source.encoding();
    expect(kindsOf(encoding)).toEqual(['message: text', 'n: number']);
    const stored = await rowsOf(source);
    const read = await rowsOf(await open(name, { reject: () => {} }));
    expect(read).toEqual(stored);
    expect(stored).toHaveLength(table.length);
    stored.forEach(([indices, values], i) => {
      const row = encodeRow(encoding, table[i]!) as Exclude<ReturnType<typeof encodeRow>, Float64Array>;
      expect([indices, values]).toEqual([[...row.indices], [...row.values]]);
    });
    expect(await rowsOf(source)).toEqual(stored);
    source.close();
  });

  it('is not learned from rows that are held out', async () => {
    const rows = table
      .slice(0, 300)
      .map((row, i) => JSON.stringify({ ...row, message: `common ${i} words of row w${i >> 1}` }));
    const whole = await open(file('held.ndjson', rows.join('\n')));
    const part = await open('held.ndjson', { holdout: { fraction: 0.5, seed: 1 } });
    const documents = ({ columns }: TableEncoding) => columns[0]!.kind === 'text' && columns[0].documents;
    expect(documents(whole.encoding())).toBe(300);
    expect(documents(part.encoding())).toBeLessThan(200);
  });

  it('is known in a table that has types, where digits do not make numbers of text', async () => {
    const sql =
      "SELECT 'message ' || i || ' of shop ' || (i % 9) || ' is here' AS m, CAST(i % 7 AS VARCHAR) AS code, i % 2 = 0 AS label FROM range(500) t(i)";
    const source = await openTable([], { format: 'sql', sql, label: 'label' });
    expect(kindsOf(source.encoding())).toEqual(['m: text', 'code: category']);
    expect(source.notes.join()).not.toContain('read as categories');
  });

  it('comes to light late, when the first rows look like numbers', async () => {
    const rows = Array.from(
      { length: 9000 },
      (_, i) => `${i < 2500 ? i : `this is row ${i} with some words`},${'ab'[i % 2]}`,
    );
    const source = await open(file('late.csv', `m,label\n${rows.join('\n')}\n`));
    expect(kindsOf(source.encoding())).toEqual(['m: text']);
    expect((await rowsOf(source)).length).toBe(9000);
  });
});

describe('what is asked of columns', () => {
  const rows = Array.from({ length: 80 }, (_, i) => `${i % 5},${['red', 'green', 'blue'][i % 3]},${i},${'ab'[i % 2]}`);
  file('t.csv', `code,colour,size,label\n${rows.join('\n')}\n`);
  const train = (...args: string[]) => halfspace(folder, ['train', 't.csv', '--model', 'm.json', ...args]);
  const features = () => JSON.parse(readFileSync(join(folder, 'm.json'), 'utf8')).features;

  it('is done, flags before the file', () => {
    file(
      'f.json',
      JSON.stringify({ columns: { code: { kind: 'number' }, size: { bins: 4 } }, crosses: [['size', 'colour']] }),
    );
    expect(train('--features', 'f.json', '--column', 'code=category').status).toBe(0);
    expect(features()).toMatchObject({
      columns: [
        { name: 'code', kind: 'category', levels: ['0', '1', '2', '3', '4'] },
        { name: 'colour', kind: 'category' },
        { name: 'size', kind: 'number', edges: [20, 40, 60] },
      ],
      crosses: [{ columns: ['size', 'colour'], bits: 4 }],
    });
    const { out } = halfspace(folder, ['inspect', 'm.json']);
    expect(out).toMatch(/size +number +.* in 4 intervals/);
    expect(out).toContain('crossed: size × colour');
    expect(train('--column', 'size=drop', '--column', 'colour=text').status).toBe(0);
    expect(kindsOf(features())).toEqual(['code: number', 'colour: text']);
    expect(features().leftOut).toEqual([{ name: 'size', reason: 'dropped' }]);
    expect(halfspace(folder, ['inspect', 'm.json']).out).toMatch(/colour +text +3 terms of 1 to 2 words, tf-idf\n/);
  });

  it.each<[string[], number, string]>([
    [
      ['--column', 'color=text'],
      2,
      'expected one of the columns code, colour, size; got "color"; did you mean "colour"?',
    ],
    [['--column', 'label=text'], 2, 'for the label column "label"'],
    [['--column', 'colour'], 2, 'expected --column NAME=KIND; got "colour"'],
    [
      ['--column', 'colour=words'],
      2,
      '--column: expected "columns.colour.kind" to be number, category, text, date, boolean, set or drop; got "words"',
    ],
    [['--column', 'colour=number'], 3, 't.csv, row 1, column "colour": expected a number; got "red"'],
    [['--features', 'none.json'], 3, 'none.json: expected options of columns; got no such file'],
    [['--features', 't.csv'], 2, 't.csv: expected options of columns (JSON); got other text'],
    [
      ['--features', 'bad.json'],
      2,
      'bad.json: expected the options columns, crosses in "features"; got "cross"; did you mean "crosses"?',
    ],
  ])('is refused: %j', (args, status, message) => {
    file('bad.json', '{"cross": []}');
    const run = train(...args);
    expect(run.err).toContain(message);
    expect(run.status).toBe(status);
  });

  it('is for tables only', () => {
    file('x.svm', '1 1:1\n-1 1:2\n');
    const run = halfspace(folder, ['train', 'x.svm', '--column', 'a=text']);
    expect([run.status, run.err]).toEqual([2, 'halfspace: --column and --features are for tables; got libsvm text\n']);
  });

  it.each([
    [['--label', 'a'], '--label names a column of a table; got libsvm text, whose lines begin with the label'],
    [['--no-header'], '--no-header is for tables; got libsvm text'],
    [['--bits', '5'], '--bits is for Vowpal Wabbit text, whose features have names; got libsvm'],
  ])('is refused with text that has no use for it: %j', (flags, message) => {
    file('x.svm', '1 1:1\n-1 1:2\n');
    const run = halfspace(folder, ['train', 'x.svm', ...flags]);
    expect([run.status, run.err]).toEqual([2, `halfspace: ${message}\n`]);
  });
});
