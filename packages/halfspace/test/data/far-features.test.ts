import { libsvm, Predictor, train } from 'halfspace';
import { loadKernels } from 'halfspace/rules';
import { openSource } from 'halfspace/runs';
import { describe, expect, test } from 'vitest';
import { fc, forAll, forAllAsync } from '../../../../test/support/properties.ts';
import { some } from '../../../../test/support/quick.ts';
import { type StoredBatch, sparseBatch } from '../../src/batch.ts';
import { bytesSource } from '../../src/data/in-memory.ts';
import { OccurringFeatures } from '../../src/data/occurring-features.ts';
import type { OpenSourceOptions } from '../../src/data/source.ts';
import { ExampleStore } from '../../src/data/store.ts';
import { TextSource } from '../../src/data/text.ts';
import { libsvmFormat, type TextFormat, vwFormat } from '../../src/data/text-format.ts';
import { runFold } from '../../src/evaluate/fold-runs.ts';
import { FoldedExamples } from '../../src/evaluate/folded-examples.ts';
import type { FeatureEncoding } from '../../src/features/encoding.ts';
import { createKernels } from '../../src/kernels/load.ts';
import { encodeModel } from '../../src/model/encode.ts';
import { Random } from '../../src/random.ts';
import { completeRuleOptions, type RuleName, rules } from '../../src/rules/registry.ts';
import type { RuleDefinition } from '../../src/rules/rule-definition.ts';
import { withAll } from '../../src/select/read-all.ts';
import { searchRule, trainFound } from '../../src/select/search.ts';
import { trainWith } from '../../src/select/train.ts';
import { ClassWeighing } from '../../src/train/class-weights.ts';

const encodingOf = async (text: string) => {
  const source = await openSource(libsvm(text), { kernels: await loadKernels() });
  for await (const _ of source.batches());
  return source.encoding() as { dimension: number; far?: { direct: number; indices: readonly number[] } };
};

/** Rows of the classes 1 to 20; one has a feature with a huge number. */
const twenty = Array.from({ length: 20 }, (_, i) => `${i + 1} ${i === 7 ? 4194303 : i + 1}:1\n`).join('');

test('features take memory if they occur, not if a larger one does', async () => {
  expect((await encodingOf(twenty)).dimension).toBeLessThanOrEqual((1 << 16) + 1);
  for (const rule of ['perceptron', 'averaged', 'passive-aggressive', 'arow', 'sgd', 'voted'] as const) {
    const { model } = await train(libsvm(twenty), { rule, seed: 1 } as never);
    const { functions } = model as never as {
      functions: { weights?: Float64Array; support?: { dimension: number } }[];
    };
    for (const { weights, support } of functions)
      expect(weights?.length ?? support!.dimension).toBeLessThanOrEqual((1 << 16) + 1);
    const predictor = new Predictor(model);
    expect(predictor.predict({ indices: [4194303], values: [1] })).toBe('8');
  }
});

test('data whose features mostly occur, or of many values, keep their indices as positions', async () => {
  const occurring = Array.from({ length: 8000 }, (_, i) => `${i % 2} ${10 * i + 1}:1\n`).join('');
  expect(await encodingOf(occurring)).toMatchObject({ dimension: 79992 });
  const row = Array.from({ length: 1000 }, (_, j) => ` ${j + 1}:1`).join('');
  const many = `1 4000000:1\n${`0${row}\n`.repeat(263)}`;
  const { dimension, far } = await encodingOf(many);
  expect({ dimension, far }).toEqual({ dimension: 4_000_001, far: undefined });
  expect((await encodingOf(`1 4000000:1\n${`0${row}\n`.repeat(262)}`)).far?.indices).toEqual([4_000_000]);
});

const kernels = createKernels();

function sourceOf(text: string, format: TextFormat): TextSource {
  return new TextSource({ name: 'data', format, kernels, open: () => [bytesSource(text)] });
}

/** Rows of a few features, near and far, whose labels mostly follow one that is at `base` or behind it. */
function rowsOf(
  rows: number,
  classes: number,
  write: (features: Map<number, number>, label: number) => string,
  base = 200_000,
): string {
  const chance = new Random(7);
  return Array.from({ length: rows }, (_, i) => {
    const label = i % classes;
    const features = new Map<number, number>();
    for (let k = 0; k < 5; k++)
      features.set(
        chance.below(2) === 0 ? 1 + chance.below(30) : 100_000 * (1 + chance.below(40)),
        chance.below(9) - 4,
      );
    features.set(base + label * 30_000, chance.below(5) === 0 ? -2 : 3);
    return write(new Map([...features].sort(([a], [b]) => a - b)), label);
  }).join('');
}
const libsvmLine = (features: Map<number, number>, label: number) =>
  `${label} ${[...features].map(([j, x]) => `${j}:${x}`).join(' ')}\n`;
const vwLine = (features: Map<number, number>, label: number) =>
  `${label} | ${[...features].map(([j, x]) => `${j}:${x}`).join(' ')}\n`;

describe('a choice over rows with far features', () => {
  const choices: [string, string, (known?: FeatureEncoding) => TextFormat][] = [
    ['two classes', rowsOf(60, 2, libsvmLine), (known) => libsvmFormat(kernels, known as never)],
    ['three classes', rowsOf(30, 3, libsvmLine), (known) => libsvmFormat(kernels, known as never)],
    [
      'indices beyond all positions',
      rowsOf(40, 2, libsvmLine, 4_200_000_000),
      (known) => libsvmFormat(kernels, known as never),
    ],
    ['hashed names', rowsOf(60, 2, vwLine), (known) => vwFormat(kernels, { bits: 22, known: known as never })],
  ];
  test.each(some(choices, 2))(
    'gives the model and the report of the same rows with all features, bit for bit: %s',
    async (_, text, format) => {
      const options = { seed: 5, holdout: 0.2 };
      const validated = () => ({
        validation: {
          name: 'other',
          open: async ({ encoding }: OpenSourceOptions) => sourceOf(text, format(encoding)),
        },
      });
      const chosen = await trainWith(kernels, sourceOf(text, format()), { ...options, ...validated() });
      const all = sourceOf(text, format());
      const plain = await withAll(all, { ...options, kernels }, async (read) =>
        trainFound(await searchRule(all, options, read, { bend: 'auto', pairs: 10 }), validated()),
      );
      expect(encodeModel(chosen.model)).toBe(encodeModel(plain.model));
      expect(chosen.report).toEqual(plain.report);
      expect(chosen.search).toEqual(plain.search);
    },
  );

  test.each([
    ['two far ones', '1 3:1 5000000:2\n-1 3:-1 6000000:1\n', 3],
    ['one near the limit of direct positions', '1 4194303:1\n-1 2:1\n', 2],
  ])('counts features, not indices: %s', async (_, text, features) => {
    for (const options of [{}, { rule: { name: 'perceptron' } }] as const) {
      const { model, report } = await trainWith(kernels, sourceOf(text, libsvmFormat(kernels)), options);
      expect([report.features, model.training.features]).toEqual([features, features]);
    }
  });

  test('needs memory only for features that occur', async () => {
    const own = createKernels();
    const float64 = own.float64.bind(own);
    let longest = 0;
    own.float64 = (length, clear) => {
      longest = Math.max(longest, length);
      const block = float64(length, clear);
      const resize = block.resize.bind(block);
      block.resize = (more) => {
        longest = Math.max(longest, more);
        resize(more);
      };
      return block;
    };
    const text = '1 4194303:1\n-1 2:1\n';
    const source = new TextSource({
      name: 'data',
      format: libsvmFormat(own),
      kernels: own,
      batchValues: 100,
      batchRows: 10,
      open: () => [bytesSource(text)],
    });
    const { model } = await trainWith(own, source);
    if (model.kind !== 'linear') throw new Error('there are two classes');
    expect(model.weights.length).toBe(65_537);
    expect(longest).toBeLessThan(10_000);
  });
});

const far = 1 << 22;

interface Example {
  readonly indices: readonly number[];
  readonly values: readonly number[];
  readonly label: number;
}

const example: fc.Arbitrary<Example> = fc
  .record({
    features: fc.uniqueArray(
      fc.oneof(
        fc.integer({ min: 0, max: 40 }),
        fc.integer({ min: far - 40, max: far - 1 }),
        fc.integer({ min: 0, max: far - 1 }),
      ),
      { maxLength: 8 },
    ),
    values: fc.array(fc.double({ min: -3, max: 3, noNaN: true }), { minLength: 8, maxLength: 8 }),
    label: fc.constantFrom(-1, 1),
  })
  .map(({ features, values, label }) => ({ indices: features.sort((a, b) => a - b), values, label }));
/** One of them has the last feature, so that the dimension is the same. */
const examples = fc
  .array(example, { minLength: 6, maxLength: 20 })
  .map((list) => [{ indices: [far - 1], values: [1], label: 1 }, ...list]);

function storeOf(list: readonly Example[]): ExampleStore {
  const store = new ExampleStore(kernels, { compact: true });
  for (let at = 0; at < list.length; at += 7) {
    const some = list.slice(at, at + 7);
    store.append(
      sparseBatch(
        some.map(({ indices, values }) => ({ indices: [...indices], values: values.slice(0, indices.length) })),
        some.map(({ label }) => label),
      ),
    );
  }
  return store;
}

const candidates = (Object.entries(rules) as [RuleName, RuleDefinition][])
  .filter(([rule]) => rule !== 'tree')
  .map(([rule]) => rule);

describe('renumbered features', () => {
  test('keep their order and count those that occur', () => {
    forAll(100, examples, (list) => {
      const store = storeOf(list);
      const occurring = [...new Set(list.flatMap(({ indices }) => indices))].sort((a, b) => a - b);
      const features = OccurringFeatures.of(store)!;
      expect(features.count).toBe(occurring.length);
      const batch = store
        .gather(
          Uint32Array.from(list, (_, i) => i),
          list.length,
        )
        .next().value as StoredBatch;
      if (batch.kind === 'dense') throw new Error('these are sparse');
      features.renumber(batch);
      expect([...batch.indices.subarray(0, batch.offsets[batch.rows])]).toEqual(
        list.flatMap(({ indices }) => indices.map((index) => occurring.indexOf(index))),
      );
      store.free();
    });
  });

  test.each(candidates)('give the same scores in every fold, bit for bit: %s', async (rule) => {
    await forAllAsync(3, examples, async (list) => {
      const store = storeOf(list);
      const scoresOf = async (renumber: boolean) => {
        const dealt = new FoldedExamples(kernels, store, { folds: 2, repeat: 0, seed: 3, renumber });
        const told: number[] = [];
        const arena = {
          kernels,
          classes: 2,
          weighing: new ClassWeighing(null),
          encoding: () => ({ kind: 'hashed', bits: 22 }) as const,
          breathe: async () => {},
        };
        const candidate = { rule, options: completeRuleOptions(rule, {}), multiclass: 'one-vs-rest' as const };
        for (let fold = 0; fold < 2; fold++) {
          for (const batch of dealt.learnedFrom(fold) as Iterable<StoredBatch>)
            expect(batch.dimension).toBeLessThanOrEqual(renumber ? 8 * list.length : far);
          await runFold(candidate, arena, dealt, fold, {
            passes: [1, 3],
            onScores: (_, scores) => void told.push(...scores),
          });
        }
        dealt.free();
        return told;
      };
      expect(await scoresOf(true)).toEqual(await scoresOf(false));
      store.free();
    });
  });
});
