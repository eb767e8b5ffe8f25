import { describe, expect, it } from 'vitest';
import { fc, forAll, forAllAsync } from '../../../../test/support/properties.ts';
import { toC, toJavaScript, toOnnx, toScikitLearn, toSql } from '../../src/export/index.ts';
import { addParts, partsOf } from '../../src/features/fit-parts.ts';
import { TableFitter } from '../../src/features/fit-table.ts';
import { featureNames } from '../../src/features/names.ts';
import type { NumberColumn, TableEncoding } from '../../src/features/table-encoding.ts';
import { decodeModel, encodeModel, OnlineClassifier, Predictor } from '../../src/index.ts';
import { createKernels } from '../../src/kernels/load.ts';
import { csv } from '../../src/table/csv.ts';
import { rows } from '../../src/table/rows.ts';
import { trainOnce } from '../../src/train/train-once.ts';
import { modelOf } from '../sources/runs.ts';

const words = ['Varies with device', 'N.A.', 'unlimited', 'n/a', ''];
const isMissing = (cell: string) => cell === 'n/a' || cell === '';

/** Cells of a column of numbers with words, each of which recurs. */
const columnOfCells = fc
  .record({
    used: fc.uniqueArray(fc.constantFrom(...words), { minLength: 1 }),
    numbers: fc.array(fc.integer({ min: -4000, max: 4000 }), { minLength: 30, maxLength: 60 }),
    places: fc.array(fc.nat(1000), { minLength: 2 * words.length, maxLength: 2 * words.length }),
    unit: fc.constantFrom('', ' kg'),
  })
  .filter(({ numbers }) => new Set(numbers).size > 25)
  .map(({ used, numbers, places, unit }) => {
    const cells = numbers.map((x) => `${x / 8}${unit}`);
    [...used, ...used].forEach((word, k) => {
      cells.splice(places[k]! % cells.length, 0, word);
    });
    return { cells, levels: used.filter((word) => !isMissing(word)).sort(), unit };
  });

/** Returns all features of the rows of a table. */
async function valuesOf(source: ReturnType<typeof csv> | ReturnType<typeof rows>, encoding: TableEncoding) {
  const opened = await source.open({ kernels: createKernels(), encoding });
  const values: number[][] = [];
  for await (const batch of opened.batches())
    for (let i = 0; i < batch.rows; i++) {
      if (batch.kind === 'dense')
        values.push([...batch.values.subarray(i * batch.dimension, (i + 1) * batch.dimension)]);
      else {
        const row = new Array<number>(batch.dimension).fill(0);
        for (let k = batch.offsets[i]!; k < batch.offsets[i + 1]!; k++) row[batch.indices[k]!] = batch.values[k]!;
        values.push(row);
      }
    }
  return values;
}

const labelOf = (_: unknown, i: number) => (i % 3 === 0 ? 'b' : 'a');
const csvOf = (cells: readonly string[]) => `x,y\n${cells.map((cell, i) => `${cell},${labelOf(cell, i)}\n`).join('')}`;

describe('words that recur among numbers', () => {
  it('have a feature each beside the number, which keeps its mean; missing cells stay missing', async () => {
    await forAllAsync(60, columnOfCells, fc.constantFrom(undefined, 3), async ({ cells, levels, unit }, bins) => {
      const features = bins === undefined ? {} : { features: { columns: { x: { bins } } } };
      const objects = cells.map((x, i) => ({ x, y: labelOf(x, i) }));
      const model = await modelOf(csv(csvOf(cells), features));
      const encoding = model.features as TableEncoding;
      const column = encoding.columns[0] as NumberColumn;
      expect(column.notation?.levels ?? []).toEqual(levels);
      expect(column.missing.count).toBe(cells.filter(isMissing).length);
      const numbers = cells
        .map((cell) => Number(cell.replace(unit || ' ', '')))
        .filter((x, i) => !Number.isNaN(x) && cells[i] !== '');
      expect(column.mean).toBeCloseTo(numbers.reduce((sum, x) => sum + x, 0) / numbers.length, 9);
      const edges = column.edges ?? [];
      const expected = cells.map((cell) => {
        const marks = [
          ...levels.map((word) => (cell === word ? 1 : 0)),
          ...(column.missing.indicator ? [isMissing(cell) ? 1 : 0] : []),
        ];
        const isNumber = !isMissing(cell) && !levels.includes(cell);
        const x = isNumber ? Number(cell.replace(unit, '')) : column.mean;
        if (edges.length === 0) return [(x - column.mean) / column.deviation, ...marks];
        const place = edges.filter((edge) => edge <= x).length;
        return [...Array.from({ length: edges.length + 1 }, (_, k) => (isNumber && k === place ? 1 : 0)), ...marks];
      });
      expect(await valuesOf(csv(csvOf(cells)), encoding)).toEqual(expected);
      expect(await valuesOf(rows(objects, { label: 'y' }), encoding)).toEqual(expected);
      expect((await modelOf(rows(objects, { label: 'y', ...features }))).features).toEqual({
        ...encoding,
        format: 'rows',
        header: null,
      });
      const names = featureNames(encoding);
      expect(names.slice(names.length - expected[0]!.length + edges.length + 1)).toEqual([
        ...levels.map((word) => `x=${word}`),
        ...(column.missing.indicator ? ['x missing'] : []),
      ]);
      const predictor = new Predictor(decodeModel(encodeModel(model)));
      const program = programOf(toJavaScript(model, { form: 'commonjs' }));
      for (const x of cells) expect([program({ x })]).toEqual([...predictor.scores({ x })]);
    });
  });

  it('are in no count of parts of the rows, so that shards fit as one table does', () => {
    forAll(columnOfCells, fc.nat(40), ({ cells, levels }, cut) => {
      const columns = [{ name: 'x', kind: 'number', form: { decimal: '.', unit: 'kg', levels } }] as const;
      const observed = (part: readonly string[]) => {
        const fitter = new TableFitter(columns);
        fitter.observe({ rows: part.length, columns: [{ codes: Uint8Array.from(part, (_, i) => i), words: part }] });
        return fitter;
      };
      const joined = new TableFitter(columns);
      for (const part of [cells.slice(0, cut), cells.slice(cut)])
        addParts(joined, JSON.parse(JSON.stringify(partsOf(observed(part), 1000))));
      const [one, other] = [joined, observed(cells)].map((each) => each.columns[0]!.fitted() as NumberColumn);
      expect(one!.missing.count).toBe(other!.missing.count);
      expect(one!.notation).toEqual(other!.notation);
      expect(one!.mean).toBeCloseTo(other!.mean, 9);
    });
  });

  it('are learned online as in a table, also after a save', () => {
    forAll(columnOfCells, fc.nat(80), fc.boolean(), ({ cells: all, levels }, at, hasOthers) => {
      // A row without any value is refused before the first value.
      const cells = hasOthers ? all : all.slice(all.findIndex((x) => x !== ''));
      let online = new OnlineClassifier({ classes: ['a', 'b'] });
      cells.forEach((x, i) => {
        if (i === at) online = OnlineClassifier.load(online.save());
        online.learn(hasOthers ? { x, z: i } : { x }, labelOf(x, i));
      });
      const model = online.model();
      const [column] = (model.features as TableEncoding).columns as NumberColumn[];
      // The words that the first values show; a later one is refused, as any word.
      expect(levels).toEqual(expect.arrayContaining([...(column!.notation?.levels ?? [])]));
      const predictor = new Predictor(model);
      for (const x of cells) expect([...predictor.scores({ x })]).toEqual([...online.scores({ x })]);
    });
  });

  it('are not exported to programs that take numbers', async () => {
    const cells = Array.from({ length: 40 }, (_, i) => (i % 4 === 0 ? 'free' : `${i / 4}`));
    const model = await modelOf(csv(csvOf(cells)));
    for (const write of [toC, toSql, toOnnx])
      expect(() => write(model)).toThrow(
        'expected numbers; got the word "free" among those of "x": use JavaScript, or train again with missing: ["free"] reads it as missing (--missing free of the command)',
      );
    expect(() => toScikitLearn(model)).toThrow('the number column x');
  });

  it('are columns of their own for a tree, which programs in JavaScript answer alike', async () => {
    const cells = Array.from({ length: 60 }, (_, i) => (i % 4 === 0 ? 'free' : i % 6 === 1 ? 'N.A.' : `${i / 4}`));
    const text = `x,y\n${cells.map((cell, i) => `${cell},${cell === 'free' || i > 40 ? 'a' : 'b'}\n`).join('')}`;
    const kernels = createKernels();
    const { model } = await trainOnce(await csv(text).open({ kernels }), { rule: 'tree', kernels });
    expect(JSON.stringify(model)).toContain('x=free');
    const program = programOf(toJavaScript(model, { form: 'commonjs' }));
    const predictor = new Predictor(model);
    for (const x of [...cells, null]) expect([program({ x })]).toEqual([...predictor.scores({ x })]);
    expect(predictor.predict({ x: 'free' })).toBe('a');
  });

  it('leave the numbers of a column alone that are as large as the doubles that stand for words', async () => {
    const model = await modelOf(csv(csvOf(Array.from({ length: 40 }, (_, i) => (i % 4 === 0 ? 'free' : `${i / 4}`)))));
    const predictor = new Predictor(model);
    const large = -(2 ** 1023) * (1 + 2 ** -20);
    expect(() => predictor.scores({ x: String(large) })).toThrow('expected a finite number');
    for (const x of [large * 1.5, -1e308]) expect(predictor.scores({ x: String(x) })).toEqual(predictor.scores({ x }));
  });
});

function programOf(code: string): (row: object) => number {
  const module = { exports: {} as { score: (row: object) => number } };
  new Function('module', code)(module);
  return module.exports.score;
}
