import { tableFromIPC } from 'apache-arrow';
import { encodeModel, type HalfspaceError, Predictor, rows as rowsOf, train } from 'halfspace';
import { fitCalibrations } from 'halfspace/metrics';
import { createKernels, type LinearParameters } from 'halfspace/rules';
import { expect, test } from 'vitest';
import { fc, forAllAsync } from '../../../test/support/properties.ts';
import { isDeep } from '../../../test/support/quick.ts';
import type { Job } from '../../halfspace/src/shards/job.ts';
import { functionsOf, learnerOf } from '../../halfspace/src/shards/model.ts';
import { RowSplit, split } from '../../halfspace/src/shards/shard.ts';
import type { MixState } from '../../halfspace/src/shards/state.ts';
import { stoppingSplit } from '../../halfspace/src/train/stopping-rows.ts';
import { modelOf, predict } from '../src/index.ts';
import { jobOf, type Rows, runSteps, streamOf, trainedText } from './engine.ts';
import { tableRows } from './rows.ts';

const columns = {
  size: { kind: 'number' },
  ripe: { kind: 'boolean' },
  day: { kind: 'date', bins: 2 },
  soil: { kind: 'category' },
  note: { kind: 'text' },
} as const;
const tableSchema = {
  size: 'number',
  ripe: 'boolean',
  day: 'date',
  soil: 'text',
  note: 'text',
  y: 'text',
  w: 'number',
} as const;
const share = fc.double({ min: 0.05, max: 0.6, noNaN: true });
const classes = fc.constantFrom(['a', 'b'], ['a', 'b', 'c']);

test('one shard of a table with weights and held-out rows gives the model of one machine, byte for byte', async () => {
  await forAllAsync(
    isDeep ? 12 : 5,
    classes.chain(tableRows),
    share,
    fc.nat(1e9),
    fc.constantFrom(undefined, 'a'),
    fc.constantFrom(undefined, 1, 3),
    fc.constantFrom([1], [1, 2, 0.5], [3, 0, 0, 1, 2]),
    async (rows, holdout, seed, positive, patience, weights) => {
      const table = rows.map((row, i) => ({ ...row, w: weights[i % weights.length]! }));
      if (new Set(table.filter(({ w }) => w > 0).map((row) => (row as Rows[number]).y)).size < 2) return;
      const named = positive === undefined ? {} : { positive };
      const stopping = patience === undefined ? {} : { patience };
      const found = await trainedText(jobOf({ columns, weight: 'w', holdout, seed, ...named, ...stopping }), () =>
        streamOf(table, tableSchema, 9),
      ).catch(({ message }: HalfspaceError) => message);
      const source = rowsOf(table as never, { label: 'y', weight: 'w', features: { columns } as never, ...named });
      const text = await train(source, { rule: 'averaged', passes: 6, order: 'cyclic', holdout, seed, ...stopping })
        .then(({ model }) =>
          encodeModel({ ...model, features: { ...model.features, format: 'parquet' } } as typeof model),
        )
        .catch(({ message }: HalfspaceError) => message);
      // Of plain objects a model without columns is made; of a file it is refused.
      if (!found.startsWith('expected a column to learn from')) expect(found).toBe(text);
    },
  );
});

const vectorRows = (of: readonly string[]): fc.Arbitrary<Rows> =>
  fc.array(
    fc.record({
      x: fc.array(fc.integer({ min: -9, max: 9 }), { minLength: 3, maxLength: 3 }),
      y: fc.constantFrom(...of),
    }),
    { minLength: 45, maxLength: 60 },
  );
const schema = { x: 'vector', y: 'text' } as const;
const shardsOf = classes.chain((of) => fc.array(vectorRows(of), { minLength: 3, maxLength: 3 }));
const rules = [{ name: 'averaged' }, { name: 'perceptron' }, { name: 'passive-aggressive' }, { name: 'sgd' }] as const;
const settings = fc.record({
  rule: fc.constantFrom(...rules),
  holdout: fc.option(fc.double({ min: 0.05, max: 0.3, noNaN: true }), { nil: undefined }),
  patience: fc.integer({ min: 1, max: 4 }),
  seed: fc.nat(99),
});
const plain = { vector: 'x', shards: 3 };
const hasClasses = (shards: readonly Rows[]) => new Set(shards.flat().map(({ y }) => y)).size > 1;

test('neither the order of results, nor a tree of sums, nor the sizes of batches change a held-out row', async () => {
  await forAllAsync(
    isDeep ? 3 : 1,
    shardsOf.filter(hasClasses),
    settings,
    fc.record({ size: fc.integer({ min: 1, max: 9 }), turn: fc.nat(2), tree: fc.array(fc.nat(9), { maxLength: 2 }) }),
    async (shards, options, { size, turn, tree }) => {
      const job = jobOf({ ...plain, ...options, passes: 4 });
      const text = await trainedText(job, (k) => streamOf(shards[k]!, schema));
      expect(await trainedText(job, (k) => streamOf(shards[k]!, schema, size), turn, tree)).toBe(text);
    },
  );
});

test('the model is that of the best round, as a reader of the definition finds it', async () => {
  const kernels = await createKernels();
  await forAllAsync(isDeep ? 6 : 3, shardsOf.filter(hasClasses), settings, async (shards, options) => {
    const job = jobOf({ ...plain, ...options, passes: 8 });
    const states = await runSteps(job, (k) => streamOf(shards[k]!, schema));
    const end = states.at(-1)!;
    const parts = shards.map((shard, k) => partsOf(job, shard, k, end));
    // The same rounds over the learned rows alone, without an end.
    const { patience, holdout: _, ...endless } = options;
    const rounds = await runSteps(jobOf({ ...plain, ...endless, passes: 8 }), (k) =>
      streamOf(parts[k]!.learned, schema),
    );
    const learned = rounds.slice(1, 1 + rounds.at(-1)!.rounds).map((state, k) => {
      // A clean round is settled later.
      const isClean = state.ended === 'clean' && k + 1 === rounds.at(-1)!.rounds;
      const functions = functionsOf(learnerOf(kernels, (isClean ? rounds.at(-1)! : state).train));
      const wrong = (rows: Rows) =>
        rows.filter(({ x, y }) => predicted(functions, x as number[], state.train.classes) !== y);
      return { functions, wrong, errors: wrong(parts.flatMap(({ stopping }) => stopping)).length };
    });
    let best = 0;
    let passes = 0;
    for (; passes < learned.length && (passes === 0 || passes - 1 - best < patience); passes++)
      if (learned[passes]!.errors < learned[best]!.errors + Number(rounds[passes + 1]!.ended === 'clean'))
        best = passes;

    const model = await modelOf(job, end);
    expect(end.best).toEqual({ round: best + 1, errors: learned[best]!.errors, functions: learned[best]!.functions });
    const training = parts.flatMap((part) => [...part.learned, ...part.stopping]);
    const heldOut = parts.flatMap((part) => part.heldOut);
    const accuracy = (rows: Rows) => (rows.length - learned[best]!.wrong(rows).length) / rows.length;
    expect(model.training).toMatchObject({
      ...{ stop: 'patience', passes, examples: training.length, trainAccuracy: accuracy(training) },
      holdoutAccuracy: heldOut.length === 0 ? null : accuracy(heldOut),
      updates: rounds[passes]!.updates.reduce((sum, each) => sum + each, 0),
    });
  });
});

/** Returns the rows of a shard by their use, as a state tells it. */
function partsOf(job: Job, rows: Rows, shard: number, { apart, train }: Pick<MixState, 'apart' | 'train'>) {
  const words = rows.map(({ y }) => y as string);
  const parts = new RowSplit(job, shard).next({ codes: Uint32Array.from(rows, (_, i) => i), words }, rows.length);
  const { classes } = train;
  const labels = words.map((word) => (classes.length > 2 ? classes.indexOf(word) : 2 * classes.indexOf(word) - 1));
  const stops = apart === null ? null : stoppingSplit(apart[shard]!, job.seed ?? 1, shard);
  const [learned, stopping] = stops === null ? [parts.training, []] : split(stops, labels, parts.training);
  const at = (positions: ArrayLike<number>) => Array.from(positions, (i) => rows[i]!);
  return { learned: at(learned), stopping: at(stopping), heldOut: at(parts.heldOut) };
}

function predicted(functions: readonly LinearParameters[], x: readonly number[], names: readonly string[]): string {
  const scores = functions.map(({ weights, bias }) =>
    x.reduce((sum, value, j) => sum + value * (weights[j] ?? 0), bias),
  );
  return names[scores.length === 1 ? Number(scores[0]! > 0) : scores.indexOf(Math.max(...scores))]!;
}

test('every shard holds out the share of every class, but never its first; early stopping a tenth of all shards', async () => {
  const words = fc.array(fc.constantFrom(...'aaaaaaabbbc'), { minLength: 1, maxLength: 90 });
  await forAllAsync(
    30,
    fc.double({ min: 0.2, max: 0.6, noNaN: true }),
    fc.nat(9),
    fc
      .array(words, { minLength: 3, maxLength: 3 })
      .filter((shards) => ['a', 'b'].every((y) => shards.flat().filter((each) => each === y).length > 9)),
    async (holdout, seed, shards) => {
      const job = jobOf({ ...plain, holdout, patience: 1, seed, passes: 1 });
      const given = shards.map((some) => some.map((y, i) => ({ x: [i, 1, 2], y })));
      const state = (await runSteps(job, (k) => streamOf(given[k]!, schema)))[0]!;
      const parts = given.map((rows, k) => partsOf(job, rows, k, state));
      for (const name of state.train.classes) {
        const count = (rows: Rows) => rows.filter(({ y }) => y === name).length;
        parts.forEach(({ learned, stopping, heldOut }, k) => {
          const [all, rest] = [count(given[k]!), count(learned) + count(stopping)];
          expect(all).toBe(rest + count(heldOut));
          expect(Math.abs(count(heldOut) - all * holdout)).toBeLessThan(1);
          expect(rest > 0).toBe(all > 0);
        });
        const all = (of: 'learned' | 'stopping') => parts.reduce((sum, part) => sum + count(part[of]), 0);
        const rest = all('learned') + all('stopping');
        expect(all('stopping')).toBe(rest < 2 ? 0 : Math.max(1, Math.round(rest / 10)));
      }
    },
  );
});

test('a calibration is fitted to the scores of held-out rows, and predictions have its probabilities', async () => {
  const isEnough = (shards: readonly Rows[]) => {
    const [first] = shards.map((shard) => shard.map(({ y }) => y));
    return (
      new Set(shards.flat().map(({ y }) => y)).size > 1 &&
      shards.flat().every(({ y }) => first!.filter((each) => each === y).length > 6)
    );
  };
  await forAllAsync(
    isDeep ? 5 : 2,
    shardsOf.filter(isEnough),
    settings,
    fc.constantFrom('platt', 'isotonic'),
    async (shards, options, calibrate) => {
      const job = jobOf({ ...plain, ...options, holdout: 0.3, passes: 3, calibrate });
      const end = (await runSteps(job, (k) => streamOf(shards[k]!, schema, 7), 1, [1])).at(-1)!;
      const model = await modelOf(job, end);
      const { calibrate: _, ...uncalibrated } = job;
      const without = await modelOf(
        uncalibrated,
        (await runSteps(uncalibrated, (k) => streamOf(shards[k]!, schema))).at(-1)!,
      );
      expect({ ...model, calibration: null }).toEqual(without);

      const heldOut = shards.flatMap((shard, k) => partsOf(job, shard, k, end).heldOut);
      const predictor = new Predictor(model);
      const scores = heldOut.flatMap(({ x }) =>
        [predictor.scores(x as never)].flatMap((each) => (typeof each === 'number' ? each : [...each])),
      );
      const outputs = model.classes.length > 2 ? model.classes.length : 1;
      const position = ({ y }: Rows[number]) => model.classes.indexOf(y as string);
      const labels = Float64Array.from(heldOut, (row) => (outputs > 1 ? position(row) : 2 * position(row) - 1));
      expect(model.calibration).toEqual(
        fitCalibrations(calibrate, { outputs, scores: Float64Array.from(scores), labels }),
      );

      const found: number[][] = [];
      for await (const batch of predict(job, model, streamOf(heldOut, schema, 10)))
        for (const row of tableFromIPC(batch)) found.push([...row!.probabilities]);
      expect(found).toEqual(heldOut.map(({ x }) => [...predictor.probabilities(x as never)]));
    },
  );
});

test('refuses shares and numbers of rounds out of range, and too few rows', async () => {
  for (const holdout of [0, 1, -0.5, '0.1'])
    expect(() => jobOf({ ...plain, holdout })).toThrow('expected "job.holdout" to be a number in (0, 1); got ');
  expect(() => jobOf({ ...plain, patience: 0 })).toThrow('patience');
  expect(() => jobOf({ ...plain, calibrate: 'platt' })).toThrow('expected "holdout" with "calibrate"');
  const rare = Array.from({ length: 30 }, (_, i) => ({ x: [i, 1, 2], y: i === 7 ? 'b' : 'a' }));
  await expect(
    runSteps(jobOf({ ...plain, shards: 1, holdout: 0.1, calibrate: 'platt' }), () => streamOf(rare, schema)),
  ).rejects.toThrow('expected held-out rows of every class for calibrate; got none of b: hold out more');
  const few = [
    { x: [1, 2, 3], y: 'a' },
    { x: [0, 0, 1], y: 'b' },
  ];
  await expect(runSteps(jobOf({ ...plain, holdout: 0.1 }), () => streamOf(few, schema))).rejects.toThrow(
    'holdout must hold out at least one row; got 0.1, which holds out none of 6',
  );
  await expect(runSteps(jobOf({ ...plain, shards: 1, patience: 2 }), () => streamOf(few, schema))).rejects.toThrow(
    'patience must hold out a row of a class that has two or more; got a single row of each class: a (1), b (1): leave patience out, or give more rows',
  );
});

test('a tolerance ends the training after the first later round that moves the direction of the weights by at most it', async () => {
  const kernels = await createKernels();
  const directionOf = ({ train: state }: MixState) => {
    const all = functionsOf(learnerOf(kernels, state)).flatMap(({ weights, bias }) => [...weights, bias]);
    const length = Math.hypot(...all);
    return all.map((each) => each / length);
  };
  await forAllAsync(
    12,
    shardsOf.filter(hasClasses),
    fc.double({ min: 1e-3, max: 0.5, noNaN: true }),
    async (shards, tolerance) => {
      const run = (more: object) =>
        runSteps(jobOf({ ...plain, passes: 9, ...more }), (k) => streamOf(shards[k]!, schema));
      const [found, endless] = [await run({ tolerance }), await run({})];
      // States of rounds; others follow.
      const directions = endless.slice(1, 1 + endless.at(-1)!.rounds).map(directionOf);
      const moved = directions.slice(1).map((to, r) => Math.hypot(...to.map((x, j) => x - directions[r]![j]!)));
      const end = moved.findIndex((each) => each <= tolerance);
      const rounds = end < 0 ? directions.length : end + 2;
      expect(found.at(-1)!.rounds).toBe(rounds);
      if (rounds < directions.length) expect(found.at(-1)!.ended).toBe('tolerance');
    },
  );
});
