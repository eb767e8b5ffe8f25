import { describe, expect, it, test } from 'vitest';
import { fc, forAll } from '../../../../test/support/properties.ts';
import { encodeRow } from '../../src/features/encode-table.ts';
import { membersOf } from '../../src/features/set/members.ts';
import type { SetColumn, TableEncoding } from '../../src/features/table-encoding.ts';
import {
  csv,
  decodeModel,
  encodeModel,
  type LinearModel,
  ndjson,
  OnlineClassifier,
  Predictor,
  rows,
  train,
} from '../../src/index.ts';

const marks = [';', '|', ',', ' / ', ' ', '::', '\n', '、'];
const names = ['Python', 'C++', 'C#', 'HTML/CSS', 'Bash/Shell', "O'Neill", 'São Paulo', 'R', '東京', 'a.b-c'];
const listOf = (some: readonly string[]) => fc.subarray([...some]);
/** Writes lists as people and programs do. */
const writers: Readonly<Record<string, (list: readonly string[]) => string>> = {
  JSON: (list) => JSON.stringify(list),
  'JSON over lines': (list) => JSON.stringify(list, null, 1),
  'JSON of ASCII': (list) =>
    JSON.stringify(list).replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  Python: (list) => `[${list.map((each) => (each.includes("'") ? `"${each}"` : `'${each}'`)).join(', ')}]`,
  NumPy: (list) => `[${list.map((each) => (each.includes("'") ? `"${each}"` : `'${each}'`)).join(' ')}]`,
  'Python sets': (list) => `{${list.map((each) => (each.includes("'") ? `"${each}"` : `'${each}'`)).join(', ')}}`,
  PostgreSQL: (list) => `{${list.map((each) => (/[ ']/.test(each) ? `"${each}"` : each)).join(',')}}`,
};

describe('the values in a cell', () => {
  it('are those that were joined by a mark, in any order, with blanks, empty ones and repeats', () => {
    forAll(400, fc.constantFrom(...marks), listOf(names), fc.boolean(), (mark, list, isLoose) => {
      const own = mark === ' ' ? list.filter((each) => !each.includes(' ')) : list;
      const cell = isLoose ? `${mark}${[...own, ...own].join(`${mark} `)}${mark}` : own.join(mark);
      expect([...membersOf(cell, mark)].sort()).toEqual([...own].sort());
    });
  });

  for (const [language, write] of Object.entries(writers))
    it(`are those of a list of ${language}, with any mark`, () => {
      forAll(200, listOf(names), fc.constantFrom(undefined, ...marks), (list, mark) => {
        expect([...membersOf(write(list), mark)]).toEqual(list);
      });
    });

  it('are one where brackets hold no list', () => {
    for (const text of ['{"a":1}', '[[1,2],[3]]', '[a', 'a]', '{a:b}', '["a" "b', '[a](b)'])
      expect([...membersOf(text, undefined)]).toEqual([text]);
  });

  it('are found in time that grows with the length, whatever the text', () => {
    for (const part of [' ', 'a ', "'", '"', '\\', "a'", ',', '[', "' ", 'a  ('])
      for (const [open, close] of ['[]', '{}']) membersOf(`${open}${part.repeat(50_000)}(${close}`, ';');
  });
});

interface Person {
  readonly langs: readonly string[] | null;
  readonly age: number;
  readonly y: string;
}
const people: readonly Person[] = Array.from({ length: 240 }, (_, i) => {
  const all = names.filter((_, n) => ((i * 2654435761 + n * 40503 * (i + 7)) >>> 9) % 3 === 0);
  const langs = i % 17 === 3 ? null : [...all, ...(i === 5 || i === 9 ? ['Ada', `rare${i}`] : [])];
  return { langs, age: 20 + (i % 40), y: langs?.includes('C++') === true && !langs.includes('R') ? 'yes' : 'no' };
});
const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`;
const cellOf = (list: readonly string[] | null, write: (list: readonly string[]) => string) =>
  list === null ? '' : list.length === 0 ? '[]' : write(list);
const table = (write: (list: readonly string[]) => string) =>
  `langs,age,y\n${people.map(({ langs, age, y }) => `${quoted(cellOf(langs, write))},${age},${y}\n`).join('')}`;
const joined = table((list) => list.join(';'));
const features = { columns: { langs: { kind: 'set', separator: ';' } } } as const;
const options = { label: 'y', features } as const;
const columnOf = ({ features: encoding }: { features: unknown }) => (encoding as TableEncoding).columns[0] as SetColumn;

test('text, lists of JSON and lists of objects give the same weights and answers, also after a file', async () => {
  const lines = people.map((person) => `${JSON.stringify(person)}\n`).join('');
  for (const rule of ['perceptron', 'tree'] as const) {
    const models = [
      (await train(csv(joined, options), { rule })).model,
      (await train(csv(table(JSON.stringify), options), { rule })).model,
      (await train(ndjson(lines, options), { rule })).model,
      (await train(rows([...people], options), { rule })).model,
      (
        await train(
          rows(
            (function* () {
              yield* people;
            })(),
            options,
          ),
          { rule },
        )
      ).model,
    ];
    const file = new Predictor(decodeModel(encodeModel(models[0]!)));
    for (const model of models) {
      expect(columnOf(model)).toEqual(columnOf(models[0]!));
      if (rule === 'perceptron') expect((model as LinearModel).weights).toEqual((models[0] as LinearModel).weights);
      const predictor = new Predictor(model);
      for (const { langs, age } of people) {
        const answer = file.predict({ langs: langs as never, age });
        expect(predictor.predict({ langs: cellOf(langs, (list) => list.join(';')), age })).toBe(answer);
        expect(predictor.predict({ langs: cellOf(langs, writers.Python!), age })).toBe(answer);
      }
    }
  }
});

test('rare and unknown values share a feature, a missing cell has its own, and an empty list has none', async () => {
  const { model } = await train(csv(joined, options), { rule: 'perceptron' });
  const column = columnOf(model);
  expect(column).toMatchObject({ kind: 'set', separator: ';', missing: { indicator: true } });
  expect(column.levels).toEqual([...names, 'Ada'].sort());
  expect(column.rare).toEqual({ least: 2, levels: 2 });
  const featuresOf = (langs: unknown) => encodeRow(model.features as TableEncoding, { langs, age: 30 });
  const { length } = column.levels;
  expect(featuresOf('rare5')).toMatchObject({ indices: Uint32Array.of(length, length + 2) });
  expect(featuresOf('never seen;rare5')).toEqual(featuresOf('rare5'));
  expect(featuresOf(['R', 'R', ' R '])).toEqual(featuresOf('R'));
  expect(featuresOf([])).toMatchObject({ indices: Uint32Array.of(length + 2) });
  expect(featuresOf(null)).toMatchObject({ indices: Uint32Array.of(length + 1, length + 2) });
  expect(() => featuresOf([['R']])).toThrow('column "langs": expected a value');
});

test('a set is a sum: each value adds its own weight', async () => {
  const { model } = await train(csv(joined, options), { rule: 'averaged' });
  const predictor = new Predictor(model);
  const scoreOf = (langs: readonly string[]) => predictor.scores({ langs, age: 30 } as never)[0]!;
  const none = scoreOf([]);
  forAll(100, listOf(names), (list) => {
    const sum = list.reduce((all, name) => all + scoreOf([name]) - none, none);
    expect(scoreOf(list)).toBeCloseTo(sum, 9);
  });
});

test('online learning lists the values as they come, by text and by lists alike', () => {
  const asText = new OnlineClassifier({ columns: { langs: 'set:;' }, maxFeatures: 8 });
  const asLists = new OnlineClassifier({ columns: { langs: 'set:;' }, maxFeatures: 8 });
  const found = new OnlineClassifier({});
  for (const { langs, age, y } of people) {
    asText.learn({ langs: cellOf(langs, (list) => list.join(';')), age }, y);
    asLists.learn({ langs, age }, y);
    found.learn({ langs, age }, y);
  }
  const restored = OnlineClassifier.load(asText.save());
  const model = new Predictor(asText.model());
  expect(columnOf(asText.model())).toMatchObject({ kind: 'set', separator: ';', others: { bits: 12 } });
  expect(columnOf(found.model())).toMatchObject({ kind: 'set', levels: [...names, 'Ada', 'rare5', 'rare9'].sort() });
  for (const { langs, age } of people) {
    const answer = asText.predict({ langs: langs as never, age });
    expect(asLists.predict({ langs, age })).toBe(answer);
    expect(restored.predict({ langs, age })).toBe(answer);
    expect(model.predict({ langs, age } as never)).toBe(answer);
  }
});
