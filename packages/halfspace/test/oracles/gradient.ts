import type { Arithmetic } from '../support/arithmetic.ts';
import type { Example, Inner, Update } from './oracle.ts';

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

export interface Weight {
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

/** Returns a weight after a penalty step of strength κ. */
export function shrunken({ u, q }: Weight, kappa: number, l1Ratio: number): number {
  if (q === 0) return u;
  const size = Math.max(0, Math.abs(u) - l1Ratio * kappa) / (q + (1 - l1Ratio) * kappa);
  return size === 0 ? 0 : Math.sign(u) * size;
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
  const asOfNow = (weight: Weight): number =>
    shrunken(weight, (shrunk - weight.penalty) * (adaptive ? alpha * rate : alpha), l1Ratio);

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

/**
 * Stochastic gradient steps on max(0, 1 − m)², m = y(w·x), at a constant rate η and without a penalty, the constant feature 1 being the last
 * of x:
 *
 *     for t = 1, 2, …
 *       ℓ = max{0, 1 − y(w·x)};   w = w + 2η·ℓ·y·x
 *
 * Sums run from left to right. Returns w.
 */
export function squaredHinge<T>(
  data: readonly Example[],
  { of, add, minus, times, less, double }: Arithmetic<T>,
  { passes, rate }: { passes: number; rate: number },
): number[] {
  let w = [...data[0]!.x, 1].map(() => of(0));
  for (let pass = 0; pass < passes; pass++)
    for (const { x: features, y } of data) {
      const x = [...features, 1].map(of);
      const m = times(
        of(y),
        w.reduce((sum, weight, j) => add(sum, times(weight, x[j]!)), of(0)),
      );
      const loss = minus(of(1), m);
      if (!less(of(0), loss)) continue;
      const step = times(times(of(2 * rate), loss), of(y));
      w = w.map((weight, j) => add(weight, times(step, x[j]!)));
    }
  return w.map(double);
}

/** The weights and their variances just after an update, the bias's last. */
export interface ArowUpdate extends Update {
  readonly variances: readonly number[];
}

/**
 * Figure 1 of Crammer, Kulesza & Dredze 2009, with a diagonal Σ and the constant feature 1 last:
 *
 *     μ = 0, Σ = I
 *     for t = 1, 2, …
 *       m = μ·x,  v = xᵀΣx
 *       if m·y < 1:  β = 1/(v + r),  α = max(0, 1 − y·m)·β,  μ = μ + αΣyx,  Σ = Σ − βΣx(Σx)ᵀ
 *
 * r of an example is r over its importance. Yields after every update.
 */
export function* arow(
  data: readonly Example[],
  { inner, passes, r, importance }: { inner: Inner; passes: number; r: number; importance: readonly number[] },
): Generator<ArowUpdate, void> {
  const sum = (a: readonly number[], b: readonly number[]) =>
    inner(a.slice(0, -1), b.slice(0, -1)) + a.at(-1)! * b.at(-1)!;
  let mu = [...data[0]!.x.map(() => 0), 0];
  let sigma = mu.map(() => 1);
  for (let pass = 0; pass < passes; pass++)
    for (const [example, { x: features, y }] of data.entries()) {
      const x = [...features, 1];
      const m = y * sum(mu, x);
      if (m >= 1 || importance[example] === 0) continue;
      const along = x.map((value, j) => sigma[j]! * value);
      const beta = 1 / (sum(x, along) + r / importance[example]!);
      const alpha = (1 - m) * beta;
      mu = mu.map((weight, j) => weight + alpha * y * along[j]!);
      sigma = sigma.map((variance, j) => variance - beta * along[j]! * along[j]!);
      yield { pass, example, weights: mu.slice(0, -1), bias: mu.at(-1)!, variances: sigma };
    }
}
