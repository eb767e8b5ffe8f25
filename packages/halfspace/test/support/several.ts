import fc from 'fast-check';
import { type DenseBatch, denseBatch, type SparseBatch, type StoredBatch, sparseBatch } from '../../src/batch.ts';
import { ExampleStore } from '../../src/data/store.ts';
import type { Kernels } from '../../src/kernels/kernels.ts';
import type { LearnedFunction, Learner, LearnerState, LinearParameters } from '../../src/rules/learner.ts';
import { completeRuleOptions, createMulticlassLearner, type RuleName, rules } from '../../src/rules/registry.ts';
import type { SgdOptions } from '../../src/rules/sgd-options.ts';
import type { Labelled } from '../oracles/classes.ts';
import { bits } from '../rules/conformance.ts';

/** Examples of several classes; not every class need have any. */
export interface Several {
  readonly data: readonly Labelled[];
  readonly classes: number;
}

export function severalOf(
  number: fc.Arbitrary<number>,
  { rows = 14, features = 9, least = 2 }: { rows?: number; features?: number; least?: number } = {},
): fc.Arbitrary<Several> {
  return fc.tuple(fc.integer({ min: least, max: 5 }), fc.integer({ min: 1, max: features })).chain(([classes, d]) =>
    fc
      .array(fc.record({ x: fc.array(number, { minLength: d, maxLength: d }), y: fc.nat(classes - 1) }), {
        minLength: 1,
        maxLength: rows,
      })
      .map((data) => ({ data, classes })),
  );
}

/** More than any of these tests has. */
const mostClasses = 100;

export function denseSeveral(data: readonly Labelled[], importance: readonly number[] | null = null): DenseBatch {
  return denseBatch(
    data.map(({ x }) => x),
    data.map(({ y }) => y),
    importance,
    mostClasses,
  );
}

/** With the zeros, so that elements fall into the same lanes as in dense rows. */
export function sparseSeveral(data: readonly Labelled[], importance: readonly number[] | null = null): SparseBatch {
  return sparseBatch(
    data.map(({ x }) => ({ indices: x.map((_, j) => j), values: x })),
    data.map(({ y }) => y),
    importance,
    mostClasses,
  );
}

/** As an example store keeps sparse rows of short decimals; valid while the store is. */
export function compactSeveral(kernels: Kernels, data: readonly Labelled[]): { batch: StoredBatch; free(): void } {
  const store = new ExampleStore(kernels, { compact: true });
  store.append(sparseSeveral(data));
  const batch = store.load(0);
  if (batch.kind !== 'compact') throw new Error('expected rows that can be kept compactly');
  return { batch, free: () => store.free() };
}

/** A way to learn several classes. */
export interface SeveralUnderTest {
  readonly name: string;
  /** @param classes how many are known from the start. */
  readonly create: (kernels: Kernels, classes?: number, state?: LearnerState) => Learner;
}

/** Options of the rules beside their defaults. */
const variants: Partial<Record<string, readonly object[]>> = {
  perceptron: [{}, { updateWhen: 'below-zero' }, { updateWhen: 'sign-differs' }],
  margin: [{}, { margin: 2.5 }],
  'passive-aggressive': [
    { variant: 'pa' },
    { variant: 'pa-1', aggressiveness: 0.25 },
    { variant: 'pa-2', average: true },
  ],
};

/** Every registered rule that learns example by example; a tree does not. */
export const learnedByExample = (Object.keys(rules) as RuleName[]).filter((rule) => 'create' in rules[rule]);

/** Options of sgd with the loss that learns all classes together. */
export const jointOptions = [
  {},
  { alpha: 0.1, answer: 'last' },
  { penalty: 'elastic-net', alpha: 0.05, schedule: 'inverse-scaling', rate: 0.1, answer: 'mean' },
  { penalty: 'none', schedule: 'constant', rate: 0.1 },
] as const satisfies readonly SgdOptions[];

/** Each of these one versus rest, and all at once where it can. */
const byRule: readonly SeveralUnderTest[] = learnedByExample.flatMap((rule) =>
  (variants[rule] ?? [{}]).flatMap((given) => {
    const options = completeRuleOptions(rule, given);
    const strategies = ['one-vs-rest', ...('multiclass' in rules[rule] ? ['kesler'] : [])] as (
      | 'one-vs-rest'
      | 'kesler'
    )[];
    return strategies.map((strategy) => ({
      name: `${strategy} of ${[rule, ...Object.values(given)].join(', ')}`,
      create: (kernels: Kernels, classes = 0, state?: LearnerState) =>
        createMulticlassLearner(kernels, rule, strategy, { ...options, classes }, state),
    }));
  }),
);

export const severalUnderTest: readonly SeveralUnderTest[] = [
  ...byRule,
  ...jointOptions.map((given) => ({
    name: `joint of sgd, ${['multinomial', ...Object.values(given)].join(', ')}`,
    create: (kernels: Kernels, classes = 0, state?: LearnerState) =>
      createMulticlassLearner(kernels, 'sgd', 'joint', { loss: 'multinomial', ...given, classes }, state),
  })),
];

/** All that can be seen of a learner, down to the bits. */
export function seenOf(learner: Learner): object {
  return { functions: functionBits(learner.functions()), progress: learner.progress, outputs: learner.outputs };
}

/** Functions of a learner whose rule has weights. */
export function weightsOf(learner: Learner): readonly LinearParameters[] {
  return learner.functions().map((each) => {
    if (!('weights' in each)) throw new TypeError('expected weights');
    return each;
  });
}

export function functionBits(functions: readonly LearnedFunction[]): object[] {
  return functions.map((each) => {
    if (!('weights' in each)) return structuredClone(each);
    return { weights: bits(each.weights), bias: bits(Float64Array.of(each.bias)) };
  });
}

export const importanceOf = (number: fc.Arbitrary<number>, { data }: Several): fc.Arbitrary<number[]> =>
  fc.array(number, { minLength: data.length, maxLength: data.length });
