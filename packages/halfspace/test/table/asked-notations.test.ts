import { describe, expect, it } from 'vitest';
import type { Source } from '../../src/data/source.ts';
import { decodeModel as decodePlain, Predictor as PlainPredictor } from '../../src/face/predict.ts';
import { decodeModel as decodeText, Predictor as TextPredictor } from '../../src/face/predict-text.ts';
import { parseEncoding } from '../../src/features/parse-encoding.ts';
import type { NumberColumn, TableEncoding } from '../../src/features/table-encoding.ts';
import { decodeModel, encodeModel, Predictor } from '../../src/index.ts';
import { createKernels } from '../../src/kernels/load.ts';
import { csv } from '../../src/table/csv.ts';
import { ndjson } from '../../src/table/ndjson.ts';
import { rows } from '../../src/table/rows.ts';
import { modelOf } from '../sources/runs.ts';

const amounts = [1234.5, -20, 0.25, 7_000_000.75, 3, 12.5];
const comma = (x: number) => `${x.toLocaleString('de-DE')} €`;
const text = `price;share;y\n${amounts.map((x, i) => `${comma(x)};${i}.5%;${x > 5 ? 'a' : 'b'}\n`).join('')}`;
const trained = modelOf(csv(text));

const valuesOf = async (source: Source) => {
  const { features: encoding } = await trained;
  const opened = await source.open({ kernels: createKernels(), encoding });
  const values: number[] = [];
  for await (const batch of opened.batches())
    if (batch.kind === 'dense') values.push(...batch.values.subarray(0, batch.rows * batch.dimension));
  return values;
};

describe('a model of numbers that are not written plainly', () => {
  it('reads text, numbers and objects alike', async () => {
    const written = await valuesOf(csv(text));
    expect(written).toHaveLength(12);
    const objects = amounts.map((x, i) => ({ price: x, share: i + 0.5, y: x > 5 ? 'a' : 'b' }));
    const lines = objects.map((object) => `${JSON.stringify(object)}\n`).join('');
    expect(await valuesOf(ndjson(lines))).toEqual(written);
    expect(await valuesOf(ndjson(lines, { label: ({ price }) => (Number(price) > 5 ? 'a' : 'b') }))).toEqual(written);
    expect(await valuesOf(rows(objects))).toEqual(written);
    const strings = objects.map(({ price, share, y }) => ({ price: comma(price), share: `${share} %`, y }));
    expect(await valuesOf(rows(strings))).toEqual(written);
    expect(await valuesOf(ndjson(strings.map((each) => `${JSON.stringify(each)}\n`).join('')))).toEqual(written);
    // A number such as 1.234 keeps its point, but text of it has groups of digits.
    const [number, word] = await Promise.all(
      ['1.234', '"1.234"'].map((price) =>
        valuesOf(ndjson(`{"price":${price},"share":1,"y":"a"}\n{"price":0,"y":"b"}\n`)),
      ),
    );
    expect(number).not.toEqual(word);
    expect(word).toEqual(
      await valuesOf(
        rows([
          { price: 1234, share: 1, y: 'a' },
          { price: 0, y: 'b' },
        ]),
      ),
    );
  });

  it('is asked by all predictors but the smallest, which names the one to import', async () => {
    const model = await trained;
    const file = encodeModel(model);
    const row = { price: '1.234,50 €', share: '51.3%' };
    const answer = new Predictor(model).predict(row);
    expect(new Predictor(model).predict({ price: 1234.5, share: 51.3 })).toEqual(answer);
    expect(new Predictor(decodeModel(file)).predict(row)).toEqual(answer);
    expect(new TextPredictor(decodeText(file)).predict(row)).toEqual(answer);
    const message = 'got one with cells such as $1,234.50 or 1/8/2022: import from "halfspace/predict/text"';
    expect(() => decodePlain(file)).toThrow(message);
    expect(() => new PlainPredictor(model)).toThrow(message);
    expect(() => new Predictor(model).predict({ price: '5 $' })).toThrow(
      expect.objectContaining({ code: 'number-invalid', where: { field: 'price' } }),
    );
  });

  it('gives words that recur among numbers a feature each, wherever they stand in the file, and so do predictors', async () => {
    for (const [first, unit] of [
      [0, ''],
      [30_000, ''],
      [30_000, '€ '],
    ] as const) {
      const lines = Array.from({ length: 31_000 }, (_, i) => {
        const word = i % 9 === 0 && i >= first;
        return `${word ? 'Not yet rated' : `${unit}${i / 4}`},${word || i % 2 === 0 ? 'a' : 'b'}\n`;
      });
      const source = csv(`x,y\n${lines.join('')}`);
      const model = await modelOf(source);
      const [column] = (model.features as TableEncoding).columns as NumberColumn[];
      expect(column).toMatchObject({ kind: 'number', notation: { decimal: '.', levels: ['Not yet rated'] } });
      expect(column!.missing).toMatchObject({ count: 0, indicator: false });
      const predictor = new Predictor(decodeModel(encodeModel(model)));
      expect(predictor.scores({ x: 'Not yet rated' })).not.toEqual(predictor.scores({ x: null }));
      expect(() => predictor.predict({ x: 'Withdrawn' })).toThrow('Withdrawn');
    }
  });

  it.each([
    [{ decimal: ';' }, 'notation.decimal'],
    [{ decimal: '.', group: '.' }, 'notation.group'],
    [{ decimal: '.', unit: '5' }, 'notation.unit'],
    [{ decimal: '.', unit: '' }, 'notation.unit'],
    [{ decimal: '.', more: 1 }, 'more'],
    [{ decimal: '.', words: [] }, 'notation.words'],
    [{ decimal: '.', missing: [] }, 'notation.missing'],
    [{ decimal: '.', missing: ['b', 'a'] }, 'notation.missing'],
    [{ decimal: '.', levels: ['b', 'a'] }, 'notation.levels'],
    [{ decimal: '.', levels: ['a'], missing: ['a'] }, 'notation.levels'],
    [{ decimal: '.', words: [{ text: 'K', factor: 0 }] }, 'notation.words[0].factor'],
    [{ decimal: '.', words: [{ text: 'K 5', factor: 1 }] }, 'notation.words[0].text'],
    [{ decimal: '.', words: ['M', 'K'].map((text) => ({ text, factor: 1000 })) }, 'notation.words'],
  ])('is refused with the notation %j', async (notation, place) => {
    const encoding = JSON.parse(encodeModel(await trained)).features;
    encoding.columns[0].notation = notation;
    expect(() => parseEncoding(encoding)).toThrow(place);
  });
});
