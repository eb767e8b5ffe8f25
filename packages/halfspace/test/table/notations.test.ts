import { describe, expect, it } from 'vitest';
import { fc, forAll } from '../../../../test/support/properties.ts';
import type { Source } from '../../src/data/source.ts';
import { decodeModel as decodePlain, Predictor as PlainPredictor } from '../../src/face/predict.ts';
import { decodeModel as decodeText, Predictor as TextPredictor } from '../../src/face/predict-text.ts';
import { wordReader } from '../../src/features/cell-forms.ts';
import { parseEncoding } from '../../src/features/parse-encoding.ts';
import type { NumberColumn, NumberNotation, TableEncoding } from '../../src/features/table-encoding.ts';
import { decodeModel, encodeModel, Predictor } from '../../src/index.ts';
import { createKernels } from '../../src/kernels/load.ts';
import { csv } from '../../src/table/csv.ts';
import { chooseReading, tallyWords } from '../../src/table/kinds.ts';
import { ndjson } from '../../src/table/ndjson.ts';
import { rows } from '../../src/table/rows.ts';
import { modelOf } from '../sources/runs.ts';

/** A way to write numbers: a notation, and the places of its sign and unit. */
interface Hand {
  readonly notation: NumberNotation;
  readonly blank: string;
  readonly minus: '-' | '−' | '()';
  readonly unitFirst: boolean;
  readonly gap: string;
}

const marks = fc.constantFrom<[decimal: '.' | ',', group: NonNullable<NumberNotation['group']>][]>(
  ['.', ','],
  ['.', ' '],
  ['.', "'"],
  [',', '.'],
  [',', ' '],
  [',', "'"],
);
const hands: fc.Arbitrary<Hand> = fc
  .record({
    marks,
    unit: fc.constantFrom('', '%', '$', '€', 'CHF', 'US$', '°C', 'zł', 'Rs.'),
    blank: fc.constantFrom(' ', '\u00a0', '\u202f', '\u2009'),
    minus: fc.constantFrom<('-' | '−' | '()')[]>('-', '−', '()'),
    unitFirst: fc.boolean(),
    gap: fc.constantFrom('', ' ', '\u00a0'),
  })
  .map(({ marks: [decimal, group], unit, ...rest }) => ({
    notation: { decimal, group, ...(unit === '' ? {} : { unit }) },
    ...rest,
  }));

/** Writes a number of hundredths. */
function written(hundredths: number, { notation, blank, minus, unitFirst, gap }: Hand): string {
  const { decimal, group, unit = '' } = notation;
  const mark = group === ' ' ? blank : group!;
  const digits = String(Math.floor(Math.abs(hundredths) / 100)).replace(/\B(?=(\d{3})+$)/g, mark);
  const size = `${digits}${decimal}${String(Math.abs(hundredths) % 100).padStart(2, '0')}`;
  const text = unit === '' ? size : unitFirst ? `${unit}${gap}${size}` : `${size}${gap}${unit}`;
  if (hundredths >= 0) return text;
  return minus === '()' ? `(${text})` : `${minus}${text}`;
}

function readingOf(words: readonly string[]) {
  return chooseReading(
    tallyWords(
      words,
      words.map(() => 1),
      { name: 'amount' },
    ),
    null,
  );
}

const noted = (factors: Record<string, number | null>) =>
  Object.entries(factors).map(([text, factor]) => ({ text, factor }));

describe('notations of numbers', () => {
  it('are found from the cells of a column, and give the numbers back', () => {
    const amounts = fc.array(fc.integer({ min: -1e9, max: 1e9 }), { minLength: 1, maxLength: 20 });
    forAll(300, hands, amounts, (hand, some) => {
      // A number with groups and a fraction shows the notation.
      const all = [...some, 123_456_789];
      const words = all.map((amount) => written(amount, hand));
      const { kind, form } = readingOf(words);
      expect(kind).toBe('number');
      // Without a unit, numbers such as 1 234.50 are plain but for their groups.
      expect(form).toEqual(hand.notation);
      expect(words.map(wordReader('number', form as NumberNotation))).toEqual(all.map((amount) => amount / 100));
    });
  });

  it('of a column are the same for any order of its cells', () => {
    const cell = fc.constantFrom(
      '1',
      '12',
      '1.5',
      '12,5',
      '1,234',
      '1.234',
      '1 234',
      '5%',
      '$5',
      '5 €',
      'x',
      '(7)',
      '-3',
    );
    forAll(
      fc
        .array(cell, { minLength: 1, maxLength: 12 })
        .chain((words) => fc.tuple(fc.constant(words), fc.shuffledSubarray(words, { minLength: words.length }))),
      ([words, shuffled]) => {
        const sorted = readingOf(words);
        const { form } = readingOf(shuffled);
        // Units in equally many cells: the first one is taken, and the column is a category in any case.
        if (sorted.kind === 'number') expect(form).toEqual(sorted.form);
        else expect(form).toBeUndefined();
      },
    );
  });

  it.each<[cells: string[], form: NumberNotation | undefined, numbers: number[]]>([
    [['12,345', '1,234'], { decimal: '.', group: ',' }, [12345, 1234]],
    [['12,345', '0,5'], { decimal: ',' }, [12.345, 0.5]],
    [['1.234', '2.5'], undefined, [1.234, 2.5]],
    [['1.234', '2,5'], { decimal: ',', group: '.' }, [1234, 2.5]],
    [['1.234.567', '1.234'], { decimal: ',', group: '.' }, [1234567, 1234]],
    [['1 234', '12'], { decimal: '.', group: ' ' }, [1234, 12]],
    [['1,23,456.5', '12'], { decimal: '.', group: ',' }, [123456.5, 12]],
    [['(1,234.50)', '3'], { decimal: '.', group: ',' }, [-1234.5, 3]],
    [['($5)', '$ 7', '$-1', '-$2'], { decimal: '.', unit: '$' }, [-5, 7, -1, -2]],
    [['+3.2 %', '−1.5%', '0'], { decimal: '.', unit: '%' }, [3.2, -1.5, 0]],
    [['1,5e3', '2,5E-1'], { decimal: ',' }, [1500, 0.25]],
    [['−5', '3'], { decimal: '.' }, [-5, 3]],
    [['-0,0', ',5'], { decimal: ',' }, [-0, 0.5]],
    [['CHF 1’234.50', 'CHF 20'], { decimal: '.', group: "'", unit: 'CHF' }, [1234.5, 20]],
    [['2696 CC', '998 cc'], { decimal: '.', unit: 'CC' }, [2696, 998]],
    [['1.1M', '2.3 k'], { decimal: '.', words: noted({ M: 1e6, k: 1e3 }) }, [1_100_000, 2300]],
    [['$5/hr', '~$7.5/hr'], { decimal: '.', unit: '$', words: noted({ '/hr': 1, '~': 1 }) }, [5, 7.5]],
    [
      ['1,5 Mio. €', '300 Tsd. €'],
      { decimal: ',', unit: '€', words: noted({ 'Mio.': 1e6, 'Tsd.': 1e3 }) },
      [1.5e6, 3e5],
    ],
    [['1 KiB', '3 MiB'], { decimal: '.', words: noted({ KiB: 1024, MiB: 1024 ** 2 }) }, [1024, 3 * 1024 ** 2]],
    [['12m', '15m'], { decimal: '.', unit: 'm' }, [12, 15]],
    [['1.2m', '300k'], { decimal: '.', words: noted({ k: 1e3, m: 1e6 }) }, [1_200_000, 300_000]],
  ])('of %j are %j', (cells, form, numbers) => {
    expect(readingOf(cells)).toEqual(form === undefined ? { kind: 'number' } : { kind: 'number', form });
    expect(cells.map(wordReader('number', form))).toEqual(numbers);
  });

  it.each([
    ['units that differ', ['$5', '5 €', '$6', '7 €']],
    ['marks that differ', ['1,234.5', '1.234,5', '2,5', '2.5']],
    ['footnotes', ['(1)', '(2)', '(3)']],
    ['names with a number', ['Type 1', 'Type 2', '1st', 'B52']],
    ['groups of other sizes', ['06 12 34 56', '55 512 3', '12,34,56']],
    ['codes and dates', ['2022-01', '13:44', '1/2', '10.000.5']],
    ['lists', ['1,2,3', '4,5,6']],
    ['marks alone', ['-', '.', ',', '$', '()', '--5', '5-', '$5$', '((5))', '-(5)', '5,']],
  ])('do not take %s for numbers', (_, cells) => {
    expect(['category', 'text']).toContain(readingOf(cells).kind);
  });

  it.each<[notation: NumberNotation, refused: string]>([
    [{ decimal: ',' }, '1.234'],
    [{ decimal: ',' }, '0.5'],
    [{ decimal: '.', group: ' ' }, '1,234'],
    [{ decimal: '.', unit: '$' }, '5 €'],
    [{ decimal: '.', unit: '$' }, `$${'1'.repeat(99)}`],
    [{ decimal: '.', words: noted({ K: 1000 }) }, '5 M'],
    [{ decimal: '.', words: noted({ K: 1000 }) }, '5 K K'],
    [{ decimal: '.', unit: 'kg' }, '5 kg - 7 kg'],
  ])('%j refuses %j', (notation, refused) => {
    expect(wordReader('number', notation)(refused)).toBe(Number.NEGATIVE_INFINITY);
  });

  it('read numbers in another unit as missing', () => {
    const read = wordReader('number', { decimal: '.', unit: 'kmpl', words: noted({ 'km/kg': null }) });
    expect(['18 kmpl', '26.6 km/kg', '17', 'km/kg'].map(read)).toEqual([18, Number.NaN, 17, Number.NEGATIVE_INFINITY]);
  });

  it('without groups read groups that cannot be meant otherwise', () => {
    const comma = wordReader('number', { decimal: ',' });
    expect(['1.234,5', '1 234', '1.234.567'].map(comma)).toEqual([1234.5, 1234, 1234567]);
    expect(['$1,234', '1,234.5', '1 234'].map(wordReader('number', { decimal: '.', unit: '$' }))).toEqual([
      1234, 1234.5, 1234,
    ]);
  });
});

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
