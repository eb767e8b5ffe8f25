import type { ExampleSource } from '../data/source.ts';
import { HalfspaceError } from '../errors.ts';
import type { Candidate } from '../evaluate/candidate.ts';
import { checkWhole } from '../evaluate/checks.ts';
import { correctedResampledTTest, type DifferenceTest } from '../evaluate/compare.ts';
import { runFold } from '../evaluate/fold-runs.ts';
import { FoldedExamples } from '../evaluate/folded-examples.ts';
import { checkOptionNames, type OptionNames } from '../features/option-names.ts';
import type { Strategy } from '../model/model.ts';
import { completeRuleOptions, definitionOf, hasPasses, type RuleName, rulesWith } from '../rules/registry.ts';
import { type ReadOptions, readAll, readOptionNames } from './read-all.ts';

export interface CompareOptions extends Omit<ReadOptions, 'seed' | 'holdout'> {
  /**
   * What is compared: rules, with options of theirs where these are not the defaults. Default: every rule that learns weights row by row,
   * with its defaults: all but `tree`, and those in dual form, whose time grows with the number of rows times that of mistakes.
   */
  readonly candidates?: readonly { readonly rule: RuleName; readonly options?: object | undefined }[] | undefined;
  /** k of the k-fold cross-validation, a whole number from 2. Default 5. */
  readonly folds?: number | undefined;
  /** How often the examples are dealt out anew, a whole number from 1. Default 3. */
  readonly repeats?: number | undefined;
  /** Passes of every run, a whole number from 1. Default 10. */
  readonly passes?: number | undefined;
  /** Default `one-vs-rest`. */
  readonly multiclass?: Strategy | undefined;
  /** Default 1. */
  readonly seed?: number | undefined;
  readonly onProgress?: ((done: number, of: number) => void) | undefined;
}

const compareOptionNames: OptionNames<CompareOptions> = {
  ...readOptionNames,
  candidates: true,
  folds: true,
  repeats: true,
  passes: true,
  multiclass: true,
  seed: true,
  onProgress: true,
};

export interface Comparison {
  readonly examples: number;
  readonly classes: readonly string[];
  readonly folds: number;
  readonly repeats: number;
  readonly passes: number;
  /** Share right of always naming the most frequent class: what there is to beat. */
  readonly baseline: number;
  /** Best first. */
  readonly compared: readonly Compared[];
}

export interface Compared extends Candidate {
  /** Mean share right over all folds of all repetitions. */
  readonly accuracy: number;
  /** Its standard deviation over them. */
  readonly spread: number;
  /** Share right in every fold, repetition by repetition. */
  readonly foldAccuracies: readonly number[];
  /** How surely the first one is better, by the corrected resampled t-test of the folds' differences; null for the first. */
  readonly behind: DifferenceTest | null;
}

/**
 * Rules side by side, by repeated stratified cross-validation: all of them learn from the same folds, in the same order, and are judged on
 * the same examples. Same data, options and seed, same numbers.
 *
 * @throws HalfspaceError `option-invalid`, and as `train` does.
 */
export async function compareRules(source: ExampleSource, options: CompareOptions = {}): Promise<Comparison> {
  checkOptionNames(options, compareOptionNames, 'compareRules');
  const { folds = 5, repeats = 3, passes = 10, seed = 1, multiclass = 'one-vs-rest', onProgress } = options;
  checkWhole('folds', folds, 2);
  checkWhole('repeats', repeats, 1);
  checkWhole('passes', passes, 1);
  checkWhole('seed', seed, 0);
  const candidates = candidatesOf(options.candidates, multiclass);
  const { intake, classes, context, breathe } = await readAll(source, { ...options, seed });
  try {
    const rarest = Math.min(...intake.classExamples);
    if (folds > rarest)
      throw new HalfspaceError(
        'option-invalid',
        `folds must be at most the number of examples of the rarest class, ${rarest}; got ${folds}`,
        { source: source.name },
      );
    const accuracies = candidates.map((): number[] => []);
    const of = candidates.length * folds * repeats;
    const renumber = candidates.every(({ rule }) => hasPasses(rule));
    let done = 0;
    for (let repeat = 0; repeat < repeats; repeat++) {
      const dealt = new FoldedExamples(context.kernels, intake.store, { folds, repeat, seed, renumber });
      try {
        for (const [k, candidate] of candidates.entries())
          for (let fold = 0; fold < folds; fold++) {
            const [judged] = await runFold(candidate, context, dealt, fold, [passes]);
            accuracies[k]!.push(judged!.accuracy);
            onProgress?.(++done, of);
            await breathe();
          }
      } finally {
        dealt.free();
      }
    }
    return {
      examples: intake.rows,
      classes,
      folds,
      repeats,
      passes,
      baseline: Math.max(...intake.classExamples) / intake.rows,
      compared: ranked(candidates, accuracies, folds),
    };
  } finally {
    intake.free();
  }
}

function candidatesOf(given: CompareOptions['candidates'], multiclass: Strategy): Candidate[] {
  const list = given ?? comparedByDefault().map((rule) => ({ rule }));
  return list.map(({ rule, options = {} }: { readonly rule: RuleName; readonly options?: object | undefined }) => ({
    rule,
    options: completeRuleOptions(rule, options),
    multiclass,
  }));
}

function comparedByDefault(): RuleName[] {
  return rulesWith('create').filter((rule) => definitionOf(rule).dual !== true);
}

/** Best first; of equals in the order given. */
function ranked(candidates: readonly Candidate[], accuracies: readonly number[][], folds: number): Compared[] {
  const order = candidates
    .map((candidate, k) => ({ candidate, shares: accuracies[k]!, mean: meanOf(accuracies[k]!) }))
    .sort((a, b) => b.mean - a.mean);
  const best = order[0]!.shares;
  return order.map(({ candidate, shares, mean }, place) => ({
    ...candidate,
    accuracy: mean,
    spread: deviation(shares, mean),
    foldAccuracies: shares,
    behind:
      place === 0
        ? null
        : correctedResampledTTest(
            Float64Array.from(shares, (share, k) => best[k]! - share),
            1 / (folds - 1),
          ),
  }));
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function deviation(values: readonly number[], mean: number): number {
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / Math.max(1, values.length - 1));
}
