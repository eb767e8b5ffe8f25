import type { ExampleStore } from '../data/store.ts';
import { type Arena, type Contestant, runFold } from '../evaluate/fold-runs.ts';
import { FoldedExamples } from '../evaluate/folded-examples.ts';
import type { Score } from '../model/metrics.ts';
import { completeRuleOptions, type RuleOptions } from '../rules/registry.ts';
import { type GridEntry, grid, judgedPasses } from './grid.ts';

/** A candidate and how it did. */
export interface Tried extends Contestant {
  /** The number of passes that did best. */
  readonly passes: number;
  /** Mean share of the held-out examples that were right, over the folds. */
  readonly accuracy: number;
  /** Standard deviation of that share over the folds. */
  readonly spread: number;
  /** Errors in one dealing of all examples to folds; the mean of several. */
  readonly errors: number;
  /** Folds judged. */
  readonly folds: number;
  /** Examples dealt out to the folds. */
  readonly examples: number;
}

/** What was tried, best first; each with what the last round that it took part in says of it. */
export interface Choice {
  readonly tried: readonly Tried[];
  /** Options of the best one for as many examples as there are. */
  readonly options: RuleOptions;
}

export interface ChooseOptions {
  readonly seed: number;
  /** How many numbers may be visited, counting those of costlier rules more. */
  readonly budget: number;
  readonly onProgress?: ((done: number, of: number) => void) | undefined;
  /** Called between runs; may throw to end the search. */
  readonly breathe: () => Promise<void>;
}

/** Folds of the first round and of the last. */
const roughFolds = 3;
const fineFolds = 5;
/** How many go on to the last round where not all can. */
const finalists = 3;
/** Examples that a round judges at least, by dealing few examples out several times. */
const fewestJudged = 1000;
const mostRepeats = 5;

/**
 * Picks a rule, its options and the number of passes by cross-validation.
 *
 * All candidates take part in a first round. Where the budget does not suffice for all examples, that round uses as large a part of them
 * as half the budget allows, and the best few go on to a second one with more. How much is tried depends on the data only, never on the time
 * it takes, so the same data give the same choice.
 *
 * @param store keeps its examples as they are; only read.
 */
export async function choose(
  store: ExampleStore,
  arena: Arena,
  { seed, budget, onProgress, breathe }: ChooseOptions,
): Promise<Choice> {
  const { rows, stored } = store;
  const entries = grid.filter(({ multiclass }) => multiclass === 'one-vs-rest' || arena.classes > 2);
  const price = (some: readonly GridEntry[], folds: number) =>
    some.reduce((sum, { cost }) => sum + cost, 0) *
    (folds - 1) *
    judgedPasses.at(-1)! *
    stored *
    (arena.classes > 2 ? arena.classes : 1);

  const affordable = Math.floor(budget / price(entries, fineFolds));
  if (affordable >= 1) {
    const repeats = Math.min(mostRepeats, affordable, Math.max(1, Math.ceil(fewestJudged / rows)));
    const tried = await round(entries, fineFolds, repeats, rows);
    return { tried, options: completeOf(entryOf(tried[0]!), rows) };
  }
  const some = sizeFor(entries, roughFolds);
  const first = await round(entries, roughFolds, 1, some);
  const best = first.slice(0, finalists).map(entryOf);
  const more = Math.max(some, sizeFor(best, roughFolds));
  const last = await round(best, roughFolds, 1, more);
  return { tried: [...last, ...first.slice(finalists)], options: completeOf(entryOf(last[0]!), rows) };

  function sizeFor(some: readonly GridEntry[], folds: number): number {
    return Math.max(Math.min(rows, 200), Math.min(rows, Math.floor((rows * budget) / 2 / price(some, folds))));
  }

  async function round(
    some: readonly GridEntry[],
    folds: number,
    repeats: number,
    examples: number,
  ): Promise<Ranked[]> {
    const scores = some.map(() => judgedPasses.map((): Score[] => []));
    const of = some.length * folds * repeats;
    let done = 0;
    for (let repeat = 0; repeat < repeats; repeat++) {
      const dealt = new FoldedExamples(arena.kernels, store, { folds, repeat, seed, examples });
      try {
        for (const [e, entry] of some.entries())
          for (let fold = 0; fold < folds; fold++) {
            const learned = examples - dealt.rows(fold);
            const contestant = { ...entry, options: completeOf(entry, learned) };
            runFold(contestant, arena, dealt, fold, judgedPasses).forEach((score, p) => {
              scores[e]![p]!.push(score);
            });
            onProgress?.(++done, of);
            await breathe();
          }
      } finally {
        dealt.free();
      }
    }
    const ranked = some.map((entry, e) => summary(entry, scores[e]!, { examples, repeats }));
    // Stable: of equals the first of the grid stays first.
    return ranked.sort((a, b) => b.accuracy - a.accuracy);
  }
}

interface Ranked extends Tried {
  readonly entry: GridEntry;
}

function entryOf(tried: Tried): GridEntry {
  return (tried as Ranked).entry;
}

function completeOf({ rule, options }: GridEntry, examples: number): RuleOptions {
  return completeRuleOptions(rule, options(examples));
}

/** How a candidate did after the number of passes that did best; of equal numbers of errors the fewest passes. */
function summary(
  entry: GridEntry,
  scores: readonly (readonly Score[])[],
  { examples, repeats }: { readonly examples: number; readonly repeats: number },
): Ranked {
  const errors = scores.map((folds) => folds.reduce((sum, score) => sum + score.errors, 0));
  const best = errors.indexOf(Math.min(...errors));
  const folds = scores[best]!;
  const shares = folds.map(({ accuracy }) => accuracy);
  const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length;
  const squares = shares.reduce((sum, share) => sum + (share - mean) ** 2, 0);
  return {
    entry,
    rule: entry.rule,
    options: completeOf(entry, examples),
    multiclass: entry.multiclass,
    passes: judgedPasses[best]!,
    accuracy: mean,
    errors: errors[best]! / repeats,
    spread: Math.sqrt(squares / Math.max(1, shares.length - 1)),
    folds: folds.length,
    examples,
  };
}
