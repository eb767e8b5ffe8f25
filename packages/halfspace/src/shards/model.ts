import { HalfspaceError } from '../errors.ts';
import { dimensionOf } from '../features/dimension.ts';
import type { Kernels } from '../kernels/kernels.ts';
import { createKernels } from '../kernels/load.ts';
import type { LinearFunction } from '../model/linear/model.ts';
import type { Model } from '../model/model.ts';
import type { Learner, LinearParameters } from '../rules/learner.ts';
import { createLearner, createMulticlassLearner } from '../rules/registry.ts';
import type { TrainState } from '../train/train-state.ts';
import type { Job } from './job.ts';
import { checkJob, type MixState } from './state.ts';

/** Returns the learner of a state. */
export function learnerOf(
  kernels: Kernels,
  { rule, options, tie, biasConstant, multiclass, classes, learner }: TrainState,
): Learner {
  const given = { ...options, tie, biasConstant };
  return multiclass === null
    ? createLearner(kernels, rule, given as never, learner)
    : createMulticlassLearner(kernels, rule, multiclass, { ...given, classes: classes.length } as never, learner);
}

/** Returns the functions by which a learner predicts. */
export function functionsOf(learner: Learner): readonly LinearParameters[] {
  return learner.functions() as readonly LinearParameters[];
}

/** Returns the functions of the chosen model of a state. */
export function chosenFunctions(kernels: Kernels, { best, train }: MixState): readonly LinearParameters[] {
  return best?.functions ?? functionsOf(learnerOf(kernels, train));
}

/**
 * Returns the model of a finished training.
 *
 * @throws HalfspaceError `option-invalid` for the state of another job, and while `next` is not null.
 */
export async function modelOf(job: Job, state: MixState): Promise<Model> {
  checkJob(job, state);
  const { train, rows, stopping, heldOut, nonzeros, rounds, updates, next } = state;
  const { ended, best, errors, heldOutErrors, progressive, calibration } = state;
  if (next !== null || errors === null)
    throw new HalfspaceError('option-invalid', `expected a finished training; got one whose next step is ${next}`);
  const { features, classes, labelType, tie, multiclass, rule, options, seed } = train;
  const functions = chosenFunctions(await createKernels(), state);
  const shown = rows - stopping;
  const dimension = dimensionOf(features);
  const linear: LinearFunction[] = functions.map(({ weights, bias }) => {
    const complete = new Float64Array(dimension);
    complete.set(weights);
    return { weights: complete, bias, biasConstant: 1, divisor: 1 };
  });
  const common = {
    ...{ rule, options: options as Model['options'], as: null, calibration },
    ...{ ...(labelType === undefined ? {} : { labelType }), features },
    training: {
      examples: rows,
      features: dimension,
      nonzeros,
      passes: rounds,
      updates: updates.reduce((sum, each) => sum + each, 0),
      order: 'cyclic',
      seed,
      stop:
        best !== null
          ? 'patience'
          : ended === 'passes'
            ? 'budget'
            : ended === 'tolerance'
              ? 'tolerance'
              : errors === 0
                ? 'separated'
                : 'quiet',
      separated: errors === 0,
      progressiveAccuracy: progressive === null ? null : (shown - progressive) / shown,
      trainAccuracy: (rows - errors) / rows,
      holdoutAccuracy: heldOut === 0 ? null : (heldOut - heldOutErrors!) / heldOut,
      ...(job.shards > 1 ? { shards: job.shards } : {}),
    },
  };
  return multiclass === null
    ? { kind: 'linear', ...common, classes: [classes[0]!, classes[1]!], tie, ...linear[0]! }
    : { kind: 'multiclass', strategy: multiclass, ...common, classes, functions: linear };
}
