import type { StoredBatch } from '../batch.ts';
import type { ExampleSource, Source } from '../data/source.ts';
import { HalfspaceError, quote } from '../errors.ts';
import { dimensionOf } from '../features/dimension.ts';
import { forEachNonzero } from '../kernels/batch-view.ts';
import type { LinearModel } from '../model/linear/model.ts';
import { functionsOf } from '../model/model.ts';
import type { MulticlassModel } from '../model/multiclass/model.ts';
import { answersBy } from '../rules/registry.ts';
import { LedgerGuide, type MadeUpdate } from './follow.ts';
import { type Ledger, signFor } from './ledger.ts';
import { checkStep, type RunAgainOptions, replayBy } from './replay.ts';

export interface ExplainOptions extends RunAgainOptions {
  /** Number of an update, from 1: explains the model right after it. Default: the model at the end of the run. */
  readonly step?: number | undefined;
  /** Position of the class whose function is explained; two classes share that of class 1. Default: 1 of 2, else 0. */
  readonly class?: number | undefined;
}

/** Effect of one update on one weight. */
export interface WeightUpdate {
  readonly step: number;
  readonly pass: number;
  /** Number of the example in the data, from 0. */
  readonly row: number;
  /** Position of the class whose score the update raised; −1 for all classes but the lowered one. */
  readonly raised: number;
  /** Amount added to the current weight: ±τ·xⱼ. */
  readonly contribution: number;
  /** Part of that amount in the learned weight: 1, or with averaged weights the share of the run that follows. */
  readonly share: number;
}

/** A weight as a sum of updates. */
export interface WeightExplanation {
  /** Position of the weight, or `bias`. */
  readonly feature: number | 'bias';
  readonly class: number;
  /** Updates by examples that have the feature, in order. */
  readonly updates: readonly WeightUpdate[];
  /** The weight before the first update. */
  readonly start: number;
  /** Current weight at the end: `start` plus every `contribution` in order, bit for bit. */
  readonly present: number;
  /**
   * Weight that the rule returns: `present`, or the mean w − u/T over time (rules/averaged-perceptron.ts), bit for bit.
   */
  readonly learned: number;
  /** Weight in the model: `learned`, divided by ‖w‖ if the run returns w/‖w‖. */
  readonly weight: number;
}

/**
 * Explains a weight by the updates that changed it. Replays the run.
 *
 * @param feature position of the weight, in [0, dimension), or `bias`.
 * @throws HalfspaceError `option-invalid` for a feature or class out of range; and as `replay` does.
 */
export async function explainWeight(
  ledger: Ledger,
  source: Source | ExampleSource,
  feature: number | 'bias',
  { step, class: given, ...options }: ExplainOptions = {},
): Promise<WeightExplanation> {
  const { variant } = ledger.opening;
  const made: (Omit<MadeUpdate, 'batch' | 'index'> & { readonly value: number })[] = [];
  let start = 0;
  const unit = new Map(feature === 'bias' ? [] : [[feature, 1]]);
  const guide = new LedgerGuide(ledger, {
    until: checkStep(ledger, step),
    begin: (learner) => {
      const [first] = learner.presentFunctions?.() ?? learner.functions();
      if (variant.start !== 'zero' && first !== undefined && 'weights' in first)
        start = feature === 'bias' ? first.bias : (first.weights[feature] ?? 0);
    },
    visit: ({ batch, index, ...update }) => {
      const value = feature === 'bias' ? 1 : productOf(batch, index, unit);
      if (value !== 0) made.push({ ...update, value });
    },
  });
  const { model, report } = await replayBy(guide, ledger, source, options);
  const k = checkClass(model.classes.length, given);
  const functions = functionsOf(model as LinearModel | MulticlassModel);
  const answer = functions[functions.length === 1 ? 0 : k]!;
  if (feature !== 'bias' && !(Number.isInteger(feature) && feature >= 0 && feature < dimensionOf(model.features)))
    throw new HalfspaceError(
      'option-invalid',
      `feature must be a position in [0, ${dimensionOf(model.features)}), or bias; got ${quote(feature)}`,
    );
  const { last, clock } = guide.endOf(report);
  const averaged = answersBy(variant.rule, ledger.opening.ruleOptions) === 'mean';
  let present = start;
  let sums = 0;
  const updates: WeightUpdate[] = [];
  for (const { step, pass, row, raised, lowered, size, clock: then, value } of made) {
    const sign = signFor(k, raised, lowered);
    if (sign === 0 || pass > last) continue;
    const g = sign * size;
    const x = feature === 'bias' ? answer.biasConstant : value;
    const contribution = g * x;
    present += contribution;
    sums += then * g * x;
    const share = averaged && clock > 0 ? contribution * (1 - then / clock) : contribution;
    updates.push({ step, pass, row, raised, contribution, share });
  }
  const learned = averaged && clock > 0 ? present - sums / clock : present;
  const weight = feature === 'bias' ? answer.bias : answer.weights[feature]!;
  return { feature, class: k, updates, start, present, learned, weight };
}

/** @throws HalfspaceError `option-invalid`. */
export function checkClass(classes: number, given: number | undefined): number {
  if (classes === 2) {
    if (given !== undefined && given !== 1)
      throw new HalfspaceError(
        'option-invalid',
        `class must be 1, as two classes have one function, of class 1; got ${quote(given)}`,
      );
    return 1;
  }
  const k = given ?? 0;
  if (Number.isInteger(k) && k >= 0 && k < classes) return k;
  throw new HalfspaceError('option-invalid', `class must be a position in [0, ${classes}); got ${quote(given)}`);
}

/** Returns x·x', where x is example `i` of a batch and x' maps features to values. */
export function productOf(batch: StoredBatch, i: number, x: ReadonlyMap<number, number>): number {
  let sum = 0;
  forEachNonzero(batch, i, (j, value) => {
    sum += value * (x.get(j) ?? 0);
  });
  return sum;
}
