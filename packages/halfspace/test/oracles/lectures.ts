import type { Example, Inner, Outcome, Update } from './oracle.ts';

/**
 * The blog's `perceptron(data, labels)`, with the loop over the n examples (it prints d) and θ of d components (it prints n).
 *
 *     th = 0;  th_0 = 0
 *     while True:
 *       done = True
 *       for i in range(n):
 *         if labels[i] * (th * data[i] + th_0) <= 0:
 *           th += labels[i] * data[i];  th_0 += labels[i];  done = False
 *       if done: break
 *     return (th, th_0)
 */
export function* blog(
  data: readonly Example[],
  { inner, maxPasses }: { inner: Inner; maxPasses: number },
): Generator<Update, Outcome> {
  const d = data[0]!.x.length;
  let th: number[] = [];
  for (let j = 0; j < d; j++) th.push(0);
  let th0 = 0;
  const updatesPerPass: number[] = [];
  for (let pass = 0; pass < maxPasses; pass++) {
    let done = true;
    let updates = 0;
    for (let i = 0; i < data.length; i++) {
      const { x, y } = data[i]!;
      if (y * (inner(th, x) + th0) <= 0) {
        const next: number[] = [];
        for (let j = 0; j < d; j++) next.push(th[j]! + y * x[j]!);
        th = next;
        th0 = th0 + y;
        done = false;
        updates++;
        yield { pass, example: i, weights: th, bias: th0 };
      }
    }
    updatesPerPass.push(updates);
    if (done) break;
  }
  return { weights: th, bias: th0, updatesPerPass };
}

/** The largest norm of (1, x). */
export function longest(data: readonly Example[], inner: Inner): number {
  let largest = 0;
  for (const { x } of data) {
    const squared = inner([1, ...x], [1, ...x]);
    if (squared > largest) largest = squared;
  }
  return Math.sqrt(largest);
}

/** (1, x) / divisor. */
export function divided(data: readonly Example[], divisor: number): { vectors: number[][]; divisor: number } {
  const vectors: number[][] = [];
  for (const { x } of data) {
    const scaled: number[] = [1 / divisor];
    for (let j = 0; j < x.length; j++) scaled.push(x[j]! / divisor);
    vectors.push(scaled);
  }
  return { vectors, divisor };
}

/** "Rescale each data point … such that all inputs live within the unit sphere": (1, x) / max(1, largest norm). */
export function intoUnitBall(data: readonly Example[], inner: Inner): { vectors: number[][]; divisor: number } {
  return divided(data, Math.max(1, longest(data, inner)));
}

/**
 * CS 4/5780.
 *
 *     w = 0
 *     while true:
 *       m = 0
 *       for (x, y) in D:
 *         if y·(wᵀx) ≤ 0:  w ← w + y·x;  m ← m + 1
 *       if m = 0: break
 *
 * The constant dimension is inside x, and everything inside the unit ball.
 */
export function* cs4780(
  data: readonly Example[],
  { inner, maxPasses }: { inner: Inner; maxPasses: number },
): Generator<Update, Outcome> {
  const { vectors } = intoUnitBall(data, inner);
  let w: number[] = [];
  for (let j = 0; j < vectors[0]!.length; j++) w.push(0);
  const updatesPerPass: number[] = [];
  for (let pass = 0; pass < maxPasses; pass++) {
    let m = 0;
    for (let i = 0; i < data.length; i++) {
      const x = vectors[i]!;
      const { y } = data[i]!;
      if (y * inner(w, x) <= 0) {
        const next: number[] = [];
        for (let j = 0; j < x.length; j++) next.push(w[j]! + y * x[j]!);
        w = next;
        m++;
        yield { pass, example: i, weights: w.slice(1), bias: w[0]! };
      }
    }
    updatesPerPass.push(m);
    if (m === 0) break;
  }
  return { weights: w.slice(1), bias: w[0]!, updatesPerPass };
}

/** Step 1: x → (1, x). Step 2: x ← x / ‖x_max‖, so the longest has length 1. */
export function overLongest(data: readonly Example[], inner: Inner): { vectors: number[][]; divisor: number } {
  return divided(data, longest(data, inner));
}

/**
 * FODA L26.
 *
 *     0. w = yᵢxᵢ of any (xᵢ, yᵢ)                                here: of the first
 *     1. repeat: for any (xᵢ, yᵢ) with yᵢ⟨xᵢ, w⟩ < 0: w ← w + yᵢxᵢ       here: the next one in turn
 *        until no misclassified points for T steps              here: T = n, which is all of them
 *     2. return w ← w / ‖w‖
 */
export function* foda(
  data: readonly Example[],
  { inner, maxPasses }: { inner: Inner; maxPasses: number },
): Generator<Update, Outcome> {
  const n = data.length;
  const { vectors } = overLongest(data, inner);
  let w: number[] = [];
  for (let j = 0; j < vectors[0]!.length; j++) w.push(data[0]!.y * vectors[0]![j]!);
  const updatesPerPass: number[] = [];
  let steps = 0;
  for (let t = 0; t < maxPasses * n && steps < n; t++) {
    const pass = Math.floor(t / n);
    const i = t % n;
    if (i === 0) updatesPerPass.push(0);
    const x = vectors[i]!;
    const { y } = data[i]!;
    steps++;
    if (y * inner(w, x) < 0) {
      const next: number[] = [];
      for (let j = 0; j < x.length; j++) next.push(w[j]! + y * x[j]!);
      w = next;
      steps = 0;
      updatesPerPass[pass]!++;
      yield { pass, example: i, weights: w.slice(1), bias: w[0]! };
    }
  }
  let squared = 0;
  for (const component of w) squared += component * component;
  // Where updates cancelled each other there is no direction: w stays 0, and the engine says so too.
  const norm = squared === 0 ? 1 : Math.sqrt(squared);
  const unit: number[] = [];
  for (const component of w) unit.push(component / norm);
  return { weights: unit.slice(1), bias: unit[0]!, updatesPerPass };
}

interface Lecture9Options {
  readonly draw: () => number;
  readonly quiet: number;
  readonly maxIter: number;
  readonly inner: Inner;
}

/** Lecture 9: sgn "returns 1 if x is positive or 0, and −1 if negative". */
function sgn(a: number): number {
  if (a >= 0) return 1;
  return -1;
}

/**
 * Lecture 9, algorithm 1.
 *
 *     w₀ = 0
 *     for t = 0 … maxIter:
 *       i = random{1, …, n}
 *       if yᵢ·wᵀxᵢ ≤ 0:  w ← w + yᵢ·xᵢ
 *
 * x has a 1 as its 0th component. Step 4 of the text ends the loop when w has not changed for a fixed number of draws.
 */
export const lecture9 = (data: readonly Example[], options: Lecture9Options): Generator<Update, Outcome> =>
  learned(data, options, (y, a) => (y * a <= 0 ? y : 0));

/**
 * Lecture 9, algorithm 2, with sgn(wᵀxᵢ) where it prints sgn(yᵢ·wᵀxᵢ).
 *
 *     w₀ = 0
 *     for t = 0 … maxIter:
 *       i = random{1, …, n}
 *       w ← w + ½·(yᵢ − sgn(wᵀxᵢ))·xᵢ
 *
 * There is no branch: the step is 0·x for an example on its side. Only the counting below asks which it was.
 */
export const lecture9Algorithm2 = (data: readonly Example[], options: Lecture9Options): Generator<Update, Outcome> =>
  learned(data, options, (y, a) => 0.5 * (y - sgn(a)));

/** The loop of both. @param factorOf the factor of x in a step, from the label and the score. */
function* learned(
  data: readonly Example[],
  { draw, quiet, maxIter, inner }: Lecture9Options,
  factorOf: (y: number, a: number) => number,
): Generator<Update, Outcome> {
  const n = data.length;
  const d = data[0]!.x.length;
  let w: number[] = [];
  for (let j = 0; j <= d; j++) w.push(0);
  const updatesPerPass: number[] = [];
  let unchanged = 0;
  for (let t = 0; t < maxIter && unchanged < quiet; t++) {
    const pass = Math.floor(t / n);
    if (t % n === 0) updatesPerPass.push(0);
    const i = draw();
    const x = [1, ...data[i]!.x];
    const factor = factorOf(data[i]!.y, inner(w, x));
    const next: number[] = [];
    for (let j = 0; j <= d; j++) next.push(w[j]! + factor * x[j]!);
    w = next;
    unchanged++;
    if (factor !== 0) {
      unchanged = 0;
      updatesPerPass[pass]!++;
      yield { pass, example: i, weights: w.slice(1), bias: w[0]! };
    }
  }
  return { weights: w.slice(1), bias: w[0]!, updatesPerPass };
}

/**
 * The slides' `PerceptronTrain(D, MaxIter)`.
 *
 *     1: wᵢ = 0   2: b = 0
 *     3: for iter = 1 … MaxIter:
 *     4:   for all (X, y) ∈ D:
 *     5:     a = WᵀX + b
 *     6:     if y·a ≤ 0:
 *     7:       wᵢ = wᵢ + y·xᵢ   8: b = b + y
 *     9: return b, w
 */
export function* slides(
  data: readonly Example[],
  { inner, maxIter }: { inner: Inner; maxIter: number },
): Generator<Update, Outcome> {
  const d = data[0]!.x.length;
  let w: number[] = [];
  for (let j = 0; j < d; j++) w.push(0);
  let b = 0;
  const updatesPerPass: number[] = [];
  for (let iter = 0; iter < maxIter; iter++) {
    updatesPerPass.push(0);
    for (let i = 0; i < data.length; i++) {
      const { x, y } = data[i]!;
      const a = inner(w, x) + b;
      if (y * a <= 0) {
        const next: number[] = [];
        for (let j = 0; j < d; j++) next.push(w[j]! + y * x[j]!);
        w = next;
        b = b + y;
        updatesPerPass[iter]!++;
        yield { pass: iter, example: i, weights: w, bias: b };
      }
    }
  }
  return { weights: w, bias: b, updatesPerPass };
}
