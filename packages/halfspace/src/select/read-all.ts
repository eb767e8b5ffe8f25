import type { ExampleSource } from '../data/source.ts';
import { HoldoutSplit } from '../data/split.ts';
import type { StoreOptions } from '../data/store.ts';
import type { FoldContext } from '../evaluate/candidate.ts';
import type { OptionNames } from '../features/option-names.ts';
import type { Kernels } from '../kernels/kernels.ts';
import { createKernels } from '../kernels/load.ts';
import { type Breathe, createBreathe } from '../train/breathe.ts';
import { ClassWeighing } from '../train/class-weights.ts';
import { Intake } from '../train/intake.ts';
import type { ClassWeights } from '../train/plan.ts';

/** What tells how examples are to be read for many runs over them. */
export interface ReadOptions {
  readonly positive?: string | undefined;
  readonly classWeights?: ClassWeights | null | undefined;
  /** Share to keep out of it, in (0, 1), or 0. */
  readonly holdout?: number | undefined;
  readonly seed: number;
  readonly kernels?: Kernels | undefined;
  readonly store?: StoreOptions | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The names of the options of many runs over the same examples. */
export const readOptionNames: OptionNames<Omit<ReadOptions, 'seed' | 'holdout'>> = {
  positive: true,
  classWeights: true,
  kernels: true,
  store: true,
  signal: true,
};

/** All examples of a source, read for many runs over them. */
export interface AllExamples {
  readonly intake: Intake;
  readonly classes: readonly string[];
  readonly context: FoldContext;
  /** The same as the context's. */
  readonly breathe: Breathe;
}

/** Reads all of a source; the caller frees the intake. @throws HalfspaceError as `train` does. */
export async function readAll(source: ExampleSource, options: ReadOptions): Promise<AllExamples> {
  const { holdout = 0, seed, classWeights = null, signal } = options;
  const kernels = options.kernels ?? createKernels();
  const intake = new Intake(kernels, source, {
    positive: options.positive,
    split: holdout > 0 ? new HoldoutSplit(holdout, seed) : null,
    keepAll: true,
    store: { ...options.store, compact: true },
  });
  const breathe = createBreathe(signal, 'expected to try all candidates; stopped before that');
  try {
    for await (const _ of intake.batches()) await breathe();
    const classes = intake.classes();
    const weighing = classWeights === null ? null : new ClassWeighing(classWeights, classes, intake.classExamples);
    return {
      intake,
      classes,
      context: { kernels, classes: classes.length, weighing, encoding: () => source.encoding(), breathe },
      breathe,
    };
  } catch (error) {
    intake.free();
    throw error;
  }
}
