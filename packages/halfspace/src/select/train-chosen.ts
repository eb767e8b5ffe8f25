import type { ExampleSource } from '../data/source.ts';
import { autoPasses, planTraining, type TrainOptions } from '../train/options.ts';
import type { TrainingResult } from '../train/report.ts';
import { trainFrom } from '../train/train.ts';
import { choose, type Tried } from './choose.ts';
import { readAll } from './read-all.ts';

/** Options of {@link trainChosen}: those of `train`, of which those that are chosen do not count. */
export interface ChosenTrainOptions extends TrainOptions {
  /** Told how many of the search's runs are done. */
  readonly onSearch?: ((done: number, of: number) => void) | undefined;
}

export interface ChosenTrainingResult extends TrainingResult {
  /** What was tried, best first; empty where the examples were too many for that, and the averaged perceptron stopped early. */
  readonly tried: readonly Tried[];
}

/** More numbers than this are not searched over. */
const mostSearched = 5e7;
/** Passes without a better one that end the run where nothing is searched. */
const patience = 3;
/** How many times the numbers that an averaged perceptron would visit, the search may. */
const allowance = 5;
/** Numbers that the search may visit however few there are. */
const leastBudget = 2e8;

/**
 * `train` with rule, options and number of passes chosen by cross-validation over the published `grid`; beyond a size the averaged
 * perceptron with early stopping instead. Same data, options and seed, same choice.
 *
 * @throws HalfspaceError as `train` does.
 */
export async function trainChosen(
  source: ExampleSource,
  options: ChosenTrainOptions = {},
): Promise<ChosenTrainingResult> {
  const { onSearch, rule: _, as: __, order: ___, ...rest } = options;
  const { seed, holdout, classWeights } = planTraining(rest);
  const all = await readAll(source, { ...options, seed, holdout, classWeights });
  const { intake, arena, breathe } = all;
  const shared: TrainOptions = { ...rest, kernels: arena.kernels };
  try {
    const { stored, spilled } = intake.store;
    if (stored > mostSearched || spilled) {
      const result = await trainFrom(source, { ...shared, rule: 'averaged', patience }, intake);
      return { ...result, tried: [] };
    }
    const budget = Math.max(leastBudget, allowance * autoPasses(stored) * stored);
    const choice = await choose(intake.store, arena, { seed, budget, onProgress: onSearch, breathe });
    const { rule, multiclass, passes } = choice.tried[0]!;
    const chosen: TrainOptions = { ...shared, rule, multiclass, passes: options.passes ?? passes };
    const result = await trainFrom(source, { ...chosen, ...choice.options, order: 'shuffled-once' }, intake);
    return { ...result, tried: choice.tried };
  } finally {
    intake.free();
  }
}
