import type { Example, Inner, Update } from './oracle.ts';

/** The mean of all weights so far, and the largest size that each component ever had (the error bounds need it). */
export interface Mean {
  readonly pass: number;
  readonly updates: number;
  readonly steps: number;
  readonly weights: readonly number[];
  readonly bias: number;
  readonly largest: readonly number[];
}

/**
 * The averaged perceptron as Freund and Schapire define it: w̄ = (1/T) Σₜ wₜ over all time steps, with wₜ the weights
 * after example t, changed or not. Yields after every example.
 */
export function* averaged(
  data: readonly Example[],
  { inner, passes }: { inner: Inner; passes: number },
): Generator<Mean, void> {
  const d = data[0]!.x.length;
  const w: number[] = [];
  const sum: number[] = [];
  const largest: number[] = [];
  for (let j = 0; j <= d; j++) {
    w.push(0);
    sum.push(0);
    largest.push(0);
  }
  let steps = 0;
  let updates = 0;
  for (let pass = 0; pass < passes; pass++) {
    for (const { x, y } of data) {
      if (y * (inner(w.slice(1), x) + w[0]!) <= 0) {
        w[0]! += y;
        for (let j = 0; j < d; j++) w[j + 1]! += y * x[j]!;
        updates++;
      }
      steps++;
      const mean: number[] = [];
      for (let j = 0; j <= d; j++) {
        sum[j]! += w[j]!;
        if (Math.abs(w[j]!) > largest[j]!) largest[j] = Math.abs(w[j]!);
        mean.push(sum[j]! / steps);
      }
      yield { pass, updates, steps, weights: mean.slice(1), bias: mean[0]!, largest: largest.slice() };
    }
  }
}

/** A vector that the perceptron had, the constant's weight first, and the number of examples that it survived. */
export interface Vector {
  readonly v: readonly number[];
  c: number;
}

/**
 * Freund and Schapire's figure 1, with y(v·x) ≤ 0 for a mistake; keeps all vectors. Yields the whole list, v₀ = 0
 * first, after every example.
 */
export function* voted(
  data: readonly Example[],
  { inner, epochs }: { inner: Inner; epochs: number },
): Generator<readonly Vector[], void> {
  const vectors: Vector[] = [{ v: [0, ...data[0]!.x.map(() => 0)], c: 0 }];
  for (let epoch = 0; epoch < epochs; epoch++) {
    for (const { x, y } of data) {
      const last = vectors.at(-1)!;
      if (y * inner(last.v, [1, ...x]) > 0) last.c++;
      else vectors.push({ v: last.v.map((weight, j) => weight + y * [1, ...x][j]!), c: 1 });
      yield vectors;
    }
  }
}

/** The paper's predictions, of which the votes are divided by their number; each vector scores x by itself. */
export function predictions(vectors: readonly Vector[], x: readonly number[], inner: Inner) {
  let [sum, votes, time] = [0, 0, 0];
  for (const { v, c } of vectors) {
    const s = inner(v, [1, ...x]);
    sum += c * s;
    votes += c * Math.sign(s);
    time += c;
  }
  return { last: inner(vectors.at(-1)!.v, [1, ...x]), averaged: sum / time, voted: votes / time };
}

/** The pocket just after an example. */
export interface PocketMoment {
  readonly weights: readonly number[];
  readonly bias: number;
}

/**
 * Gallant 1990, figure 3, the pocket algorithm with ratchet, letter by letter; but for the examples, which are taken in their turn, and for
 * num_ok_W, which is counted at the start instead of being 0. The constant feature is the last. `every` also compares after every π = π + y·x.
 *
 *     π = W = 0, run_π = run_W = 0
 *     for each example:
 *       if π is right about it:  run_π = run_π + 1
 *         if run_π > run_W:
 *           num_ok_π = importance of all examples that π gets right
 *           if num_ok_π > num_ok_W:  W = π, run_W = run_π, num_ok_W = num_ok_π
 *       otherwise:  π = π + y·x, run_π = 0
 *
 * Without the ratchet (figure 2): if run_π > run_W: W = π, run_W = run_π. An example of importance 0 is skipped. Yields after every example.
 */
export function* pocket(
  data: readonly Example[],
  {
    inner,
    passes,
    ratchet,
    importance,
    every,
  }: { inner: Inner; passes: number; ratchet: boolean; importance: readonly number[]; every: boolean },
): Generator<PocketMoment, void> {
  const score = (w: readonly number[], x: readonly number[]) => inner(w.slice(0, -1), x) + w.at(-1)!;
  // The class of score 0 is −1.
  const rightOf = (w: readonly number[]) =>
    data.reduce((sum, { x, y }, i) => sum + (score(w, x) > 0 === y > 0 ? importance[i]! : 0), 0);
  let pi = [...data[0]!.x.map(() => 0), 0];
  let w = pi;
  let right = rightOf(w);
  let [run, longest] = [0, 0];
  for (let pass = 0; pass < passes; pass++)
    for (const [i, { x, y }] of data.entries()) {
      const h = importance[i]!;
      if (h > 0 && y * score(pi, x) <= 0) {
        pi = pi.map((weight, j) => weight + h * y * (x[j] ?? 1));
        run = 0;
      } else if (h > 0) run++;
      if (every ? rightOf(pi) > right : run > longest && h > 0 && (!ratchet || rightOf(pi) > right)) {
        w = pi;
        longest = run;
        right = rightOf(pi);
      }
      yield { weights: w.slice(0, -1), bias: w.at(-1)! };
    }
}

export interface Mistake {
  /** Number of the example. */
  readonly example: number;
  readonly x: readonly number[];
  readonly alpha: number;
  /** Examples that the vector survived which this mistake made. */
  c: number;
}

export type MercerKernel = (x: readonly number[], z: readonly number[]) => number;

/** Σ α K(x', x) over the mistakes, in their order. */
export function dualScore(mistakes: readonly Mistake[], x: readonly number[], kernel: MercerKernel): number {
  let sum = 0;
  for (const mistake of mistakes) sum += mistake.alpha * kernel(mistake.x, x);
  return sum;
}

/**
 * The perceptron in dual form, in plain loops: stores only the mistakes, each as often as it was made. Yields after
 * every example. `drop(k)` chooses the stored mistake to remove at the k-th mistake beyond the budget.
 */
export function* kernelPerceptron(
  data: readonly Example[],
  {
    kernel,
    epochs,
    budget = Infinity,
    drop = () => 0,
  }: { kernel: MercerKernel; epochs: number; budget?: number; drop?: (k: number) => number },
): Generator<readonly Mistake[], void> {
  let mistakes: Mistake[] = [];
  let made = 0;
  for (let epoch = 0; epoch < epochs; epoch++) {
    for (const [example, { x, y }] of data.entries()) {
      if (y * dualScore(mistakes, x, kernel) > 0) {
        if (mistakes.length > 0) mistakes.at(-1)!.c++;
      } else {
        made++;
        if (mistakes.length >= budget) {
          const dropped = drop(made);
          mistakes = mistakes.filter((_, k) => k !== dropped);
        }
        mistakes.push({ example, x, alpha: y, c: 1 });
      }
      yield mistakes;
    }
  }
}

/** Scores by every vector of the list, each summed anew. */
export function dualPredictions(mistakes: readonly Mistake[], x: readonly number[], kernel: MercerKernel) {
  let [sum, votes, time] = [0, 0, 0];
  mistakes.forEach(({ c }, k) => {
    const s = dualScore(mistakes.slice(0, k + 1), x, kernel);
    sum += c * s;
    votes += c * Math.sign(s);
    time += c;
  });
  return { last: dualScore(mistakes, x, kernel), averaged: sum / time, voted: votes / time };
}

/**
 * A rule as a plain loop over the features: learns from the example (x, y) of importance h > 0.
 *
 * @param w the weights, the bias last; changed in place.
 * @param x the features, the constant c last.
 * @param inner the sum w·x; the order of its terms decides how it rounds.
 * @returns true after an update.
 */
type PlainRule<O> = (
  w: number[],
  example: { readonly x: readonly number[]; readonly y: -1 | 1; readonly h: number },
  inner: Inner,
  options: O,
) => boolean;

/** A rule as a plain loop, with options. */
export type Plain = (w: number[], example: Parameters<PlainRule<never>>[1], inner: Inner) => boolean;

export const plainPerceptron: PlainRule<{ updateWhen: 'at-most-zero' | 'below-zero' | 'sign-differs' }> = (
  w,
  { x, y, h },
  inner,
  { updateWhen },
) => {
  const a = inner(w, x);
  const wrong = { 'at-most-zero': y * a <= 0, 'below-zero': y * a < 0, 'sign-differs': y !== (a < 0 ? -1 : 1) };
  if (!wrong[updateWhen]) return false;
  for (let j = 0; j < x.length; j++) w[j]! += h * y * x[j]!;
  return true;
};

export const plainMargin: PlainRule<{ margin: number }> = (w, { x, y, h }, inner, { margin: tau }) => {
  if (y * inner(w, x) > tau) return false;
  for (let j = 0; j < x.length; j++) w[j]! += h * y * x[j]!;
  return true;
};

export const plainPassiveAggressive: PlainRule<{ variant: 'pa' | 'pa-1' | 'pa-2'; aggressiveness: number }> = (
  w,
  { x, y, h },
  inner,
  { variant, aggressiveness },
) => {
  const loss = Math.max(0, 1 - y * inner(w, x));
  if (loss === 0) return false;
  const n = inner(x, x);
  const c = h * aggressiveness;
  const tau = { pa: loss / n, 'pa-1': Math.min(c, loss / n), 'pa-2': loss / (n + 1 / (2 * c)) }[variant];
  for (let j = 0; j < x.length; j++) w[j]! += tau * y * x[j]!;
  return true;
};

/** Shows the examples to a rule, pass by pass, with the constant 1 as the last feature. Yields after every update. */
export function* plainUpdates(
  data: readonly Example[],
  plain: Plain,
  { inner, passes, importance = data.map(() => 1) }: { inner: Inner; passes: number; importance?: readonly number[] },
): Generator<Update, void> {
  // The kernels add the term of the constant after those of the features.
  const constantLast: Inner = (a, b) => inner(a.slice(0, -1), b.slice(0, -1)) + a.at(-1)! * b.at(-1)!;
  const w = [...data[0]!.x.map(() => 0), 0];
  for (let pass = 0; pass < passes; pass++)
    for (const [example, { x, y }] of data.entries()) {
      const h = importance[example]!;
      if (h > 0 && plain(w, { x: [...x, 1], y, h }, constantLast))
        yield { pass, example, weights: w.slice(0, -1), bias: w.at(-1)! };
    }
}
