/** Parts that all oracles here share. An oracle is a lecture's pseudo-code in plain loops, without code of src. */
export interface Example {
  /** The features, without the constant. */
  readonly x: readonly number[];
  readonly y: -1 | 1;
}

/** The weights just after an update. */
export interface Update {
  /** From 0; where the lecture draws at random, a pass is as many draws as there are examples. */
  readonly pass: number;
  /** Number of the example that made it. */
  readonly example: number;
  readonly weights: readonly number[];
  readonly bias: number;
}

/** The end of a run. */
export interface Outcome {
  readonly weights: readonly number[];
  readonly bias: number;
  /** One count for each pass begun. */
  readonly updatesPerPass: readonly number[];
}

/** w·x. The lectures do not say in which order to sum; in floating point it matters, so the test says it. */
export type Inner = (w: readonly number[], x: readonly number[]) => number;

/** Sums from left to right, as in the lecture. Exact on dyadic numbers, so equal to any other order. */
export const inSequence: Inner = (w, x) => {
  let sum = 0;
  for (let j = 0; j < x.length; j++) sum += w[j]! * x[j]!;
  return sum;
};

/** Element k into lane k mod 4, then (s0 + s1) + (s2 + s3): the order that the kernels document. */
export const inFourLanes: Inner = (w, x) => {
  const lanes = [0, 0, 0, 0];
  for (let j = 0; j < x.length; j++) lanes[j % 4]! += w[j]! * x[j]!;
  return lanes[0]! + lanes[1]! + (lanes[2]! + lanes[3]!);
};

/** Sums in the order of the kernels if component 0 is the constant: features first, the constant's term last. */
export function constantLast(inner: Inner): Inner {
  return (w, x) => inner(w.slice(1), x.slice(1)) + w[0]! * x[0]!;
}
