import type { LabelType } from '../data/label.ts';
import { dimensionOf } from '../features/dimension.ts';
import type { Calibration } from '../model/calibration.ts';
import type { TrainingRecord } from '../model/common.ts';
import type { LinearFunction } from '../model/linear/model.ts';
import type { Model } from '../model/model.ts';
import type { LinearParameters } from '../rules/learner.ts';
import type { NamedRule } from './row-learners.ts';
import type { RowsSnapshot } from './rows.ts';

/** The parts of a snapshot. */
interface Learned extends NamedRule {
  readonly rows: RowsSnapshot;
  /** Names of the classes, in the order of the model. */
  readonly classes: readonly string[];
  readonly labelType: LabelType | undefined;
  /** One function for two classes, else one for each class, by positions of features. */
  readonly functions: readonly LinearParameters[];
  readonly calibration: readonly [Calibration] | null;
  readonly examples: number;
  readonly nonzeros: number;
  readonly updates: number;
  /** Share of the rows that were answered correctly before they were learned from; null: no row was. */
  readonly accuracy: number | null;
}

/** Makes an ordinary model of what was learned so far. The model shares no memory with the classifier. */
export function modelOf(learned: Learned): Model {
  const { rule, options, rows, classes, labelType, calibration } = learned;
  const common = {
    rule,
    options,
    as: null,
    ...(labelType === undefined ? {} : { labelType }),
    features: rows.features,
    training: recordOf(learned),
    calibration,
  };
  const functions = learned.functions.map((each) => functionOf(each, rows));
  if (classes.length > 2) return { kind: 'multiclass', strategy: 'one-vs-rest', ...common, classes, functions };
  return { kind: 'linear', ...common, classes: [classes[0]!, classes[1]!], tie: -1, ...functions[0]! };
}

/** Lays out weights by the features of the encoding. */
function functionOf({ weights, bias }: LinearParameters, { positions, features }: RowsSnapshot): LinearFunction {
  const laid = new Float64Array(dimensionOf(features));
  if (positions === null) laid.set(weights);
  else for (let j = 0; j < laid.length; j++) laid[j] = weights[positions[j]!]!;
  return { weights: laid, bias, biasConstant: 1, divisor: 1 };
}

function recordOf({ rows: { features }, examples, nonzeros, updates, accuracy }: Learned): TrainingRecord {
  const count = dimensionOf(features);
  return {
    examples,
    features: features.kind === 'indexed' ? Math.max(0, count - features.firstIndex) : count,
    nonzeros,
    passes: 1,
    updates,
    order: 'cyclic',
    seed: 1,
    stop: 'budget',
    separated: null,
    progressiveAccuracy: accuracy,
    trainAccuracy: null,
    holdoutAccuracy: null,
  };
}
