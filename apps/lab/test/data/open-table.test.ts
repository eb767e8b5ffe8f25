import { describe, expect, it } from 'vitest';
import { fc, forAllAsync } from '../../../../test/support/properties.ts';
import * as columns from '../../src/data/encode-columns.ts';
import * as points from '../../src/data/encode-points.ts';
import { inspectTable } from '../../src/data/inspect.ts';
import { openTable } from '../../src/data/open-table.ts';
import { rawRow } from '../../src/data/raw-row.ts';
import { readDataset } from '../../src/data/read.ts';

it('drawn points have the encoding and the features of a table, bit for bit', async () => {
  const place = fc.oneof(fc.double({ min: -1e6, max: 1e6, noNaN: true }), fc.constantFrom(0, -0, 1));
  const point = fc.record({ x: place, y: place, label: fc.constantFrom(1 as const, -1 as const) });
  await forAllAsync(
    fc.array(point, { maxLength: 40 }),
    fc.constantFrom(1 as const, 2 as const),
    fc.record({ scale: fc.constantFrom('none', 'standard'), holdout: fc.constantFrom(0, 0.3), seed: fc.nat(9) }),
    async (some, dimension, options) => {
      const ends = [
        { x: 7, y: 8, label: 1 as const },
        { x: -7, y: -8, label: -1 as const },
      ];
      const table = await readDataset({ kind: 'points', name: 'points', dimension, points: [...some, ...ends] });
      const read = (by: typeof columns | typeof points) => {
        try {
          const encoding = by.fitEncoding(table, options);
          return { encoding, batches: by.encodeTable(table, encoding) };
        } catch (error) {
          return (error as Error).message.replace(/[^.]*\.$/, '');
        }
      };
      expect(read(points)).toEqual(read(columns));
    },
  );
});

const labelOf = async (text: string) => (await openTable('t.csv', text, null, inspectTable)).label;

describe('a table that is opened', () => {
  it('is to predict the column that is named like a label, wherever it is', async () => {
    expect(await labelOf('class,a,b\nyes,1,2\nno,2,3\n')).toBe('class');
    expect(await labelOf('a,Target,b\n1,yes,2\n2,no,3\n')).toBe('Target');
  });

  it('is else to predict the last column, or the last with two classes where that is a measurement', async () => {
    expect(await labelOf('a,b,kind\n1,2,yes\n2,3,no\n')).toBe('kind');
    const rows = Array.from({ length: 60 }, (_, k) => `${k % 2 ? 'good' : 'bad'},${k * 1.37},${k * 0.7 + 0.01}`);
    expect(await labelOf(`state,length,weight\n${rows.join('\n')}\n`)).toBe('state');
  });

  it('keeps its text as it came, and takes the column that is asked for', async () => {
    const text = 'a,b,kind\n1,2,yes\n2,3,no\n';
    const table = await openTable('t.csv', text, 'a', inspectTable);
    expect(table).toMatchObject({ kind: 'table', name: 't.csv', text, label: 'a', columns: null, scale: 'standard' });
  });

  it('of a file stays a file', async () => {
    const file = new Blob(['a,kind\n1,yes\n2,no\n']);
    const table = await openTable('t.csv', file, null, inspectTable);
    expect([table.text, table.file, table.label]).toEqual(['', file, 'kind']);
  });

  it('says what is wrong in a sentence', async () => {
    await expect(openTable('t.csv', 'a,b\n1,2\n', 'c', inspectTable)).rejects.toThrow(
      't.csv has no column “c”. It has a, b.',
    );
    await expect(openTable('t.csv', 'a\n1\n2\n', null, inspectTable)).rejects.toThrow('There is only one column.');
    await expect(openTable('t.csv', '', null, inspectTable)).rejects.toThrow('There is nothing in it.');
    const read = async (label: string) =>
      readDataset(await openTable('t.csv', `a,kind\n1,yes\n2,${label}\n3,no\n`, 'kind', inspectTable));
    await expect(read('')).rejects.toThrow('Row 2 has nothing in the column to predict, “kind”.');
    await expect(read('NA')).rejects.toThrow('Row 2 has “NA”, which counts as missing, in the column to predict');
  });
});

describe('a row of a table', () => {
  it('has its cells as they came', async () => {
    const text = 'a,b,kind\n1,,yes\n\n"2, or 3",x,no\n';
    expect(await rawRow(text, 't.csv', 1)).toEqual([
      { name: 'a', cell: '2, or 3' },
      { name: 'b', cell: 'x' },
      { name: 'kind', cell: 'no' },
    ]);
    expect((await rawRow(text, 't.csv', 0))![1]!.cell).toBe('');
    expect(await rawRow(text, 't.csv', 2)).toBeNull();
  });
});
