import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type StoredBatch, sparseBatch } from '../../src/batch.ts';
import { OccurringFeatures } from '../../src/data/occurring-features.ts';
import { ExampleStore } from '../../src/data/store.ts';
import { runFold } from '../../src/evaluate/fold-runs.ts';
import { FoldedExamples } from '../../src/evaluate/folded-examples.ts';
import { createKernels } from '../../src/kernels/load.ts';
import { completeRuleOptions, type RuleName, rules } from '../../src/rules/registry.ts';
import type { RuleDefinition } from '../../src/rules/rule-definition.ts';
import { ClassWeighing } from '../../src/train/class-weights.ts';

const kernels = createKernels();
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
    fc.assert(
      fc.property(examples, (list) => {
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
      }),
      { numRuns: 100 },
    );
  });

  test.each(candidates)('give the same scores in every fold, bit for bit: %s', async (rule) => {
    await fc.assert(
      fc.asyncProperty(examples, async (list) => {
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
      }),
      { numRuns: 3 },
    );
  });
});
