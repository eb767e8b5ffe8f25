import { HalfspaceError, quote } from '../errors.ts';
import { type Candidate, candidateOf } from '../evaluate/candidate.ts';
import { checkWhole } from '../evaluate/checks.ts';
import { FoldedExamples, labelsOf } from '../evaluate/folded-examples.ts';
import type { Metric } from '../evaluate/metric.ts';
import type { Strategy } from '../model/multiclass/model.ts';
import { FoldPool } from '../pool/fold-pool.ts';
import type { FoldTask, Scored } from '../pool/fold-task.ts';
import { readable } from '../readable.ts';
import { hasHyperplanes, hasPasses, type RuleName } from '../rules/registry.ts';
import { partsOf, type RuleToTry, type RuleWithOptions, ruleOf } from '../rules/rule-with-options.ts';
import { classFactors } from '../train/class-weights.ts';
import type { Goal } from '../train/goal.ts';
import { checkClassWeights } from '../train/options.ts';
import type { ClassWeights } from '../train/plan.ts';
import { trendedColumn } from '../train/trends.ts';
import type { AllExamples } from './read-all.ts';
import type { OneOrMore } from './train-options.ts';

/** A run of a search over lists of values. One run is judged after several numbers of passes. */
interface ListedRun {
  readonly candidate: Candidate;
  readonly classWeights: ClassWeights | null;
  /** Rising; 1 for a rule without passes. */
  readonly passes: readonly number[];
}

/** A combination of values. */
export interface Setting {
  /** The rule with all its options, in the form that `train` takes. */
  readonly rule: RuleWithOptions;
  /** Strategy for several classes. */
  readonly multiclass: Strategy;
  /** Number of passes; 1 for a rule without passes. */
  readonly passes: number;
  readonly classWeights: ClassWeights | null;
  /** Position of the source in the list of sources. */
  readonly source: number;
}

/** Options whose values may be lists. */
interface Lists {
  readonly rules: readonly RuleToTry[];
  readonly passes: OneOrMore<number> | undefined;
  /** Returns the passes of a rule if none are given. */
  readonly usual: (rule: RuleName) => number;
  readonly classWeights?: OneOrMore<ClassWeights> | undefined;
  readonly multiclass?: Strategy | undefined;
}

/** Largest number of combinations of a search. */
const mostListed = 10_000;

/** Returns a run for every combination of values: the rules as listed, of each the last list varies fastest. */
export function runsOf({ rules, passes, usual, classWeights, multiclass }: Lists): ListedRun[] {
  const lengths = passes === undefined ? [] : [...new Set(valuesOf('passes', passes))].sort((a, b) => a - b);
  for (const each of lengths) checkWhole('passes', each, 1);
  const weights = valuesOf('classWeights', classWeights);
  for (const each of weights) checkClassWeights(each);
  const combined = rules.flatMap(combinationsOf).map((rule) => candidateOf(rule, multiclass));
  const count = combined.length * weights.length * Math.max(1, lengths.length);
  if (count > mostListed)
    throw new HalfspaceError('option-invalid', `expected at most ${mostListed} combinations of values; got ${count}`);
  return weights.flatMap((each) =>
    combined.map((candidate) => ({
      candidate,
      classWeights: each ?? null,
      passes: !hasPasses(candidate.rule) ? [1] : passes === undefined ? [usual(candidate.rule)] : lengths,
    })),
  );
}

/** Returns the rule with every combination of the values of its options. @throws HalfspaceError `option-invalid`. */
function combinationsOf(rule: RuleToTry): RuleWithOptions[] {
  const { name, options } = partsOf(rule);
  const lists = readable(`the options of ${name}`, () => Object.entries(options), 'option-invalid');
  const combined = lists.reduce<readonly object[]>(
    (before, [option, values]) =>
      before.flatMap((each) => valuesOf(option, values).map((value) => ({ ...each, [option]: value }))),
    [{}],
  );
  return combined.map((each) => ({ name, ...each }) as RuleWithOptions);
}

/** Returns the values of an option. @throws HalfspaceError `option-invalid` for an empty list. */
export function valuesOf<T>(name: string, given: OneOrMore<T>): readonly T[] {
  const values = readable(
    name,
    () => (Array.isArray(given) ? (given as readonly T[]) : [given as T]),
    'option-invalid',
  );
  if (values.length > 0) return values;
  throw new HalfspaceError('option-invalid', `${name} must be a value or a list of values; got an empty list`);
}

interface JudgingRuns {
  readonly folds: number;
  /** Numbers of the repetitions of the cross-validation. */
  readonly repetitions: readonly number[];
  readonly seed: number;
  readonly metric: Metric;
  /** Null for accuracy. */
  readonly goal: Goal | null;
  /** Asked before every run but the first; true leaves it and all later ones out. Null: no budget of time. */
  readonly isOver: (() => boolean) | null;
  readonly onFold: () => void;
}

/**
 * Judges runs by cross-validation. All have the same folds and the same order of the examples.
 *
 * @returns for each run, fewer if the time is over, and for each number of passes its scores by fold: repetition by
 *   repetition.
 */
export async function judgeRuns(
  { intake, classes, context }: AllExamples,
  runs: readonly ListedRun[],
  { folds, repetitions, seed, metric, goal, isOver, onFold }: JudgingRuns,
): Promise<Scored[][][]> {
  // Trees look features up in an encoding, which threads may lack.
  const isPooled = runs.every(({ candidate }) => hasHyperplanes(candidate.rule));
  const renumber = isPooled && !trendedColumn(context.encoding());
  const pool = new FoldPool(context, { goal, metric: !isPooled ? undefined : goal === null ? null : metric });
  const scores = runs.map(({ passes }) => passes.map((): Scored[] => []));
  // With a budget, a run is judged to its end before the next one begins.
  const groups = isOver === null ? [runs] : runs.map((run) => [run]);
  let dealt = null as { readonly repeat: number; readonly parts: FoldedExamples } | null;
  try {
    for (const [g, group] of groups.entries()) {
      if (g > 0 && isOver?.() === true) return scores.slice(0, g);
      const tasks = group.flatMap(({ candidate, classWeights, passes }) => {
        const factors = classFactors(classWeights, classes, intake.classExamples);
        return Array.from(
          { length: folds },
          (_, fold): FoldTask => ({ candidate, factors, fold, passes, endsEarly: false }),
        );
      });
      for (const [place, repeat] of repetitions.entries()) {
        if (dealt?.repeat !== repeat) {
          dealt?.parts.free();
          const parts = new FoldedExamples(context.kernels, intake.store, { folds, repeat, seed, renumber });
          dealt = { repeat, parts };
        }
        const later = tasks.length * ((groups.length - g) * repetitions.length - place - 1);
        await pool.run(dealt.parts, tasks, later, (found, task) => {
          const own = scores[g + Math.floor(task / folds)]!;
          found.forEach((score, p) => {
            own[p]!.push(score);
          });
          onFold();
        });
      }
    }
    return scores;
  } finally {
    dealt?.parts.free();
    pool.close();
  }
}

/** Returns a budget of time that begins now; null for none. @throws HalfspaceError `option-invalid`. */
export function budgetOf(seconds: number | undefined): (() => boolean) | null {
  if (seconds === undefined) return null;
  if (!(typeof seconds === 'number' && seconds > 0))
    throw new HalfspaceError('option-invalid', `seconds must be above 0; got ${quote(seconds)}`);
  const end = performance.now() + 1000 * seconds;
  return () => performance.now() >= end;
}

/**
 * Returns how complex a setting is, for the order of simplicity: its number of features, the place of its rule, how
 * little it regularises, its passes.
 */
export function complexityOf({ rule, passes }: Setting, features: number, rules: readonly string[]): number[] {
  return [features, rules.indexOf(rule.name), freedomOf(rule), passes];
}

/** Returns how little an option regularises: −α, −r, or the largest step C. */
function freedomOf(rule: Setting['rule']): number {
  const { alpha, r, aggressiveness } = rule as Readonly<Record<string, unknown>> as Readonly<
    Record<string, number | undefined>
  >;
  return alpha !== undefined ? -alpha : r !== undefined ? -r : (aggressiveness ?? 0);
}

/** The rows that all sources must have in common. */
export interface Rows {
  readonly labels: Float64Array;
  readonly classes: readonly string[];
}

export function rowsOf({ intake, classes }: AllExamples): Rows {
  return { labels: labelsOf(intake.store), classes };
}

/** @throws HalfspaceError `option-invalid` for sources of different rows, whose folds would differ. */
export function checkSameRows(first: Rows, other: Rows): void {
  const isSame =
    first.labels.length === other.labels.length &&
    first.classes.join('\n') === other.classes.join('\n') &&
    first.labels.every((label, row) => label === other.labels[row]);
  if (isSame) return;
  const [one, two] = [first, other].map(({ labels, classes }) => `${labels.length} rows of ${classes.join(', ')}`);
  throw new HalfspaceError(
    'option-invalid',
    `expected sources with the same rows in the same order; got ${one}, then ${two === one ? 'other ones' : two}`,
  );
}

/** Returns a setting for each number of passes of a run. */
export function settingsOf({ candidate, passes, classWeights }: ListedRun, source: number): Setting[] {
  const { rule, options, multiclass } = candidate;
  return passes.map((each) => ({ rule: ruleOf(rule, options), multiclass, passes: each, classWeights, source }));
}
