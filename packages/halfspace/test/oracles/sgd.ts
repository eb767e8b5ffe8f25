import type { Example, Inner } from './oracle.ts';

export interface SgdOracleOptions {
  readonly inner: Inner;
  readonly passes: number;
  readonly loss: string;
  readonly alpha: number;
  readonly l1Ratio: number;
  readonly schedule: string;
  readonly rate: number;
  readonly power: number;
  readonly importance?: readonly number[];
  /** e^x and t^p, as the rule has them. */
  readonly exp: (x: number) => number;
  readonly pow: (t: number, p: number) => number;
}

/** The weights just after an example, as of then, and their mean weighted by time. The bias is last. */
export interface SgdMoment {
  readonly last: readonly number[];
  readonly mean: readonly number[];
}

interface Weight {
  /** Adaptive: w · √Σg², or w while Σg² = 0. Otherwise w. */
  u: number;
  /** Σ w · (T₂² − T₁²) */
  sum: number;
  /** Adaptive: √Σg². Otherwise 1. */
  q: number;
  /** The times up to which penalty and mean have been applied. */
  penalty: number;
  clock: number;
}

/**
 * Lazy stochastic gradient steps in plain loops:
 *
 *     for t = 1, 2, …
 *       for each j with xⱼ ≠ 0:  w_j = prox(w_j) for the time since
 *       m = y(w·x + b);  f = −L′(m)
 *       if there is a penalty, or f > 0, for each j with xⱼ ≠ 0:  sum_j += w_j · (T² − T_j²);  w_j += η·h·f·y·xⱼ
 *       T += h
 *
 * Adaptive steps are counted times q_j = √Σg², of which η is a quotient: u_j = w_j · q_j + η₀·h·f·y·xⱼ.
 *
 * Zeros are no part of a row, and so not of the lanes of a sum either.
 */
export function* sgd(data: readonly Example[], options: SgdOracleOptions): Generator<SgdMoment, void> {
  const { inner, passes, loss, alpha, l1Ratio, schedule, rate, power, importance, exp, pow } = options;
  const adaptive = schedule === 'adaptive';
  const weights = data[0]!.x.map((): Weight => ({ u: 0, q: adaptive ? 0 : 1, sum: 0, penalty: 0, clock: 0 }));
  let [bias, biasSum, biasSquares, T, shrunk] = [0, 0, 0, 0, 0];

  const minusSlope = (m: number): number =>
    ({
      perceptron: m <= 0 ? 1 : 0,
      hinge: m <= 1 ? 1 : 0,
      'squared-hinge': m < 1 ? 2 * (1 - m) : 0,
      logistic: 1 / (1 + exp(m)),
      'modified-huber': m < -1 ? 4 : m < 1 ? 2 * (1 - m) : 0,
    })[loss]!;
  /** The penalty of all the time since the weight was last looked at, as one step. */
  const asOfNow = ({ u, q, penalty }: Weight): number => {
    const kappa = (shrunk - penalty) * (adaptive ? alpha * rate : alpha);
    if (q === 0) return u;
    const size = Math.max(0, Math.abs(u) - l1Ratio * kappa) / (q + (1 - l1Ratio) * kappa);
    return size === 0 ? 0 : Math.sign(u) * size;
  };

  for (let pass = 0; pass < passes; pass++)
    for (const [i, { x, y }] of data.entries()) {
      const h = importance?.[i] ?? 1;
      const there = x.map((_, j) => j).filter((j) => x[j] !== 0);
      if (h > 0) {
        const now = there.map((j) => asOfNow(weights[j]!));
        const a =
          inner(
            there.map((j) => x[j]!),
            now,
          ) + bias;
        const g = h * minusSlope(y * a) * y;
        const eta = schedule === 'inverse-scaling' ? rate / pow(1 + T, power) : rate;
        if (g !== 0 || alpha > 0)
          there.forEach((j, n) => {
            const weight = weights[j]!;
            const w = now[n]!;
            weight.sum += w * (T * T - weight.clock * weight.clock);
            weight.clock = T;
            weight.penalty = shrunk;
            if (adaptive) {
              const gradient = g * x[j]!;
              weight.q = Math.sqrt(weight.q * weight.q + gradient * gradient);
              weight.u = weight.q > 0 ? w * weight.q + rate * gradient : w;
            } else weight.u = w + eta * g * x[j]!;
          });
        if (g !== 0) {
          biasSquares += g * g;
          bias += adaptive ? (rate * g) / Math.sqrt(biasSquares) : eta * g;
        }
        const before = T;
        T += h;
        shrunk += adaptive ? h : eta * h;
        biasSum += bias * (T * T - before * before);
      }
      yield {
        last: [...weights.map(asOfNow), bias],
        mean:
          T === 0
            ? [...weights.map(() => 0), 0]
            : [...weights.map((w) => (w.sum + asOfNow(w) * (T * T - w.clock * w.clock)) / (T * T)), biasSum / (T * T)],
      };
    }
}
