import { HalfspaceError } from '../errors.ts';
import { number, positive, whole } from '../json.ts';
import * as layout from '../kernels/layout.ts';
import type { SharedOptions } from './kernel-memory-learner.ts';
import { completeOptions, type GivenOptions, type OptionSpecs, type OptionValue } from './rule-options.ts';

/* The options of sgd.ts and multinomial.ts, and the scalars that record them. */

export const sgdOptions = {
  /**
   * Default `logistic`: logistic regression. `hinge`: a linear SVM. `multinomial`: softmax regression, which learns
   * three or more classes together; for two it is `logistic`.
   */
  loss: {
    kind: 'choice',
    values: ['logistic', 'hinge', 'squared-hinge', 'modified-huber', 'perceptron', 'multinomial'],
    default: 'logistic',
    about: 'loss function',
  },
  /** Penalty on the weights. Default `l2`. */
  penalty: {
    kind: 'choice',
    values: ['l2', 'l1', 'elastic-net', 'none'],
    default: 'l2',
    about: 'penalty on the weights',
  },
  /** Strength of the penalty, in [0, ∞); not for the penalty `none`. Default 0.0001. */
  alpha: { kind: 'number', from: 0, default: 1e-4, about: 'strength of the penalty' },
  /** Share of L1 in the penalty `elastic-net`, in [0, 1]. Default 0.15. */
  l1Ratio: { kind: 'number', from: 0, to: 1, default: 0.15, about: 'share of L1 in the elastic net' },
  /** Schedule of the step sizes. `adaptive`: of each weight by its gradients (AdaGrad). Default `adaptive`. */
  schedule: {
    kind: 'choice',
    values: ['adaptive', 'inverse-scaling', 'constant'],
    default: 'adaptive',
    about: 'schedule of the step sizes',
  },
  /** First step size, in (0, ∞). Default 0.5 for the schedule `adaptive`, else 0.01. */
  rate: { kind: 'number', from: 0, open: 'from', default: null, about: 'first step size' },
  /** p of the schedule `inverse-scaling`, rate / (1 + rows)^p, in [0, 1]. Default 0.5. */
  power: { kind: 'number', from: 0, to: 1, default: 0.5, about: 'p of inverse-scaling, rate / (1 + rows)^p' },
  /**
   * Weights to predict with: their mean over time, or the last. Default `last` for penalties with L1, whose zeros a
   * mean would lose; else `mean`.
   */
  answer: { kind: 'choice', values: ['mean', 'last'], default: 'mean', about: 'weights to predict with' },
} as const satisfies OptionSpecs;

export type SgdOptions = SharedOptions & GivenOptions<typeof sgdOptions>;

const losses: Record<string, number> = {
  perceptron: layout.lossPerceptron,
  hinge: layout.lossHinge,
  'squared-hinge': layout.lossSquaredHinge,
  logistic: layout.lossLogistic,
  'modified-huber': layout.lossModifiedHuber,
  // For two classes; several have a learner of their own.
  multinomial: layout.lossLogistic,
};
const schedules: Record<string, number> = {
  constant: layout.scheduleConstant,
  'inverse-scaling': layout.scheduleInverseScaling,
  adaptive: layout.scheduleAdaptive,
};
/** Adds defaults, but only for options of the chosen penalty and schedule. @throws HalfspaceError `option-invalid`. */
export function completeSgd(given: GivenOptions<typeof sgdOptions>): Record<string, OptionValue> {
  const complete = completeOptions(sgdOptions, given);
  const { penalty, schedule } = complete;
  const refuse = (name: 'alpha' | 'l1Ratio' | 'power', only: string, got: string) => {
    if (given[name] !== undefined) throw new HalfspaceError('option-invalid', `${name} is for ${only}; got ${got}`);
    delete complete[name];
  };
  if (penalty === 'none') refuse('alpha', 'the penalties l2, l1 and elastic-net', 'penalty none');
  if (penalty !== 'elastic-net') refuse('l1Ratio', 'the penalty elastic-net', `penalty ${penalty}`);
  if (schedule !== 'inverse-scaling') refuse('power', 'the schedule inverse-scaling', `schedule ${schedule}`);
  if (given.answer === undefined && (penalty === 'l1' || penalty === 'elastic-net')) complete.answer = 'last';
  // The rate is last, whether it is given or not: equal options give equal bytes.
  const { rate = schedule === 'adaptive' ? 0.5 : 0.01, ...others } = complete;
  return { ...others, rate };
}

/** Writes complete options into the scalars of a learner. */
export function writeOptions(scalars: Float64Array, complete: Readonly<Record<string, OptionValue>>): void {
  const { loss, penalty, alpha = 0, l1Ratio = 0, schedule, rate, power = 0, answer } = complete;
  scalars[layout.loss] = losses[loss as string]!;
  scalars[layout.schedule] = schedules[schedule as string]!;
  scalars[layout.rate] = rate as number;
  scalars[layout.power] = power as number;
  scalars[layout.alpha] = alpha as number;
  scalars[layout.l1Ratio] = penalty === 'l1' ? 1 : (l1Ratio as number);
  scalars[layout.averaging] = answer === 'mean' ? 1 : 0;
}

/** Checks the scalars that sgd has besides those of all rules. */
export function checkSgdScalars(scalars: Float64Array): void {
  whole(scalars[layout.loss], 'loss', 0, 4);
  whole(scalars[layout.schedule], 'schedule', 0, 2);
  positive(scalars[layout.rate], 'rate');
  number(scalars[layout.power], 'power', 0, 1);
  number(scalars[layout.alpha], 'alpha', 0);
  number(scalars[layout.l1Ratio], 'l1Ratio', 0, 1);
  number(scalars[layout.penaltyClock], 'penaltyClock', 0);
  number(scalars[layout.biasSquares], 'biasSquares', 0);
  whole(scalars[layout.averaging], 'averaging', 0, 1);
}
