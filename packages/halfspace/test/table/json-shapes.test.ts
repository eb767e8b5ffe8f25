import { describe, expect, it } from 'vitest';
import { fc, forAllAsync } from '../../../../test/support/properties.ts';
import { toJavaScript } from '../../src/export/index.ts';
import { OnlineClassifier, Predictor } from '../../src/index.ts';
import { createKernels } from '../../src/kernels/load.ts';
import { encodeModel } from '../../src/model/encode.ts';
import { ndjson } from '../../src/table/ndjson.ts';
import { rows } from '../../src/table/rows.ts';
import { modelOf } from '../sources/runs.ts';

type Row = Readonly<Record<string, unknown>>;

/** A model without what says how its table came. */
const plain = ({ model }: { model: Awaited<ReturnType<typeof modelOf>> }) => ({
  ...model,
  features: { ...model.features, format: null, header: null },
});
const learned = async (text: string) => plain({ model: await modelOf(ndjson(bytesOf(text), { label: 'y' })) });
const bytesOf = (text: string) => new TextEncoder().encode(text);
const linesOf = (list: readonly unknown[]) => list.map((each) => `${JSON.stringify(each)}\n`).join('');

const name = fc.stringMatching(/^[a-zé"\\]{1,4}$/).filter((each) => each !== 'y');
const cell = fc.oneof(
  fc.integer({ min: -50, max: 50 }),
  fc.constantFrom('red', 'blue', 'say "hi"', '[1]', '{', 'ü', 'NaN', '7'),
  fc.constant(null),
  fc.boolean(),
);
const tables = fc
  .tuple(fc.uniqueArray(name, { minLength: 1, maxLength: 3 }), fc.integer({ min: 4, max: 12 }))
  .chain(([names, count]) =>
    fc.record({
      names: fc.constant<string[]>([...names, 'y']),
      values: fc.array(fc.tuple(...names.map(() => cell)), { minLength: count, maxLength: count }),
    }),
  )
  .map(({ names, values }) => ({ names, values: values.map((row, i): unknown[] => [...row, 'ab'[i % 2]!]) }));

const objectsOf = (names: readonly string[], values: readonly (readonly unknown[])[]): Row[] =>
  values.map((row) => Object.fromEntries(names.map((each, c) => [each, row[c]])));
const columnsOf = (names: readonly string[], values: readonly (readonly unknown[])[]) =>
  names.map((each, c) => [each, values.map((row) => row[c])] as const);

const shapes: Readonly<Record<string, (names: string[], values: unknown[][]) => string>> = {
  'a list': (names, values) => JSON.stringify(objectsOf(names, values)),
  'a list on lines': (names, values) => JSON.stringify(objectsOf(names, values), null, 2),
  'objects over lines': (names, values) =>
    objectsOf(names, values)
      .map((each) => JSON.stringify(each, null, 1))
      .join('\n'),
  split: (names, values) => JSON.stringify({ columns: names, index: values.map((_, i) => i), data: values }),
  'lists below names': (names, values) => JSON.stringify([names, ...values]),
  'lists on lines': (names, values) => linesOf([names, ...values]),
  'a list for each column': (names, values) => JSON.stringify(Object.fromEntries(columnsOf(names, values))),
  'values by column': (names, values) =>
    JSON.stringify(Object.fromEntries(columnsOf(names, values).map(([each, list]) => [each, { ...list }]))),
  'values by row': (names, values) => JSON.stringify({ ...objectsOf(names, values) }),
  'under a key': (names, values) => JSON.stringify({ meta: { a: 1 }, data: objectsOf(names, values) }, null, 1),
  GeoJSON: (names, values) =>
    JSON.stringify({
      type: 'FeatureCollection',
      features: objectsOf(names, values).map((properties) => ({ type: 'Feature', geometry: null, properties })),
    }),
};

const outcome = async (text: string) =>
  learned(text).catch((error: Error) => error.message.replace(/row \d+|^text:\d+/, ''));

describe('a table in another shape of JSON', () => {
  it.each(Object.entries(shapes))('gives the model of its objects, one a line: %s', async (_, shape) => {
    await forAllAsync(60, tables, async ({ names, values }) => {
      const expected = await outcome(linesOf(objectsOf(names, values)));
      fc.pre(typeof expected !== 'string');
      expect(await outcome(shape(names, values))).toEqual(expected);
    });
  });

  it('says so in a note, and never reads one of two tables', async () => {
    const source = ndjson(bytesOf('{"columns":["x","y"],"data":[[1,"a"],[2,"b"]]}'), { name: 't' });
    const opened = (await source.open({ kernels: createKernels() })) as unknown as { notes: string[] };
    expect(opened.notes[0]).toBe('t: "columns" has the names, "data" the rows');
    const two = ndjson(bytesOf('{"train":[{"x":1,"y":"a"}],"test":[{"x":1,"y":"a"}]}'), { name: 't' });
    await expect(two.open({ kernels: createKernels() })).rejects.toThrow('got "train", "test": save one of them');
  });

  it('may be one row for a model, although it looks like a table', async () => {
    const given = [
      { a: { u: 1, y: 'a' }, b: { u: 5, v: 1 } },
      { a: { u: 3, y: 'b' }, b: { u: 1, v: 9 } },
    ];
    const model = await modelOf(ndjson(bytesOf(linesOf([...given, ...given])), { label: 'a.y' }));
    const source = ndjson(bytesOf(JSON.stringify(given[0])));
    const opened = await source.open({ kernels: createKernels(), encoding: model.features });
    let count = 0;
    for await (const batch of opened.batches()) count += batch.rows;
    expect(count).toBe(1);
  });
});

describe('an object within a row', () => {
  const nested: Row[] = [
    { at: { x: 1.5, of: { word: 'red' } }, when: { $date: '2024-01-02T00:00:00Z' }, n: { $numberLong: '4' }, y: 'a' },
    { at: null, when: { $date: { $numberLong: '1704326400000' } }, n: { $numberDecimal: '2.5' }, y: 'b' },
    { at: { x: -2, of: { word: 'blue' } }, when: null, n: { $numberInt: '7' }, y: 'a' },
    { at: { of: { word: 'red' } }, when: { $date: '2024-03-02T00:00:00Z' }, n: { $numberDouble: '1' }, y: 'b' },
  ];
  const flat: Row[] = [
    { 'at.x': 1.5, 'at.of.word': 'red', when: '2024-01-02T00:00:00Z', n: 4, y: 'a' },
    { when: '2024-01-04T00:00:00.000Z', n: 2.5, y: 'b' },
    { 'at.x': -2, 'at.of.word': 'blue', n: 7, y: 'a' },
    { 'at.of.word': 'red', when: '2024-03-02T00:00:00Z', n: 1, y: 'b' },
  ];

  it('has columns for its fields, in text, in rows, and in rows that come once', async () => {
    const expected = await learned(linesOf(flat));
    expect(await learned(linesOf(nested))).toEqual(expected);
    expect(plain({ model: await modelOf(rows(nested, { label: 'y' })) })).toEqual(expected);
    expect(
      plain({
        model: await modelOf(
          rows(
            (function* () {
              yield* nested;
            })(),
            { label: 'y' },
          ),
        ),
      }),
    ).toEqual(expected);
  });

  it('is answered by a model as its fields are, which the model knows', async () => {
    const predictor = new Predictor(await modelOf(ndjson(bytesOf(linesOf(nested)), { label: 'y' })));
    nested.forEach((row, i) => {
      const { y: _, ...rest } = row;
      const { y: __, ...other } = flat[i]!;
      expect(predictor.scores(rest as never)).toEqual(predictor.scores(other as never));
      expect(predictor.unknownFields(rest as never)).toEqual(i === 1 ? ['at'] : []);
    });
    expect(predictor.unknownFields({ at: { x: 1, more: 2 } } as never)).toEqual(['at.more']);
  });

  it('is answered by an exported program as by the model', async () => {
    const mixed = nested.map(({ at, y }, i) => ({ at, y, n: i % 2 === 0 ? i / 4 : { of: i } }));
    const model = await modelOf(ndjson(bytesOf(linesOf(mixed)), { label: 'y' }));
    const module = { exports: {} as { predict(row: unknown): string; score(row: unknown): number } };
    new Function('module', toJavaScript(model, { form: 'commonjs' }))(module);
    const predictor = new Predictor(model);
    for (const row of mixed) expect(module.exports.score(row)).toBe(predictor.score(row as never));
  });

  it('is refused where a column has values only, by a model and in text', async () => {
    const model = await modelOf(ndjson(bytesOf(linesOf(flat)), { label: 'y' }));
    const row = { n: { of: 1 } };
    expect(() => new Predictor(model).predict(row as never)).toThrow(/column "n": expected a number; got/);
    const source = ndjson(bytesOf(linesOf([row, row])));
    const opened = await source.open({ kernels: createKernels(), encoding: model.features });
    await expect(async () => {
      for await (const _ of opened.batches());
    }).rejects.toThrow(/column "n": expected a value; got an object/);
  });

  it('is learned row by row as its fields are', () => {
    const [one, other] = [new OnlineClassifier(), new OnlineClassifier()];
    nested.forEach((row, i) => {
      const { y, at, ...rest } = row;
      const { y: _, ...fields } = flat[i]!;
      one.learn((at === null ? rest : { at, ...rest }) as never, y as string);
      other.learn(fields as never, y as string);
    });
    expect(encodeModel(one.model())).toEqual(encodeModel(other.model()));
  });

  it('keeps the digits of whole numbers that no double holds', async () => {
    const text = linesOf(nested).replaceAll('"4"', '"9007199254740993"');
    const model = await modelOf(
      ndjson(bytesOf(text), { label: 'y', features: { columns: { n: { kind: 'category' } } } }),
    );
    expect(JSON.stringify(model.features)).toContain('9007199254740993');
  });

  it('may have the name of another field only once', async () => {
    const text = '{"a":{"b":1},"a.b":2,"y":"a"}\n{"a":{"b":1},"y":"b"}\n';
    await expect(modelOf(ndjson(bytesOf(text), { label: 'y' }))).rejects.toThrow(
      'expected every key of an object once; got "a.b" twice',
    );
  });
});
