import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arraySource } from '../../src/data/in-memory.ts';
import { HoldoutSplit } from '../../src/data/split.ts';
import type { RunOptions, TrainStep } from '../../src/train/options.ts';
import { type PresetName, presets } from '../../src/train/presets.ts';
import { trainOnce } from '../../src/train/train-once.ts';
import { decimal, dense, examplesOf } from '../support/examples.ts';
import { wasm } from '../support/kernels.ts';
import { learnedByExample } from '../support/several.ts';

const kernels = wasm();
const options: fc.Arbitrary<RunOptions> = fc.oneof(
  fc.record({
    rule: fc.constantFrom(...learnedByExample),
    order: fc.constantFrom(
      'auto' as const,
      'cyclic' as const,
      'shuffled' as const,
      'shuffled-once' as const,
      'random' as const,
    ),
    passes: fc.integer({ min: 1, max: 5 }),
    holdout: fc.constantFrom(undefined, 0.3),
  }),
  fc.record({ as: fc.constantFrom(...(Object.keys(presets) as PresetName[])), passes: fc.integer({ min: 1, max: 5 }) }),
  fc.record({
    rule: fc.constantFrom('averaged' as const, 'sgd' as const),
    patience: fc.constant(1),
    passes: fc.constant(6),
  }),
);

/** Tests if there are two classes, and for early stopping two rows of one of them. */
function isLearnable(data: readonly { readonly y: number }[], { patience }: RunOptions): boolean {
  return new Set(data.map(({ y }) => y)).size === 2 && (patience === undefined || data.length > 2);
}

describe('steps of a run', () => {
  it('are reported until the observer ends it, without a change of the run', async () => {
    await fc.assert(
      fc.asyncProperty(
        examplesOf(decimal, { rows: 30 }),
        options,
        fc.integer({ min: 1, max: 90 }),
        async (data, given, most) => {
          fc.pre(isLearnable(data, given) && given.holdout === undefined);
          const source = () => arraySource([dense(data.slice(0, 7)), dense(data.slice(7))]);
          let all = 0;
          const whole = await trainOnce(source(), { ...given, kernels, onStep: () => void all++ });
          let told = 0;
          const cut = await trainOnce(source(), { ...given, kernels, onStep: () => ++told < most });
          expect(told).toBe(Math.min(all, most));
          expect(cut).toEqual(whole);
        },
      ),
    );
  });

  it('do not change the run, to the bit, and report every example and every update', async () => {
    await fc.assert(
      fc.asyncProperty(examplesOf(decimal, { rows: 40 }), options, fc.nat(1000), async (data, given, seed) => {
        fc.pre(isLearnable(data, given));
        const split = given.holdout === undefined ? null : new HoldoutSplit(given.holdout, seed);
        const learnable = data.flatMap(({ y }, i) => (split?.next(y) ? [] : [i]));
        fc.pre(new Set(learnable.map((i) => data[i]!.y)).size === 2);
        const source = () => arraySource([dense(data.slice(0, 7)), dense(data.slice(7))]);
        const steps: Omit<TrainStep, 'learner'>[] = [];
        let functions: unknown = null;
        const watched = await trainOnce(source(), {
          ...given,
          seed,
          kernels,
          onStep: ({ learner, ...step }) => {
            steps.push(step);
            functions = learner.functions();
          },
        });
        expect(watched).toEqual(await trainOnce(source(), { ...given, seed, kernels }));
        const { report } = watched;
        expect(functions).not.toBeNull();
        const perPass = report.updatesPerPass.map(
          (_, k) => steps.filter((step) => step.pass === k + 1 && step.updated).length,
        );
        // A rule may update more than once on an example that it sees; none here does.
        expect(perPass).toEqual(report.updatesPerPass);
        expect(steps.at(-1)!.pass).toBe(report.passes);
        for (let k = 0; k < steps.length; k++) {
          const { pass, position, row } = steps[k]!;
          const before = steps[k - 1];
          expect(position).toBe(before?.pass === pass ? before.position + 1 : 0);
          expect(learnable).toContain(row);
        }
        if (given.patience === undefined && (given.order === 'cyclic' || given.as === 'blog'))
          expect(steps.map(({ row }) => row)).toEqual(
            Array.from({ length: report.passes }, () => learnable)
              .flat()
              .slice(0, steps.length),
          );
      }),
      { numRuns: 150 },
    );
  });
});
