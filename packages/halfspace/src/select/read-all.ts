import { createBreathe } from '../data/breathe.ts';
import { storeOptions } from '../data/input/file-access.ts';
import { openSource } from '../data/open-source.ts';
import type { ExampleSource, Source } from '../data/source.ts';
import { HoldoutSplit } from '../data/split.ts';
import type { StoreOptions } from '../data/store.ts';
import { HalfspaceError } from '../errors.ts';
import type { FoldContext } from '../evaluate/candidate.ts';
import { checkWhole } from '../evaluate/checks.ts';
import { optionNames } from '../features/option-names.ts';
import type { Kernels } from '../kernels/kernels.ts';
import { loadKernels } from '../kernels/load-late.ts';
import type { Strategy } from '../model/multiclass/model.ts';
import { ClassWeighing, classFactors } from '../train/class-weights.ts';
import type { FeatureMeans } from '../train/feature-means.ts';
import { Intake } from '../train/intake.ts';
import type { ClassWeights } from '../train/plan.ts';
import { foldsNote } from './run-notes.ts';

/** Options of reading examples for several runs. */
export interface ReadOptions {
  readonly positive?: string | undefined;
  readonly classWeights?: ClassWeights | null | undefined;
  /** Share to hold out, in (0, 1), or 0. Default 0. */
  readonly holdout?: number | undefined;
  readonly seed: number;
  readonly kernels?: Kernels | undefined;
  readonly store?: StoreOptions | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Largest number of threads that runs use, a whole number from 1. Results are the same. Default: all cores. */
  readonly threads?: number | undefined;
  /** Takes the features of the training examples. */
  readonly means?: FeatureMeans | undefined;
}

/** Options of a cross-validation of given rules. */
export interface CrossValidationOptions extends Omit<ReadOptions, 'seed' | 'holdout' | 'kernels' | 'means'> {
  /** k of the k-fold cross-validation, a whole number from 2. Default 5. */
  readonly folds?: number | undefined;
  /** Number of passes of every run, a whole number from 1. Default 10. */
  readonly passes?: number | undefined;
  /** Default `one-vs-rest`. */
  readonly multiclass?: Strategy | undefined;
  /** Default 1. */
  readonly seed?: number | undefined;
}

export const crossValidationNames = optionNames<CrossValidationOptions>()(
  'positive classWeights store signal threads folds passes multiclass seed',
);

/** All examples of a source, for several runs. */
export interface AllExamples {
  readonly intake: Intake;
  readonly classes: readonly string[];
  readonly context: FoldContext;
}

/** Reads a whole source, and frees it after `use`. @throws HalfspaceError as `train` does. */
export async function withAll<T>(
  source: ExampleSource,
  options: ReadOptions,
  use: (all: AllExamples) => Promise<T>,
): Promise<T> {
  const { holdout = 0, seed, classWeights = null, positive, signal, threads } = options;
  const kernels = options.kernels ?? (await loadKernels());
  const intake = new Intake(kernels, source, {
    positive,
    split: holdout > 0 ? new HoldoutSplit(holdout, seed) : null,
    keepAll: true,
    means: options.means,
    store: { ...options.store, compact: true },
  });
  const breathe = createBreathe(signal, () => 'expected to try all candidates; stopped before that');
  try {
    for await (const _ of intake.batches()) await breathe();
    const classes = intake.classes();
    const weighing = new ClassWeighing(classFactors(classWeights, classes, intake.classExamples));
    const encoding = () => source.encoding();
    const context = { kernels, classes: classes.length, weighing, encoding, threads, breathe };
    return await use({ intake, classes, context });
  } finally {
    intake.free();
  }
}

/**
 * Checks the options of a cross-validation, then opens a source and reads all of it.
 *
 * @throws HalfspaceError as `train` does.
 */
export async function withFolds<T>(
  kernels: Kernels,
  given: Source | ExampleSource,
  options: Omit<CrossValidationOptions, 'passes'> & { readonly folds: number; readonly seed: number },
  use: (all: AllExamples & { readonly notes: readonly string[] }) => Promise<T>,
): Promise<T> {
  const { folds, seed } = options;
  checkWhole('folds', folds, 2);
  if (options.threads !== undefined) checkWhole('threads', options.threads, 1);
  checkWhole('seed', seed, 0);
  const source = await openSource(given, { kernels, signal: options.signal });
  const store = await storeOptions(options.store);
  return withAll(source, { ...options, kernels, store }, async (all) => {
    const { rows } = all.intake;
    if (folds > rows)
      throw new HalfspaceError(
        'option-invalid',
        `folds must be at most the number of examples, ${rows}; got ${folds}`,
        {
          source: source.name,
        },
      );
    const note = foldsNote(all.classes, all.intake.classExamples, folds);
    return use({ ...all, notes: [...(source.notes ?? []), ...(note === null ? [] : [note])] });
  });
}
