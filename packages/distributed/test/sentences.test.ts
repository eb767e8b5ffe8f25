import { tableFromIPC } from 'apache-arrow';
import { encodeModel, type HalfspaceError, Predictor, rows, train } from 'halfspace';
import { describe, expect, test } from 'vitest';
import { fc, forAllAsync } from '../../../test/support/properties.ts';
import { decodeMixState, mix, modelOf, predict, work } from '../src/index.ts';
import { jobOf, type Rows, runSteps, streamOf, trainedText } from './engine.ts';
import { tableRows } from './rows.ts';

const schema = { n: 'number', t: 'text', d: 'text', c: 'text', b: 'boolean', y: 'text' } as const;
const columns = {
  ...{ n: { kind: 'number' }, t: { kind: 'number' }, d: { kind: 'date' } },
  ...{ c: { kind: 'category' }, b: { kind: 'boolean' } },
} as const;
const good = Array.from({ length: 12 }, (_, i) => ({
  ...{ n: i % 5, t: String(i % 4), d: `2020-01-${10 + i}` },
  ...{ c: 'uv'[i % 2]!, b: i % 3 === 0, y: i % 2 === 0 ? 'a' : 'b' },
}));
const job = jobOf({ columns, passes: 2 });

/** Returns the words of a refusal with the row and its column; without a refusal, the result. */
const told = (run: () => unknown) =>
  Promise.resolve()
    .then(run)
    .catch(({ code, where: { row, field }, message }: HalfspaceError) => {
      expect(code).toMatch(/^(number-invalid|label-)/);
      // The flag that reads a word as missing is the command's.
      const sentence = message.slice(message.indexOf('expected ')).replace(/; missing: .*/, '');
      // A column as a whole is of no shard.
      return row === undefined ? { code, sentence } : { code, sentence, row, field };
    });

const missing = [null, '', 'NA', '?'];
const features = [
  ...[Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NaN, 1e308, null].map((n) => ({ n })),
  ...['abc', '1e400', ' 3 ', ...missing].map((t) => ({ t })),
  ...['yesterday', '2020-13-01', ...missing].map((d) => ({ d })),
  ...['new', ...missing].map((c) => ({ c })),
  { b: null },
];
const labels = [' a ', 'c', ...missing].map((y) => ({ y }));

test.each<Record<string, unknown>>([...features, ...labels])(
  'training with %o says the words of one machine',
  async (bad) => {
    const table: Rows = [...good, { ...good[0]!, ...bad }, good[3]!];
    const found = await told(async () => {
      const { training, classes } = await modelOf(job, (await runSteps(job, () => streamOf(table, schema, 5))).at(-1)!);
      return [training.examples, training.updates, classes];
    });
    const source = rows(table as never, { label: 'y', features: { columns } as never });
    const wanted = await told(async () => {
      const { training, classes } = (await train(source, { rule: 'averaged', passes: 2, order: 'cyclic' })).model;
      return [training.examples, training.updates, classes];
    });
    expect(found).toEqual(wanted);
  },
);

test.each<Record<string, unknown>>(features)('prediction with %o says the words of the model', async (bad) => {
  const model = await modelOf(job, (await runSteps(job, () => streamOf(good, schema))).at(-1)!);
  const row = { ...good[0]!, ...bad };
  const found = await told(async () => {
    const predicted = predict(job, model, streamOf([good[1]!, good[2]!, row, good[3]!], schema, 3));
    const classes: string[] = [];
    for await (const batch of predicted) for (const each of tableFromIPC(batch)) classes.push(each!.class);
    expect(classes).toHaveLength(4);
    return classes[2];
  });
  const { y: _, ...fields } = row;
  const wanted = await told(() => new Predictor(model).predict(fields as never));
  expect(found).toEqual(
    typeof wanted === 'string' ? wanted : { ...(wanted as object), row: 3, field: expect.anything() },
  );
});

test.each([Number.NaN, Number.NEGATIVE_INFINITY, null])(
  'a label of %o is refused in the words of one machine',
  async (y) => {
    const table = [0, 1, 0, y, 1].map((label, n) => ({ n, y: label }));
    const own = jobOf({ columns: { n: { kind: 'number' } } });
    const found = await told(() => runSteps(own, () => streamOf(table, { n: 'number', y: 'number' }, 2)));
    const wanted = await told(() => train(rows(table, { label: 'y' })));
    expect(found).toEqual(wanted);
    expect(found).toMatchObject({ row: 4, field: 'y' });
  },
);

test('a score beyond doubles is refused with the id of its row', async () => {
  const plain = jobOf({ columns: { n: { kind: 'number' } }, scale: 'none', id: 't' });
  const large = good.map((each) => ({ ...each, n: 10 * each.n }));
  const model = await modelOf(plain, (await runSteps(plain, () => streamOf(large, schema))).at(-1)!);
  const predicted = predict(plain, model, streamOf([good[1]!, { ...good[2]!, n: 1.7e308, t: '#7' }], schema, 1));
  const all = async () => {
    for await (const _ of predicted);
  };
  await expect(all()).rejects.toThrow(
    'rows, t #7: expected numbers whose score is within the range of doubles; got a score of ',
  );
});

describe('tables', () => {
  const schema = { size: 'number', ripe: 'boolean', day: 'date', soil: 'text', note: 'text', y: 'text' } as const;
  const columns = {
    size: { kind: 'number' },
    ripe: { kind: 'boolean' },
    day: { kind: 'date' },
    soil: { kind: 'category' },
    note: { kind: 'text' },
  } as const;
  /** Options that change how columns become features. */
  const featureOptions = [
    { columns },
    { columns: { ...columns, size: { kind: 'number', bins: 3 } }, crosses: [['size', 'soil']] },
    { columns: { ...columns, note: { kind: 'text', bits: 5, names: true }, day: { kind: 'date', parts: ['hour'] } } },
    { columns: { ...columns, note: { kind: 'set', separator: ' ', rare: 2 } } },
    { columns: { ...columns, note: { kind: 'drop' }, day: { kind: 'date', bins: 2 } }, scale: 'none' },
  ] as const;

  const manyClasses = fc.constantFrom(['a', 'b'], ['a', 'b', 'c']);
  const rules = [{ name: 'averaged' }, { name: 'margin', margin: 0.5 }] as const;

  /** A table may have no column to learn from. */
  const codeOf = ({ code }: HalfspaceError) => code;

  test('one shard of a table gives the model of one machine, byte for byte', async () => {
    await forAllAsync(
      15,
      manyClasses.chain(tableRows),
      fc.constantFrom(...featureOptions),
      fc.constantFrom(...rules),
      async (
        table,
        { scale = 'standard', ...features }: { scale?: string; columns: object; crosses?: unknown },
        rule,
      ) => {
        if (new Set(table.map(({ y }) => y)).size < 2) return;
        const job = jobOf({ ...features, scale, rule });
        const found = await trainedText(job, () => streamOf(table, schema, 9)).catch(codeOf);
        const source = rows(table as never, { label: 'y', features: features as never, scale: scale as 'none' });
        const once = train(source, { rule, passes: 6, order: 'cyclic' });
        // Only the format of the data differs.
        const text = once.then(({ model }) =>
          encodeModel({ ...model, features: { ...model.features, format: 'parquet' } } as typeof model),
        );
        expect(found).toBe(await text.catch(codeOf));
      },
    );
  });

  test('three shards encode columns as one does, but for the last bits of means and deviations', async () => {
    const first = featureOptions.filter((options) => !('scale' in options));
    await forAllAsync(
      15,
      fc.array(tableRows(['a', 'b']), { minLength: 3, maxLength: 3 }),
      fc.constantFrom(...first),
      async (shards, options) => {
        const encodingOf = async (read: readonly Rows[]) => {
          const job = jobOf({ ...options, shards: read.length });
          const results = await Promise.all(
            read.map(async (table, k) => ({
              name: '',
              bytes: await work(job, null, k, streamOf(table, schema, 11)),
            })),
          );
          const { features } = decodeMixState(await mix(job, null, results), '').train;
          return JSON.parse(JSON.stringify(features), (key, value) =>
            ['mean', 'deviation', 'fill'].includes(key) ? Number(value.toPrecision(9)) : value,
          );
        };
        if (new Set(shards.flat().map(({ y }) => y)).size < 2) return;
        expect(await encodingOf(shards)).toEqual(await encodingOf([shards.flat()]));
      },
    );
  });
});
