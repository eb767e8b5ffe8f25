import type { ExampleSource, Source } from '../data/source.ts';
import { HalfspaceError, quote } from '../errors.ts';
import { type Candidate, candidateOf } from '../evaluate/candidate.ts';
import { checkWhole } from '../evaluate/checks.ts';
import { correctedResampledTTest, type DifferenceTest } from '../evaluate/compare.ts';
import { crossValidate } from '../evaluate/cross-validate.ts';
import { runFold } from '../evaluate/fold-runs.ts';
import { spreadOf } from '../evaluate/run-curves.ts';
import { checkOptionNames, type OptionNames } from '../features/option-names.ts';
import type { Kernels } from '../kernels/kernels.ts';
import { loadKernels } from '../kernels/load-late.ts';
import type { Score } from '../model/metrics.ts';
import type { Strategy } from '../model/multiclass/model.ts';
import { definitionOf, hasPasses, type RuleName, rulesWith } from '../rules/registry.ts';
import { type Rule, type RuleWithOptions, ruleOf } from '../rules/rule-with-options.ts';
import { type CrossValidationOptions, crossValidationNames, withFolds } from './read-all.ts';

export interface CompareOptions extends CrossValidationOptions {
  /**
   * Rules to compare: names, or names with options, `{ name: 'sgd', alpha: 0.01 }`. Default: every rule that learns
   * weights, with its defaults. This excludes `tree` and dual rules, whose time grows with the number of rows times
   * that of mistakes.
   */
  readonly candidates?: readonly Rule[] | undefined;
  /** Number of repetitions of the cross-validation, a whole number from 1. Default 3. */
  readonly repeats?: number | undefined;
  /** Called after every run. */
  readonly onProgress?: ((progress: CompareProgress) => void) | undefined;
}

/** Progress of {@link compareRules}: `done` of `of` runs are finished. */
export interface CompareProgress {
  readonly done: number;
  readonly of: number;
}

const compareOptionNames: OptionNames<CompareOptions> = {
  ...crossValidationNames,
  candidates: true,
  repeats: true,
  onProgress: true,
};

export interface Comparison {
  readonly examples: number;
  readonly classes: readonly string[];
  readonly folds: number;
  readonly repeats: number;
  readonly passes: number;
  /** Accuracy of always predicting the most frequent class. */
  readonly baseline: number;
  /** Best first. */
  readonly compared: readonly Compared[];
  /** Notes for the user about how the data are read and about classes with fewer rows than folds. */
  readonly notes: readonly string[];
}

/** A rule and its result. */
export interface Compared {
  /** The rule with all its options, in the form that `train` takes. */
  readonly rule: RuleWithOptions;
  /** Strategy for several classes. */
  readonly multiclass: Strategy;
  /** Mean accuracy over all folds of all repetitions. */
  readonly accuracy: number;
  /** Standard deviation of the accuracy over these folds. */
  readonly spread: number;
  /** Accuracy in every fold, repetition by repetition. */
  readonly foldAccuracies: readonly number[];
  /** Tests if the first one is better: corrected resampled t-test of the differences per fold; null for the first. */
  readonly behind: DifferenceTest | null;
}

/**
 * Compares rules by repeated stratified cross-validation. All rules use the same folds and the same order of examples.
 * Equal data, options and seed give equal results.
 *
 * @throws HalfspaceError `option-invalid`, and as `train` does.
 */
export async function compareRules(source: Source | ExampleSource, options: CompareOptions = {}): Promise<Comparison> {
  return compareRulesWith(await loadKernels(), source, options);
}

/** {@link compareRules} with given kernels. */
export async function compareRulesWith(
  kernels: Kernels,
  source: Source | ExampleSource,
  options: CompareOptions = {},
): Promise<Comparison> {
  checkOptionNames(options, compareOptionNames, 'compareRules');
  const { folds = 5, repeats = 3, passes = 10, seed = 1, multiclass, onProgress } = options;
  checkWhole('repeats', repeats, 1);
  const candidates = candidatesOf(options.candidates, multiclass);
  return withFolds(
    kernels,
    source,
    { ...options, folds, passes, seed },
    async ({ intake, classes, context, notes }) => {
      const scores = candidates.map((): Score[] => []);
      await crossValidate(intake.store, context, {
        folds,
        repeats,
        seed,
        renumber: candidates.every(({ rule }) => hasPasses(rule)),
        candidates: candidates.length,
        onProgress: (done, of) => onProgress?.({ done, of }),
        run: async (k, dealt, fold) => {
          const [judged] = await runFold(candidates[k]!, context, dealt, fold, { passes: [passes] });
          scores[k]!.push(judged!.heldOut);
        },
      });
      return {
        examples: intake.rows,
        classes,
        folds,
        repeats,
        passes,
        baseline: Math.max(...intake.classExamples) / intake.rows,
        compared: ranked(candidates, scores, folds),
        notes,
      };
    },
  );
}

function candidatesOf(given: CompareOptions['candidates'], multiclass: Strategy | undefined): Candidate[] {
  if (given !== undefined && !Array.isArray(given))
    throw new HalfspaceError('option-invalid', `candidates must be a list of rules; got ${quote(given)}`);
  return (given ?? comparedByDefault()).map((rule) => candidateOf(rule, multiclass));
}

function comparedByDefault(): RuleName[] {
  return rulesWith('create').filter((rule) => definitionOf(rule).dual !== true);
}

/** Ranks candidates, best first; equal ones keep their order. */
function ranked(candidates: readonly Candidate[], scores: readonly Score[][], folds: number): Compared[] {
  const order = candidates
    .map((candidate, k) => ({ candidate, shares: scores[k]!.map(({ accuracy }) => accuracy), ...spreadOf(scores[k]!) }))
    .sort((a, b) => b.mean - a.mean);
  const best = order[0]!.shares;
  return order.map(({ candidate, shares, mean, deviation }, place) => {
    const differences = Float64Array.from(shares, (share, k) => best[k]! - share);
    return {
      rule: ruleOf(candidate.rule, candidate.options),
      multiclass: candidate.multiclass,
      accuracy: mean,
      spread: deviation,
      foldAccuracies: shares,
      behind: place === 0 ? null : correctedResampledTTest(differences, 1 / (folds - 1)),
    };
  });
}
