import type { StoredBatch } from '../batch.ts';
import type { ExampleSource } from '../data/source.ts';
import { HalfspaceError, quote } from '../errors.ts';
import { dimensionOf } from '../features/dimension.ts';
import { forEachNonzero } from '../kernels/batch-view.ts';
import type { LinearModel } from '../model/linear/model.ts';
import { functionsOf } from '../model/model.ts';
import type { MulticlassModel } from '../model/multiclass/model.ts';
import { definitionOf } from '../rules/registry.ts';
import { LedgerGuide, type MadeUpdate } from './follow.ts';
import { type Ledger, signFor } from './ledger.ts';
import { checkStep, type RunAgainOptions, replayBy } from './replay.ts';

export interface ExplainOptions extends RunAgainOptions {
  /** Explains the model right after this update, from 1. Default: the model at the end of the run. */
  readonly step?: number | undefined;
  /**
   * Position of the class whose function is explained; two classes have one function, of class 1. Default: 1 of two,
   * else 0.
   */
  readonly class?: number | undefined;
}

/** Effect of one update on one weight. */
export interface WeightUpdate {
  readonly step: number;
  readonly pass: number;
  /** Number of the example in the data, from 0. */
  readonly row: number;
  /** Position of the class whose score the update raised, −1 where that is the rest. */
  readonly raised: number;
  /** Amount added to the present weight: ±τ·xⱼ. */
  readonly contribution: number;
  /** Share of that in the weight that answers: all of it, or for a mean as much as the time that it stood. */
  readonly share: number;
}

/** A weight as a sum of updates. */
export interface WeightExplanation {
  /** Position of the feature among the weights, or `bias`. */
  readonly feature: number | 'bias';
  readonly class: number;
  /** The updates by examples that have the feature, in order. */
  readonly updates: readonly WeightUpdate[];
  /** The weight before the first update. */
  readonly start: number;
  /** The present weight at the end: `start` and every `contribution`, added up in their order, bit for bit. */
  readonly present: number;
  /**
   * The weight that answers: `present`; or, for a mean over the time T, w − u/T as in rules/averaged-perceptron.ts, bit
   * for bit.
   */
  readonly learned: number;
  /** The weight in the model: `learned`, divided by ‖w‖ where the run returns w/‖w‖. */
  readonly weight: number;
}

/**
 * Explains a weight by the updates that made it, by a replay.
 *
 * @param feature position among the weights, in [0, dimension), or `bias`.
 * @throws HalfspaceError `option-invalid` for a feature or class out of range; and as `replay` does.
 */
export async function explainWeight(
  ledger: Ledger,
  source: ExampleSource,
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
  const averaged = definitionOf(variant.rule).answersBy === 'mean';
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

/** Returns x·x' for example `i` of a batch, x' by feature. */
export function productOf(batch: StoredBatch, i: number, x: ReadonlyMap<number, number>): number {
  let sum = 0;
  forEachNonzero(batch, i, (j, value) => {
    sum += value * (x.get(j) ?? 0);
  });
  return sum;
}
