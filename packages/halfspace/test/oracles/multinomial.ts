import type { Labelled } from './multiclass-perceptron.ts';
import type { Inner } from './oracle.ts';
import type { SgdMoment, SgdOracleOptions } from './sgd.ts';

/** A weight of one class, with what has been applied to it so far. */
interface Weight {
  /** Adaptive: w · √Σg², or w while Σg² = 0. Otherwise w. */
  u: number;
  /** Adaptive: √Σg². Otherwise 1. */
  q: number;
  /** Σ w · (T₂² − T₁²) */
  sum: number;
  penalty: number;
  clock: number;
}

/**
 * Softmax regression in plain loops, one object for each weight:
 *
 *     for t = 1, 2, …
 *       for each class k and j with xⱼ ≠ 0:  w_kj = prox(w_kj) for the time since
 *       p_k = e^(f_k − max f) / Σ …;   g_k = h · ([k = y] − p_k)
 *       for each class k and j with xⱼ ≠ 0:  sum_kj += w_kj · (T² − T_kj²);  w_kj += η·g_k·xⱼ
 *       T += h
 *
 * Yields the weights of each class, its bias last, after each example.
 */
export function* multinomial(
  data: readonly Labelled[],
  {
    inner,
    passes,
    alpha,
    l1Ratio,
    schedule,
    rate,
    power,
    importance,
    exp,
    pow,
    classes,
  }: Omit<SgdOracleOptions, 'loss'> & { readonly inner: Inner; readonly classes: number },
): Generator<readonly SgdMoment[], void> {
  const adaptive = schedule === 'adaptive';
  const all = Array.from({ length: classes }, () =>
    data[0]!.x.map((): Weight => ({ u: 0, q: adaptive ? 0 : 1, sum: 0, penalty: 0, clock: 0 })),
  );
  const bias = all.map(() => ({ b: 0, sum: 0, squares: 0 }));
  let [T, shrunk] = [0, 0];
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
        const now = all.map((own) => there.map((j) => asOfNow(own[j]!)));
        const values = there.map((j) => x[j]!);
        const scores = all.map((_, k) => inner(values, now[k]!) + bias[k]!.b);
        const e = scores.map((score) => exp(score - Math.max(...scores)));
        const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);
        const others = sum(e.map((each, k) => (k === y ? 0 : each)));
        const g = e.map((each, k) => (k === y ? h * (others / sum(e)) : -h * (each / sum(e))));
        const moves = others > 0;
        const eta = schedule === 'inverse-scaling' ? rate / pow(1 + T, power) : rate;
        for (const [k, own] of all.entries()) {
          if (moves || alpha > 0)
            there.forEach((j, n) => {
              const weight = own[j]!;
              const w = now[k]![n]!;
              weight.sum += w * (T * T - weight.clock * weight.clock);
              weight.clock = T;
              weight.penalty = shrunk;
              const gradient = moves ? g[k]! * x[j]! : 0;
              if (adaptive) {
                weight.q = Math.sqrt(weight.q * weight.q + gradient * gradient);
                weight.u = weight.q > 0 ? w * weight.q + rate * gradient : w;
              } else weight.u = moves ? w + eta * g[k]! * x[j]! : w;
            });
          if (!moves) continue;
          const own0 = bias[k]!;
          own0.squares += g[k]! * g[k]!;
          if (!adaptive) own0.b += eta * g[k]!;
          else if (own0.squares > 0) own0.b += (rate * g[k]!) / Math.sqrt(own0.squares);
        }
        const before = T;
        T += h;
        shrunk += adaptive ? h : eta * h;
        for (const each of bias) each.sum += each.b * (T * T - before * before);
      }
      yield all.map((own, k) => ({
        last: [...own.map(asOfNow), bias[k]!.b],
        mean:
          T === 0
            ? [...own.map(() => 0), 0]
            : [...own.map((w) => (w.sum + asOfNow(w) * (T * T - w.clock * w.clock)) / (T * T)), bias[k]!.sum / (T * T)],
      }));
    }
}
