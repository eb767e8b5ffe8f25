import { HalfspaceError } from '../errors.ts';
import { dimensionOf } from '../features/dimension.ts';
import * as layout from '../kernels/layout.ts';
import type { LinearFunction } from '../model/linear/model.ts';
import { isDual, type Model, tieOf } from '../model/model.ts';
import type { LinearLearnerState } from '../rules/learner.ts';
import { followTheLeader } from '../rules/registry.ts';
import { trendedColumn } from '../train/trends.ts';
import { OnlineCalibration } from './calibration/online-calibration.ts';
import { createDetector } from './drift/detectors.ts';
import type { EncodedRowsState } from './encoded-rows.ts';
import { FollowTheLeader, learningRulesOf } from './follow-the-leader.ts';
import { type OnlineOptions, onlineRules, planOf } from './options.ts';
import { PrequentialMetrics } from './prequential-metrics.ts';
import { RowLearner } from './row-learner.ts';
import type { NamedRule } from './row-learners.ts';
import type { OnlineState } from './state-file.ts';

/** The options that a model leaves open. */
export type FromModelOptions = Pick<OnlineOptions, 'rule' | 'window' | 'calibrate' | 'drift' | 'onDrift'>;

/**
 * Returns the state of a classifier that goes on from a model, with its encoding, classes and weights.
 *
 * A model has the weights that answer and nothing else of its run. So the mean of `averaged` takes them for the weights
 * of all its rows; the variances of `arow`, and the step sizes and the mean of `sgd`, begin again. All rules of
 * `follow-the-leader` begin with these weights.
 *
 * @throws HalfspaceError `option-invalid` for a model that cannot learn row by row, with the reason.
 */
export function stateFrom(model: Model, { rule, ...options }: FromModelOptions): OnlineState {
  const functions = functionsOf(model);
  const { features, training } = model;
  const known = onlineRules().includes(model.rule as never);
  if (rule === undefined && !known)
    throw cannot(`a rule that learns row by row, or the option "rule": ${onlineRules().join(', ')}`, model.rule);
  const plan = planOf({
    ...options,
    rule: rule ?? ({ ...model.options, name: model.rule } as OnlineOptions['rule']),
    ...classesOf(model),
    label: features.kind === 'table' ? features.label.column : undefined,
  });
  const dimension = dimensionOf(features);
  const { rules, answers } = learningRulesOf(plan);
  const learners = rules.map((each) => ({
    machines: functions.map((given) => learnerOf(each, given, dimension, training.examples)),
    nobody: null,
    classes: model.classes.length,
  }));
  const rows: EncodedRowsState = { form: 'encoded', features };
  return {
    plan,
    // Those of a table are all that its rows had, also where the model tells one from all others.
    classes: plan.positive !== null && features.kind === 'table' ? features.label.classes : model.classes,
    labelTypes: { given: [model.labelType ?? 'string'], learned: [] },
    learners:
      plan.rule === followTheLeader
        ? { ...new FollowTheLeader(false, model.classes.length).state(), learners }
        : learners[0]!,
    rows,
    first: null,
    examples: training.examples,
    nonzeros: training.nonzeros,
    metrics: new PrequentialMetrics({ window: plan.window }).state(),
    drift: plan.drift === null ? null : createDetector(plan.drift).state(),
    calibrations:
      plan.calibrate === null
        ? null
        : Array.from({ length: answers }, () => new OnlineCalibration(plan.calibrate!).state()),
  };
}

/** Returns the functions of a model that online learning can go on with. */
function functionsOf(model: Model): readonly LinearFunction[] {
  const { kind } = model;
  if (kind !== 'linear' && kind !== 'multiclass') throw cannot('weights of features', `a ${kind} model`);
  if (kind === 'multiclass' && model.strategy !== 'one-vs-rest')
    throw cannot('each class learned against all others (multiclass: "one-vs-rest")', `multiclass "${model.strategy}"`);
  const functions = kind === 'linear' ? [model] : model.functions;
  if (functions.some(isDual)) throw cannot('weights of features', 'a kernel model');
  if (tieOf(model) !== -1) throw cannot('score 0 for the negative class', 'the positive one');
  if (functions.some((each) => (each as LinearFunction).biasConstant === 0)) throw cannot('a bias', 'none');
  const trended = trendedColumn(model.features);
  if (trended !== undefined) throw cannot('numbers that may rise and fall', `a trend of ${trended.name}`);
  if (model.training.examples < 1) throw cannot('a record of its training rows', 'none');
  return functions as readonly LinearFunction[];
}

function cannot(expected: string, got: string): HalfspaceError {
  return new HalfspaceError('option-invalid', `expected a model to learn on with ${expected}; got ${got}`);
}

/** Returns the option that makes the classes of a model: these in order, or the positive one and all others. */
function classesOf({ features, classes }: Model): Pick<OnlineOptions, 'classes' | 'positive'> {
  const isOneAgainstAll = classes.length === 2 && features.kind === 'table' && features.label.negative === null;
  return isOneAgainstAll ? { positive: classes[1]! } : { classes };
}

function learnerOf(
  { rule, options }: NamedRule,
  { weights, bias, biasConstant, divisor }: LinearFunction,
  dimension: number,
  examples: number,
): LinearLearnerState {
  const learner = new RowLearner(rule, options);
  learner.reserve(dimension);
  const state = learner.state();
  const { scalars } = state;
  for (let j = 0; j < dimension; j++) state.weights[j] = weights[j]! / divisor;
  scalars[layout.bias] = bias * biasConstant;
  scalars[layout.examples] = examples;
  // The time of sgd sets its step sizes and its mean, which begin again.
  if (rule === 'sgd') state.vectors!.scaled!.set(state.weights);
  else scalars[layout.clock] = examples;
  return state;
}
