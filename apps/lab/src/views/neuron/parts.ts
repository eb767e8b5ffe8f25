import { shownAt, vectorAt } from '../../engine/examples.ts';
import type { Line } from '../../engine/recording.ts';
import { classOf } from '../../engine/recording.ts';
import { subscript } from '../../picture/numbers.ts';
import { pathIndex, runPath, weightsAt } from '../run-path.ts';
import type { Scene } from '../view.ts';

/** An input of a neuron with its weight, or several inputs together. */
export interface Input {
  readonly name: string;
  /** Null: several inputs. */
  readonly value: number | null;
  readonly weight: number | null;
  /** value · weight, or the sum of these. */
  readonly product: number;
}

export interface Neuron {
  /** The example, by its number in the data. */
  readonly row: number;
  readonly label: -1 | 1;
  readonly inputs: readonly Input[];
  /** The sum of all products. */
  readonly sum: number;
  /** θ, which the sum is compared with; 0 where the bias is an input. */
  readonly threshold: number;
  /** The score, sum − θ. */
  readonly score: number;
  readonly answer: -1 | 1;
}

/** Maximum number of inputs that are drawn one by one. */
const mostInputs = 12;

/**
 * Returns the neuron with some weights, at the selected example, or else the one just shown. Null: no examples are
 * drawn.
 */
export function neuronOf(scene: Scene, { weights, bias }: Line): Neuron | null {
  const { examples, recording, selected, moment } = scene;
  const { divisor, biasConstant, absorbed, tie } = recording;
  const place = [selected, moment.row].map((row) => (row === null || row < 0 ? -1 : shownAt(examples, row)));
  const position = place.find((at) => at >= 0) ?? 0;
  const row = examples.shown[position];
  if (row === undefined) return null;
  const x = vectorAt(examples, position);
  const all = Array.from(x, (value, j): Input => {
    const input = value / divisor;
    return {
      name: examples.featureNames[j] ?? `x${subscript(j + 1)}`,
      value: input,
      weight: weights[j]!,
      product: input * weights[j]!,
    };
  });
  const inputs = strongest(all);
  if (absorbed && biasConstant !== 0)
    inputs.unshift({ name: 'constant', value: biasConstant, weight: bias, product: bias * biasConstant });
  const sum = inputs.reduce((total, { product }) => total + product, 0);
  const threshold = absorbed ? 0 : -bias * biasConstant;
  const score = sum - threshold;
  return {
    row,
    label: examples.labels[row]! > 0 ? 1 : -1,
    inputs,
    sum,
    threshold: threshold === 0 ? 0 : threshold,
    score,
    answer: classOf(score, tie) > 0 ? 1 : -1,
  };
}

/** Returns the inputs with the largest products, in the order of the features, and the rest as one input. */
function strongest(all: readonly Input[]): Input[] {
  if (all.length <= mostInputs) return [...all];
  const kept = new Set(
    [...all.keys()]
      .sort((a, b) => Math.abs(all[b]!.product) - Math.abs(all[a]!.product) || a - b)
      .slice(0, mostInputs - 1),
  );
  const rest = all.filter((_, j) => !kept.has(j));
  const product = rest.reduce((total, each) => total + each.product, 0);
  return [
    ...all.filter((_, j) => kept.has(j)),
    { name: `${rest.length.toLocaleString('en')} others`, value: null, weight: null, product },
  ];
}

/**
 * Returns the weights of a choice: `now`, `before` the example was shown, or those that `answer`. Null: there are
 * none.
 */
export function lineOf(scene: Scene, choice: string): Line | null {
  const { moment } = scene;
  const recorded = choice === 'before' ? moment.before : choice === 'answer' ? moment.answer : moment.present;
  if (recorded !== null) return recorded;
  const path = runPath(scene);
  if (path === null) return null;
  const step = choice === 'before' ? Math.max(0, moment.step - 1) : moment.step;
  const numbers = weightsAt(path, pathIndex(path, { ...scene, moment: { ...moment, step } }));
  return { bias: numbers[0]!, weights: numbers.subarray(1) };
}
