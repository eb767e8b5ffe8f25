import type { ExampleSource } from '../data/source.ts';
import { HalfspaceError } from '../errors.ts';
import type { Candidate } from '../evaluate/candidate.ts';
import { checkWhole } from '../evaluate/checks.ts';
import { FoldedExamples } from '../evaluate/folded-examples.ts';
import {
  type LearningCurve,
  learningBatch,
  learningCurveOf,
  type ValidationCurve,
  validationCurveOf,
  validationPasses,
} from '../evaluate/run-curves.ts';
import { checkOptionNames, type OptionNames } from '../features/option-names.ts';
import type { Strategy } from '../model/model.ts';
import { completeRuleOptions, hasPasses, type RuleName } from '../rules/registry.ts';
import { type AllExamples, type ReadOptions, readAll, readOptionNames } from './read-all.ts';

/** Options of {@link learningCurve} and {@link validationCurve}. */
export interface RunCurveOptions extends Omit<ReadOptions, 'seed' | 'holdout'> {
  /** Default `averaged`. */
  readonly rule?: RuleName | undefined;
  /** Options of the rule's own that are not to be the defaults. */
  readonly options?: object | undefined;
  /** k of the k-fold cross-validation, a whole number from 2. Default 5. */
  readonly folds?: number | undefined;
  /** Passes of every run, of a validation curve those of the longest; a whole number from 1. Default 10, of a validation curve 20. */
  readonly passes?: number | undefined;
  /** How many examples to take, drawn by the seed; a whole number from 1. Default all. */
  readonly examples?: number | undefined;
  /** Default `one-vs-rest`. */
  readonly multiclass?: Strategy | undefined;
  /** Default 1. */
  readonly seed?: number | undefined;
}

/**
 * How well a rule does, on what it learned from and on the fold held out, when it learns from ever more examples: 10 numbers of them, growing
 * geometrically. Same data, options and seed, same curve.
 *
 * @throws HalfspaceError `option-invalid`, and as `train` does.
 */
export function learningCurve(source: ExampleSource, options: RunCurveOptions = {}): Promise<LearningCurve> {
  const { passes = 10 } = options;
  return withFolds(source, options, (candidate, { context, breathe }, dealt) =>
    learningCurveOf(candidate, context, dealt, { passes, onRun: breathe }),
  );
}

/**
 * How well a rule does, on what it learned from and on the fold held out, after 1, 2, 3, 5, 8, 12, 20 … passes. Same data, options and
 * seed, same curve.
 *
 * @throws HalfspaceError `option-invalid`, and as `train` does.
 */
export function validationCurve(source: ExampleSource, options: RunCurveOptions = {}): Promise<ValidationCurve> {
  const { passes = 20 } = options;
  const judged = validationPasses(passes).filter((pass) => pass <= passes);
  return withFolds(source, options, (candidate, { context, breathe }, dealt) =>
    validationCurveOf(candidate, context, dealt, { passes: judged, onRun: breathe }),
  );
}

const curveOptionNames: OptionNames<RunCurveOptions> = {
  ...readOptionNames,
  rule: true,
  options: true,
  folds: true,
  passes: true,
  examples: true,
  multiclass: true,
  seed: true,
};

async function withFolds<Curve>(
  source: ExampleSource,
  given: RunCurveOptions,
  draw: (candidate: Candidate, all: AllExamples, dealt: FoldedExamples) => Promise<Curve>,
): Promise<Curve> {
  checkOptionNames(given, curveOptionNames, 'a curve');
  const { rule = 'averaged', options = {}, folds = 5, passes = 1, seed = 1, multiclass = 'one-vs-rest' } = given;
  checkWhole('folds', folds, 2);
  checkWhole('passes', passes, 1);
  checkWhole('seed', seed, 0);
  if (given.examples !== undefined) checkWhole('examples', given.examples, 1);
  const candidate = { rule, options: completeRuleOptions(rule, options), multiclass };
  const all = await readAll(source, { ...given, seed });
  const { intake, context } = all;
  try {
    const rarest = Math.min(...intake.classExamples);
    if (folds > rarest)
      throw new HalfspaceError(
        'option-invalid',
        `folds must be at most the number of examples of the rarest class, ${rarest}; got ${folds}`,
        { source: source.name },
      );
    const examples = Math.min(intake.rows, given.examples ?? Infinity);
    const batch = learningBatch(Math.floor((examples * (folds - 1)) / folds), context.classes, folds);
    const dealt = new FoldedExamples(context.kernels, intake.store, {
      folds,
      repeat: 0,
      seed,
      examples,
      batch,
      renumber: hasPasses(rule),
    });
    try {
      return await draw(candidate, all, dealt);
    } finally {
      dealt.free();
    }
  } finally {
    intake.free();
  }
}
