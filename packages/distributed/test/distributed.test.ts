import { tableFromIPC } from 'apache-arrow';
import { arrays, encodeModel, Predictor, train } from 'halfspace';
import { describe, expect, test } from 'vitest';
import { fc, forAllAsync } from '../../../test/support/properties.ts';
import { type Job, mix, modelOf, predict, work } from '../src/index.ts';
import { jobOf, runSteps, streamOf } from './engine.ts';

interface Example {
  readonly w?: number;
  readonly x: readonly number[];
  readonly level: string | null;
  readonly y: string;
}

const schema = { x: 'vector', a: 'number', level: 'text', y: 'text', w: 'number' } as const;

/** Returns examples as an Arrow stream, in batches of this size. */
function stream(examples: readonly Example[], size = 1000): AsyncGenerator<Uint8Array> {
  return streamOf(
    examples.map((each) => ({ w: 1, ...each, a: each.x[0] })),
    schema,
    size,
  );
}

interface Engine {
  /** Rows of an Arrow batch. */
  readonly size?: number;
  /** Results come in this order: 0 as the shards, 1 turned by one, … */
  readonly turn?: number;
  /** Results are added up in parts. */
  readonly tree?: readonly number[];
}

const run = (job: Job, shards: readonly (readonly Example[])[], { size, turn, tree }: Engine = {}) =>
  runSteps(job, (k) => stream(shards[k]!, size), turn, tree);

const vectors = { vector: 'x' };
const columns = { columns: { a: { kind: 'number' }, level: { kind: 'category' } } };

async function textOf(job: Job, shards: readonly (readonly Example[])[], engine?: Engine): Promise<string> {
  return encodeModel(await modelOf(job, (await run(job, shards, engine)).at(-1)!));
}

const rules = [
  { name: 'averaged' },
  { name: 'perceptron' },
  { name: 'margin', margin: 2 },
  { name: 'passive-aggressive', average: true },
  { name: 'sgd' },
  { name: 'sgd', penalty: 'elastic-net', alpha: 0.01, answer: 'mean' },
  { name: 'sgd', schedule: 'inverse-scaling', loss: 'hinge' },
  { name: 'arow', average: true },
] as const;
const example = (classes: readonly string[]) =>
  fc.record({
    x: fc.array(fc.integer({ min: -9, max: 9 }), { minLength: 3, maxLength: 3 }),
    level: fc.constantFrom('u', 'v', null),
    y: fc.constantFrom(...classes),
  });
const someRows = (classes = ['a', 'b', 'c']) => fc.array(example(classes), { minLength: 8, maxLength: 32 });
const hasClasses = (examples: readonly Example[]) => new Set(examples.map(({ y }) => y)).size > 1;

test('one shard gives the model of one machine, byte for byte', async () => {
  await forAllAsync(12, someRows().filter(hasClasses), fc.constantFrom(...rules), async (examples, rule) => {
    const cells = examples.flatMap(({ x }, i) => x.map((value, j) => [i, j, value] as const));
    const nonzero = cells.filter(([, , value]) => value !== 0);
    const member = (k: 0 | 1 | 2) => nonzero.map((cell) => cell[k]);
    const x = { rows: member(0), columns: member(1), values: member(2), shape: [examples.length, 3] } as const;
    const labels = examples.map(({ y }) => y);
    const importance = examples.map((_, i) => [2, 1, 0.5][i % 3]!);
    const weighted = examples.map((each, i) => ({ ...each, w: importance[i]! }));
    const { model } = await train(arrays(x, labels, { importance }), {
      rule,
      passes: 6,
      order: 'cyclic',
      scaling: 'none',
    });
    expect(await textOf(jobOf({ ...vectors, rule, weight: 'w' }), [weighted])).toBe(encodeModel(model));
    // A row of weight 0 is as absent.
    const more = weighted.flatMap((each, i) => [...[{ ...each, y: 'd', w: 0 }].slice(i % 2), each]);
    expect(await textOf(jobOf({ ...vectors, rule, weight: 'w' }), [more], { size: 5 })).toBe(encodeModel(model));
  });
});

test('neither the order of results, nor a tree of sums, nor the sizes of batches change a bit', async () => {
  const engine = fc.record({
    size: fc.integer({ min: 1, max: 9 }),
    turn: fc.integer({ min: 0, max: 4 }),
    tree: fc.array(fc.nat(9), { maxLength: 4 }),
  });
  const job = fc
    .record({ rule: fc.constantFrom(...rules) })
    .chain(({ rule }) => {
      const mixing = ['sgd', 'arow'].includes(rule.name) ? ['uniform'] : ['uniform', 'updates'];
      return fc.record({ rule: fc.constant(rule), mixing: fc.constantFrom(...mixing) });
    })
    .chain((members) =>
      fc.constantFrom(vectors, columns).map((from) => jobOf({ ...members, ...from, shards: 5, passes: 3 })),
    );
  await forAllAsync(
    12,
    fc.tuple(someRows(), someRows(), fc.array(example(['a', 'b'])), someRows(['a']), someRows()),
    job,
    engine,
    async (shards, each, other) => {
      if (!hasClasses(shards.flat())) return;
      expect(await textOf(each, shards, other)).toBe(await textOf(each, shards));
    },
  );
});

test('three shards mix as a reader of the definition would', async () => {
  await forAllAsync(12, fc.array(someRows(['a', 'b']), { minLength: 3, maxLength: 3 }), async (shards) => {
    if (!hasClasses(shards.flat())) return;
    const { weights, bias } = naive(shards, 4);
    const job = jobOf({ ...vectors, shards: 3, passes: 4 });
    const found = await modelOf(job, (await run(job, shards)).at(-1)!);
    const linear = found as unknown as { weights: Float64Array; bias: number; training: { stop: string } };
    if (linear.training.stop !== 'budget') return;
    [...linear.weights, linear.bias].forEach((value, j) => {
      expect(value).toBeCloseTo([...weights, bias][j]!, 9);
    });
  });
});

/** The averaged perceptron over shards: the mean of all weights that any shard had after any of its rows. */
function naive(shards: readonly (readonly Example[])[], passes: number): { weights: number[]; bias: number } {
  let mixed = [0, 0, 0, 0];
  const sum = [0, 0, 0, 0];
  let rows = 0;
  for (let pass = 0; pass < passes; pass++) {
    const ends = shards.map((shard) => {
      const w = [...mixed];
      for (const { x, y } of shard) {
        const lifted = [...x, 1];
        const sign = y === 'b' ? 1 : -1;
        if (sign * lifted.reduce((score, value, j) => score + value * w[j]!, 0) <= 0)
          for (let j = 0; j < 4; j++) w[j]! += sign * lifted[j]!;
        for (let j = 0; j < 4; j++) sum[j]! += w[j]!;
        rows++;
      }
      return w;
    });
    mixed = mixed.map((_, j) => ends.reduce((total, w) => total + w[j]!, 0) / ends.length);
  }
  const mean = sum.map((each) => each / rows);
  return { weights: mean.slice(0, 3), bias: mean[3]! };
}

test('predicts as the model does, batch by batch', async () => {
  await forAllAsync(10, someRows().filter(hasClasses), fc.integer({ min: 1, max: 9 }), async (examples, size) => {
    const job = jobOf(columns);
    const model = await modelOf(job, (await run(job, [examples])).at(-1)!);
    const predictor = new Predictor(model);
    const found: unknown[] = [];
    for await (const bytes of predict(job, model, stream(examples, size)))
      for (const row of tableFromIPC(bytes)) found.push([row!.class, ...row!.scores]);
    const rows = examples.map(({ x, level }) => ({ a: x[0]!, level }));
    expect(found).toEqual(
      rows.map((row) => [
        predictor.predict(row),
        ...[predictor.scores(row)].flatMap((scores) => (typeof scores === 'number' ? scores : [...scores])),
      ]),
    );
  });
});

describe('a refusal', () => {
  const good = { x: [1, 2, 3], level: 'u', y: 'a' };
  const refused = (job: Job, shard: readonly Example[]) => run(job, [[good, { ...good, x: [0, 0, 1], y: 'b' }], shard]);
  const job = jobOf({ ...vectors, id: 'level', shards: 2 });

  test('names the shard and the row by its id', async () => {
    await expect(refused(job, [good, { ...good, level: 'w', x: [1, 2, Number.NaN] }])).rejects.toThrow(
      'shard 1, level w, column "x": expected a finite number; got NaN',
    );
    const short = { ...good, x: [1, 2] };
    await expect(refused(job, [good, short])).rejects.toThrow(
      'column "x": expected a vector of 3 numbers; got one of 2',
    );
    await expect(refused(job, [short, short])).rejects.toThrow(
      'shard 1, level u, column "x": expected a vector of 3 numbers; got one of 2',
    );
    await expect(refused(job, [{ ...good, y: null as never }])).rejects.toThrow(
      'shard 1, level u, column "y": expected a label; got none',
    );
    await expect(refused(jobOf({ ...columns, shards: 2 }), [good, { ...good, x: [Infinity] }])).rejects.toThrow(
      /^shard 1, row 2, column "a": expected /,
    );
  });

  test('of a stream that is cut, wherever that is', async () => {
    const bytes: Uint8Array[] = [];
    for await (const piece of stream([good, good, good], 1)) bytes.push(piece);
    const whole = Buffer.concat(bytes);
    await work(
      job,
      null,
      0,
      (async function* () {
        yield whole;
      })(),
    );
    for (const length of [0, 1, 8, 100, whole.length - 300, whole.length - 8, whole.length - 1]) {
      async function* cut() {
        for (let from = 0; from < length; from += 64) yield whole.subarray(from, Math.min(from + 64, length));
      }
      await expect(work(job, null, 0, cut()), `${length} bytes`).rejects.toThrow(
        'shard 0: expected an Arrow IPC stream; got ',
      );
    }
  });

  test('says why a rule cannot be mixed', () => {
    expect(() => jobOf({ ...vectors, rule: { name: 'tree' } })).toThrow('got "tree": it grows from all rows at once');
    expect(() => jobOf({ ...vectors, rule: { name: 'sgd', loss: 'multinomial' } })).toThrow('got multinomial');
    expect(() => jobOf({ ...vectors, rule: { name: 'arow' }, mixing: 'updates' })).toThrow('got arow');
    expect(() => jobOf({ ...vectors, rule: { name: 'margin', margn: 1 } })).toThrow('"margn"');
    expect(() => jobOf({ ...vectors, shard: 2 })).toThrow('shard');
  });

  test('of results that are missing or there twice', async () => {
    const bytes = await work(job, null, 1, stream([good], 1));
    await expect(mix(job, null, [{ name: 'r', bytes }])).rejects.toThrow('got none of shard 0');
    await expect(
      mix(job, null, [
        { name: 'r', bytes },
        { name: 's', bytes },
      ]),
    ).rejects.toThrow('another one of shard 1');
  });
});
