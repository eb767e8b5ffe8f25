import * as scalars from '../kernels/layout.ts';
import { penalised } from '../kernels/steps.ts';

/*
 * The learners of two classes that can be mixed, seen alike: the bias at position 0, then the weights.
 */

/** The state of a learner of two classes. */
export interface LinearState {
  readonly rule: string;
  readonly weights: Float64Array;
  readonly sums: Float64Array | null;
  readonly scalars: Float64Array;
  readonly vectors?: Readonly<Record<string, Float64Array>>;
}

/** The weights of a state. */
export interface Weights {
  /** Present values, with all penalties. */
  readonly values: Float64Array;
  /** The sums that its mean is computed from; null without a mean. */
  readonly sums: Float64Array | null;
  /**
   * Amount that was learned about each weight, at least 0: Σg² of adaptive sgd, the precision 1/σ of arow; null if the
   * rule does not keep it.
   */
  readonly learned: Float64Array | null;
}

/** A precision that a variance of 0, which underflowed, stands for. */
const mostPrecise = 1e200;

/** Returns the weights of a state as of its end. */
export function weightsOf(state: LinearState): Weights {
  const { rule, weights, sums, scalars: numbers, vectors } = state;
  const { length } = weights;
  const all = (first: number, at: (j: number) => number) =>
    Float64Array.from({ length: length + 1 }, (_, p) => (p === 0 ? first : at(p - 1)));
  const plain = (bias: number, list: Float64Array) => all(bias, (j) => list[j]!);
  const [bias, biasSum] = [numbers[scalars.bias]!, numbers[scalars.biasSum]!];
  if (rule === 'arow') {
    const precision = (variance: number) => Math.min(1 / variance, mostPrecise);
    return {
      values: plain(bias, weights),
      sums: sums && plain(biasSum, sums),
      learned: all(precision(numbers[scalars.biasVariance]!), (j) => precision(vectors!.variances![j]!)),
    };
  }
  if (rule !== 'sgd') return { values: plain(bias, weights), sums: sums && plain(biasSum, sums), learned: null };
  const { scaled, second, settled } = vectors as { [name in 'scaled' | 'second' | 'settled']: Float64Array };
  const isAdaptive = numbers[scalars.schedule] === scalars.scheduleAdaptive;
  const clock = numbers[scalars.clock]!;
  const strength = numbers[scalars.alpha]! * (isAdaptive ? numbers[scalars.rate]! : 1);
  const time = isAdaptive ? clock : numbers[scalars.penaltyClock]!;
  // As sgd computes its answer: penalty steps are postponed, and so are their parts of the sums.
  const values = all(bias, (j) =>
    penalised(scaled[j]!, (time - settled[j]!) * strength, isAdaptive ? second[j]! : 1, numbers[scalars.l1Ratio]!),
  );
  const counted = (j: number) => (isAdaptive ? settled[j]! * settled[j]! : second[j]!);
  return {
    values,
    sums: sums && all(biasSum, (j) => sums[j]! + values[j + 1]! * (clock * clock - counted(j))),
    learned: isAdaptive ? all(numbers[scalars.biasSquares]!, (j) => second[j]! * second[j]!) : null,
  };
}

/** Returns the state of a learner with these weights and scalars. */
export function stateOf(before: LinearState, { values, sums, learned }: Weights, numbers: Float64Array): LinearState {
  const own = { ...before, weights: values.slice(1), sums: sums === null ? null : sums.slice(1), scalars: numbers };
  numbers[scalars.bias] = values[0]!;
  if (sums !== null) numbers[scalars.biasSum] = sums[0]!;
  if (before.rule === 'arow') {
    const variances = learned!.map((precision) => Math.min(1, 1 / precision));
    numbers[scalars.biasVariance] = variances[0]!;
    return { ...own, vectors: { variances: variances.slice(1) } };
  }
  if (before.rule !== 'sgd') return own;
  const clock = numbers[scalars.clock]!;
  const { length } = own.weights;
  if (learned === null) {
    const second = new Float64Array(length).fill(clock * clock);
    const settled = new Float64Array(length).fill(numbers[scalars.penaltyClock]!);
    return { ...own, vectors: { scaled: own.weights.slice(), second, settled } };
  }
  numbers[scalars.biasSquares] = learned[0]!;
  const second = learned.slice(1).map(Math.sqrt);
  const scaled = own.weights.map((weight, j) => (second[j]! > 0 ? weight * second[j]! : weight));
  return { ...own, vectors: { scaled, second, settled: new Float64Array(length).fill(clock) } };
}
