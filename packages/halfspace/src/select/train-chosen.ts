import type { ExampleSource } from '../data/source.ts';
import { HalfspaceError } from '../errors.ts';
import { checkOptionNames, type OptionNames } from '../features/option-names.ts';
import { planTraining, type RunOptions, runOptionNames } from '../train/options.ts';
import type { TrainingResult } from '../train/report.ts';
import { autoPasses } from '../train/stop-rule.ts';
import { trainFrom } from '../train/train-once.ts';
import { choose, type Tried } from './choose.ts';
import { onOccurring } from './occurring.ts';
import { type AllExamples, withAll } from './read-all.ts';

/** Options of {@link trainChosen}: those of `train`, but `rule`, `as` and `order` have no effect. */
export interface ChosenTrainOptions extends RunOptions {
  /** Called after every run of the search. */
  readonly onSearch?: ((done: number, of: number) => void) | undefined;
}

/** The names of all options of {@link trainChosen}. */
export const chosenOptionNames: OptionNames<ChosenTrainOptions> = { ...runOptionNames, onSearch: true };

export interface ChosenTrainingResult extends TrainingResult {
  readonly search: RuleSearch;
}

/** The search that chose a rule. */
export interface RuleSearch {
  /** The evaluated candidates, best first. */
  readonly tried: readonly Tried[];
  /** Position of the chosen candidate; −1 if none was evaluated. */
  readonly taken: number;
  /**
   * Reason of the choice. `best`: the fewest errors. `separates`: the averaged perceptron, nearly as good as the best,
   * separates the examples. `large`: too many examples for a search; the averaged perceptron learns with early
   * stopping.
   */
  readonly why: 'best' | 'separates' | 'large';
}

/** Largest number of stored values for a search. */
const mostSearched = 5e7;
/** Patience of early stopping if there is no search. */
const patience = 3;
/**
 * Trains with a rule, options and a number of passes chosen by cross-validation over the published `grid`. Large data
 * are learned by the averaged perceptron with early stopping. Equal data, options and seed give equal choices.
 *
 * @throws HalfspaceError as `train` does.
 */
export async function trainChosen(
  source: ExampleSource,
  options: ChosenTrainOptions = {},
): Promise<ChosenTrainingResult> {
  checkOptionNames(options, chosenOptionNames, 'trainChosen');
  if (options.ledger !== undefined)
    throw new HalfspaceError('option-invalid', 'a ledger is for a rule that is named; got a run that chooses its rule');
  if (options.from !== undefined)
    throw new HalfspaceError('option-invalid', 'from is for the rule of the state; got a run that chooses its rule');
  const { seed, holdout, classWeights } = planTraining(withoutChosen(options));
  return withAll(source, { ...options, seed, holdout, classWeights }, (all) =>
    onOccurring(source, options, all, (given, rest) => trainChosenFrom(given, rest, all)),
  );
}

/** Removes the options that are chosen. */
export function withoutChosen(options: ChosenTrainOptions): RunOptions {
  const { onSearch: _, rule: __, as: ___, order: ____, ...rest } = options;
  return rest;
}

/** {@link trainChosen} for examples that are already read; may shuffle the intake. */
export async function trainChosenFrom(
  source: ExampleSource,
  options: ChosenTrainOptions,
  { intake, context }: AllExamples,
): Promise<ChosenTrainingResult> {
  const rest = withoutChosen(options);
  const { seed } = planTraining(rest);
  const shared: RunOptions = { ...rest, kernels: context.kernels };
  const { stored, spilled } = intake.store;
  if (stored > mostSearched || spilled) {
    const result = await trainFrom(source, { ...shared, rule: 'averaged', patience }, intake);
    return { ...result, search: { tried: [], taken: -1, why: 'large' } };
  }
  const classes = context.classes > 2 ? context.classes : 1;
  const oneTraining = autoPasses(stored) * stored * classes;
  const choice = await choose(intake.store, context, {
    seed,
    multiclass: options.multiclass,
    oneTraining,
    onProgress: options.onSearch,
  });
  const { tried } = choice;
  const taken = tried.findIndex(({ rule }) => rule === 'averaged');
  if (taken !== -1 && isHardlyBehind(tried[taken]!, tried[0]!)) {
    const { multiclass } = tried[taken]!;
    const averaged: RunOptions = { ...shared, rule: 'averaged', multiclass, order: 'shuffled-once' };
    const result = await trainFrom(source, averaged, intake);
    if (result.report.stop === 'separated') return { ...result, search: { tried, taken, why: 'separates' } };
  }
  const { rule, multiclass, passes } = tried[0]!;
  const chosen: RunOptions = { ...shared, rule, multiclass, passes: options.passes ?? passes };
  const result = await trainFrom(source, { ...chosen, ...choice.options, order: 'shuffled-once' }, intake);
  return { ...result, search: { tried, taken: 0, why: 'best' } };
}

/** Returns true if a candidate makes at most one error more than the best, or half of that number's standard error. */
function isHardlyBehind(one: Tried, best: Tried): boolean {
  const { accuracy, examples } = best;
  const half = Math.sqrt(accuracy * (1 - accuracy) * examples) / 2;
  return one.examples === examples && one.errors - best.errors <= Math.max(1, half);
}
