import { quantile } from '../evaluate/bootstrap.ts';
import type { LinearFunction } from '../model/linear/model.ts';
import { eachWeight, weightReader } from '../model/linear/sparse-weights.ts';
import type { SampledWeights } from '../pool/sample-task.ts';

/** A weight of a model, and where it lies in runs on other samples. */
export interface WeightInterval {
  /** The weight in the model. */
  readonly weight: number;
  /** Percentiles over the runs. */
  readonly low: number;
  readonly high: number;
  /** Share of the runs in which the weight has the sign that it has in the model. */
  readonly sameSign: number;
}

/** The intervals of a scoring function. */
export interface FunctionIntervals {
  /** The class for which scores above 0 speak. */
  readonly class: string;
  /** The bias times the constant of the model. */
  readonly bias: WeightInterval;
  /** By descending size of the weight in the model. */
  readonly weights: readonly (WeightInterval & { readonly feature: string })[];
}

/** The weights of a function in all runs. */
export class WeightsOfRuns {
  readonly #linear: LinearFunction;
  /** Features of the weights. */
  readonly features: readonly number[];
  readonly #biases: Float64Array;
  readonly #weights: readonly Float64Array[];

  constructor(linear: LinearFunction, most: number, runs: number) {
    const order: number[] = [];
    eachWeight(linear, (_, j) => order.push(j));
    const weight = weightReader(linear);
    order.sort((a, b) => Math.abs(weight(b)) - Math.abs(weight(a)) || a - b);
    this.#linear = linear;
    this.features = order.slice(0, most);
    this.#biases = new Float64Array(runs);
    this.#weights = this.features.map(() => new Float64Array(runs));
  }

  add({ bias, weights }: SampledWeights, run: number): void {
    this.#biases[run] = bias;
    weights.forEach((weight, k) => {
      this.#weights[k]![run] = weight;
    });
  }

  intervals(name: string, confidence: number, nameOf: (j: number) => string): FunctionIntervals {
    const weight = weightReader(this.#linear);
    const { bias, biasConstant } = this.#linear;
    return {
      class: name,
      bias: intervalOf(bias * biasConstant, this.#biases, confidence),
      weights: this.features.map((j, k) => ({
        feature: nameOf(j),
        ...intervalOf(weight(j), this.#weights[k]!, confidence),
      })),
    };
  }
}

function intervalOf(weight: number, values: Float64Array, confidence: number): WeightInterval {
  const sorted = values.slice().sort();
  const same = values.filter((value) => Math.sign(value) === Math.sign(weight)).length;
  const outside = (1 - confidence) / 2;
  return {
    weight: weight + 0,
    low: quantile(sorted, outside) + 0,
    high: quantile(sorted, 1 - outside) + 0,
    sameSign: same / values.length,
  };
}
