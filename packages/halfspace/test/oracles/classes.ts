import type { Arithmetic } from '../support/arithmetic.ts';
import { type SgdMoment, type SgdOracleOptions, shrunken, type Weight } from './gradient.ts';
import type { Inner } from './oracle.ts';

/** An example of one of several classes. */
export interface Labelled {
  /** The features, without the constant. */
  readonly x: readonly number[];
  /** Its class, from 0. */
  readonly y: number;
}

/** The step of a two-class rule at an example of class +1: score a, squared length n, importance h; null: no update. */
export type Step = (a: number, n: number, h: number) => number | null;

/** W after an example, as one weight vector for each class. */
export interface Blocks {
  readonly updates: number;
  /** Block k of W without its last component. */
  readonly weights: readonly (readonly number[])[];
  /** The last components: those of the constant. */
  readonly biases: readonly number[];
  /** The number of examples so far that were misclassified before the update. */
  readonly mistakes: number;
}

/**
 * Kesler's construction with vectors written out: K blocks of d + 1 components, the last of each for the constant 1.
 *
 *     W = 0
 *     for (x, y) in turn:
 *       r = the class other than y, of those that compete, with the highest W·(x at block r)
 *       z = (x, 1) at block y, −(x, 1) at block r, 0 elsewhere
 *       apply the rule of two classes to the example (z, +1):  W = W + τ·z
 *
 * Classes compete from the start (`known`), or from their first example of importance above 0. Yields after every example.
 */
export function* kesler(
  data: readonly Labelled[],
  {
    classes,
    known,
    inner,
    step,
    importance,
    passes,
  }: {
    classes: number;
    known: boolean;
    inner: Inner;
    step: Step;
    importance: readonly number[];
    passes: number;
  },
): Generator<Blocks, void> {
  const d = data[0]!.x.length;
  const size = d + 1;
  let W: number[] = new Array(classes * size).fill(0);
  const competes: boolean[] = new Array(classes).fill(known);
  const block = (vector: readonly number[], k: number) => vector.slice(k * size, (k + 1) * size);
  // Block by block, in each the constant last, as the header of the rule sums.
  const blockwise = (a: readonly number[], b: readonly number[], k: number) => {
    const [u, v] = [block(a, k), block(b, k)];
    return inner(u.slice(0, d), v.slice(0, d)) + u[d]! * v[d]!;
  };
  const at = (k: number, x: readonly number[], sign: number) => {
    const z: number[] = new Array(classes * size).fill(0);
    [...x, 1].forEach((value, j) => {
      z[k * size + j] = sign * value;
    });
    return z;
  };
  let updates = 0;
  let mistakes = 0;
  for (let pass = 0; pass < passes; pass++)
    for (const [i, { x, y }] of data.entries()) {
      const h = importance[i]!;
      if (h > 0) competes[y] = true;
      const scores = competes.map((there, k) => (there || k === y ? blockwise(W, at(k, x, 1), k) : -Infinity));
      let r = -1;
      for (let k = 0; k < classes; k++) {
        if (k === y || !competes[k]) continue;
        if (r === -1 || scores[k]! > scores[r]!) r = k;
      }
      if (r !== -1) {
        if (scores.indexOf(Math.max(...scores)) !== y) mistakes++;
        const z = at(y, x, 1);
        at(r, x, -1).forEach((value, j) => {
          if (value !== 0) z[j] = value;
        });
        const a = blockwise(W, z, y) + blockwise(W, z, r);
        const n = blockwise(z, z, y) + blockwise(z, z, r);
        const tau = h > 0 ? step(a, n, h) : null;
        if (tau !== null) {
          W = W.map((weight, j) => weight + tau * z[j]!);
          updates++;
        }
      }
      yield {
        updates,
        mistakes,
        weights: Array.from({ length: classes }, (_, k) => block(W, k).slice(0, d)),
        biases: Array.from({ length: classes }, (_, k) => W[k * size + d]!),
      };
    }
}

/** W after all examples, each class's constant last, and what was decided at each of them. */
export interface Course {
  readonly weights: readonly (readonly number[])[];
  /** For each example: the lowered rival (−1: no update), and the distance to another decision (0: a tie). */
  readonly decisions: readonly { readonly rival: number; readonly distance: number }[];
}

/**
 * Crammer et al. 2006, section 8, with one vector for each class and the constant feature 1:
 *
 *     for t = 1, 2, …
 *       r = the class other than y with the highest w_r·x, of equals the first
 *       ℓ = max{0, 1 − (w_y·x − w_r·x)},   n = 2‖x‖²
 *       τ = ℓ/n (PA),  min{C, ℓ/n} (PA-I),  ℓ/(n + 1/(2C)) (PA-II)
 *       w_y = w_y + τ·x,  w_r = w_r − τ·x
 *
 * Sums run from left to right.
 */
export function passiveAggressiveClasses<T>(
  data: readonly Labelled[],
  { of, add, minus, times, over, less, double }: Arithmetic<T>,
  { classes, passes, variant, C }: { classes: number; passes: number; variant: 'pa' | 'pa-1' | 'pa-2'; C: number },
): Course {
  const inner = (w: readonly T[], x: readonly T[]) =>
    w.reduce((sum, weight, j) => add(sum, times(weight, x[j]!)), of(0));
  let W = Array.from({ length: classes }, () => [...data[0]!.x, 1].map(() => of(0)));
  const decisions: { rival: number; distance: number }[] = [];
  for (let pass = 0; pass < passes; pass++)
    for (const { x: features, y } of data) {
      const x = [...features, 1].map(of);
      const scores = W.map((w) => inner(w, x));
      const others = scores.map((_, k) => k).filter((k) => k !== y);
      const r = others.reduce((best, k) => (less(scores[best]!, scores[k]!) ? k : best));
      const loss = minus(of(1), minus(scores[y]!, scores[r]!));
      const gaps = others.filter((k) => k !== r).map((k) => double(minus(scores[r]!, scores[k]!)));
      const distance = Math.min(Math.abs(double(loss)), ...gaps);
      const updates = less(of(0), loss);
      decisions.push({ rival: updates ? r : -1, distance });
      if (!updates) continue;
      const n = times(of(2), inner(x, x));
      const whole = over(loss, variant === 'pa-2' ? add(n, of(0.5 / C)) : n);
      const tau = variant === 'pa-1' && less(of(C), whole) ? of(C) : whole;
      W = W.map((w, k) => {
        const step = k === y ? tau : k === r ? minus(of(0), tau) : null;
        return step === null ? w : w.map((weight, j) => add(weight, times(step, x[j]!)));
      });
    }
  return { weights: W.map((w) => w.map(double)), decisions };
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
  const asOfNow = (weight: Weight): number =>
    shrunken(weight, (shrunk - weight.penalty) * (adaptive ? alpha * rate : alpha), l1Ratio);

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
