import fc from 'fast-check';
import { encodeModel, type HalfspaceError, rows, train } from 'halfspace';
import { expect, test } from 'vitest';
import { decodeMixState, mix, work } from '../src/index.ts';
import { jobOf, type Rows, streamOf, trainedText } from './engine.ts';
import { tableRows } from './rows.ts';

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
  await fc.assert(
    fc.asyncProperty(
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
    ),
    { numRuns: 15 },
  );
});

test('three shards encode columns as one does, but for the last bits of means and deviations', async () => {
  const first = featureOptions.filter((options) => !('scale' in options));
  await fc.assert(
    fc.asyncProperty(
      fc.array(tableRows(['a', 'b']), { minLength: 3, maxLength: 3 }),
      fc.constantFrom(...first),
      async (shards, options) => {
        const encodingOf = async (read: readonly Rows[]) => {
          const job = jobOf({ ...options, shards: read.length });
          const results = await Promise.all(
            read.map(async (table, k) => ({ name: '', bytes: await work(job, null, k, streamOf(table, schema, 11)) })),
          );
          const { features } = decodeMixState(await mix(job, null, results), '').train;
          return JSON.parse(JSON.stringify(features), (key, value) =>
            ['mean', 'deviation', 'fill'].includes(key) ? Number(value.toPrecision(9)) : value,
          );
        };
        if (new Set(shards.flat().map(({ y }) => y)).size < 2) return;
        expect(await encodingOf(shards)).toEqual(await encodingOf([shards.flat()]));
      },
    ),
    { numRuns: 15 },
  );
});
