import type { ExampleSource, Source } from '../data/source.ts';
import { type Candidate, candidateOf, type FoldContext } from '../evaluate/candidate.ts';
import { checkWhole } from '../evaluate/checks.ts';
import type { FoldedExamples } from '../evaluate/folded-examples.ts';
import {
  dealForCurves,
  type LearningCurve,
  learningCurveOf,
  type ValidationCurve,
  validationCurveOf,
  validationPasses,
} from '../evaluate/run-curves.ts';
import { checkOptionNames, optionNames } from '../features/option-names.ts';
import type { Kernels } from '../kernels/kernels.ts';
import { loadKernels } from '../kernels/load-late.ts';
import { FoldPool } from '../pool/fold-pool.ts';
import { hasHyperplanes } from '../rules/registry.ts';
import type { Rule } from '../rules/rule-with-options.ts';
import { type CrossValidationOptions, crossValidationNames, withFolds } from './read-all.ts';

/** Options of {@link learningCurve} and {@link validationCurve}. `passes` of the longest run is 20 by default. */
export interface RunCurveOptions extends CrossValidationOptions {
  /** The update rule: a name, or a name with options. Default `averaged`. */
  readonly rule?: Rule | undefined;
  /** Number of examples to sample by the seed, a whole number from 1. Default: all. */
  readonly examples?: number | undefined;
}

const curveOptionNames = [
  ...crossValidationNames,
  ...optionNames<Omit<RunCurveOptions, keyof CrossValidationOptions>>()('rule examples'),
];

/**
 * Returns the accuracy of a rule on training examples and on the held-out fold, for 10 sizes of the training set that
 * grow geometrically. Equal data, options and seed give equal curves.
 *
 * @throws HalfspaceError `option-invalid`, and as `train` does.
 */
export async function learningCurve(
  source: Source | ExampleSource,
  options: RunCurveOptions = {},
): Promise<LearningCurve> {
  return learningCurveWith(await loadKernels(), source, options);
}

/** {@link learningCurve} with given kernels. */
export function learningCurveWith(
  kernels: Kernels,
  source: Source | ExampleSource,
  options: RunCurveOptions = {},
): Promise<LearningCurve> {
  const { passes = 10 } = options;
  return drawn(kernels, source, { ...options, passes }, (candidate, context, dealt, runner) =>
    learningCurveOf(candidate, context, dealt, { passes, runner }),
  );
}

/**
 * Returns the accuracy of a rule on training examples and on the held-out fold, after 1, 2, 3, 5, 8, 12, 20 … passes.
 * Equal data, options and seed give equal curves.
 *
 * @throws HalfspaceError `option-invalid`, and as `train` does.
 */
export async function validationCurve(
  source: Source | ExampleSource,
  options: RunCurveOptions = {},
): Promise<ValidationCurve> {
  return validationCurveWith(await loadKernels(), source, options);
}

/** {@link validationCurve} with given kernels. */
export function validationCurveWith(
  kernels: Kernels,
  source: Source | ExampleSource,
  options: RunCurveOptions = {},
): Promise<ValidationCurve> {
  const { passes = 20 } = options;
  return drawn(kernels, source, { ...options, passes }, (candidate, context, dealt, runner) => {
    const judged = validationPasses(passes).filter((pass) => pass <= passes);
    return validationCurveOf(candidate, context, dealt, { passes: judged, runner });
  });
}

async function drawn<Curve>(
  kernels: Kernels,
  source: Source | ExampleSource,
  given: RunCurveOptions & { readonly passes: number },
  draw: (candidate: Candidate, context: FoldContext, dealt: FoldedExamples, runner: FoldPool) => Promise<Curve>,
): Promise<Curve> {
  checkOptionNames(given, curveOptionNames, 'a curve');
  const { rule = 'averaged', folds = 5, seed = 1, multiclass } = given;
  if (given.examples !== undefined) checkWhole('examples', given.examples, 1);
  checkWhole('passes', given.passes, 1);
  const candidate = candidateOf(rule, multiclass);
  return withFolds(kernels, source, { ...given, folds, seed }, async ({ intake, context }) => {
    const examples = Math.min(intake.rows, given.examples ?? Infinity);
    const dealt = dealForCurves(intake.store, context, {
      folds,
      seed,
      examples,
      renumber: hasHyperplanes(candidate.rule),
    });
    try {
      return await FoldPool.judging(context, candidate.rule, (pool) => draw(candidate, context, dealt, pool));
    } finally {
      dealt.free();
    }
  });
}
