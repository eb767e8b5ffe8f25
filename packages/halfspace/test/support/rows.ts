import type { DenseBatch, SparseBatch } from '../../src/batch.ts';
import type { Kernels, MistakeDrivenMemory } from '../../src/kernels/kernels.ts';
import * as layout from '../../src/kernels/layout.ts';
import type { Random } from '../../src/random.ts';
import { inFourLanes } from '../oracles/oracle.ts';

/** Row lengths around every boundary of a loop of four, and a few that take many rounds. */
export const lengths = [...Array(68).keys(), 127, 128, 129, 1000, 1003];
export const rows = 5;

/** Decimal numbers of mixed sizes, so that a changed order of summation shows in the last bits. */
export function numbers(length: number, random: Random): number[] {
  return Array.from({ length }, () => (random.uniform() - 0.5) * 10 ** (random.below(7) - 3));
}

/**
 * A place for the arrays of a batch. Around them are NaN, or indices that must not be followed. The arrays are looked
 * up when needed, because making the next one may move kernel memory.
 */
export interface Place {
  readonly name: string;
  readonly float64: (numbers: readonly number[], shift: number) => () => Float64Array;
  readonly float32: (numbers: readonly number[], shift: number) => () => Float32Array;
  readonly uint32: (numbers: readonly number[], shift: number) => () => Uint32Array;
}

const poison = 0xdead_beef;

function placed<A extends Float64Array | Float32Array | Uint32Array>(block: { readonly array: A }, filling: number) {
  return (numbers: readonly number[], shift: number) => {
    block.array.fill(filling);
    block.array.set(numbers, shift);
    return () => block.array.subarray(shift, shift + numbers.length) as A;
  };
}

export function outside(): Place {
  return {
    name: 'outside kernel memory',
    float64: (numbers, shift) => placed({ array: new Float64Array(numbers.length + 16) }, Number.NaN)(numbers, shift),
    float32: (numbers, shift) => placed({ array: new Float32Array(numbers.length + 16) }, Number.NaN)(numbers, shift),
    uint32: (numbers, shift) => placed({ array: new Uint32Array(numbers.length + 16) }, poison)(numbers, shift),
  };
}

/** Puts a batch's arrays into kernel blocks, which kernels use in place, at any offset. */
export function inside(kernels: Kernels): Place {
  return {
    name: 'inside kernel memory',
    float64: (numbers, shift) => placed(kernels.float64(numbers.length + 16), Number.NaN)(numbers, shift),
    float32: (numbers, shift) => placed(float32Block(kernels, numbers.length + 16), Number.NaN)(numbers, shift),
    uint32: (numbers, shift) => placed(kernels.uint32(numbers.length + 16), poison)(numbers, shift),
  };
}

/** Kernels have no blocks of 32-bit floats: only batches have such arrays, and those are packed in bytes. */
function float32Block(kernels: Kernels, length: number) {
  const block = kernels.uint8(4 * length);
  return {
    get array() {
      return new Float32Array(block.array.buffer as ArrayBuffer, block.array.byteOffset, length);
    },
  };
}

/** Rows as plain arrays: the weight that each element belongs to, and its value. */
export interface Rows {
  readonly indices: number[][];
  readonly values: number[][];
  readonly labels: number[];
  readonly importance: number[];
  readonly dimension: number;
}

export function denseRows(length: number, random: Random): Rows {
  return {
    indices: Array.from({ length: rows }, () => [...Array(length).keys()]),
    values: Array.from({ length: rows }, () => numbers(length, random)),
    labels: Array.from({ length: rows }, () => (random.below(2) === 0 ? -1 : 1)),
    importance: Array.from({ length: rows }, () => random.uniform() * 2),
    dimension: length,
  };
}

/** Rows of different lengths about `length`, over a dimension with room between the indices. */
export function sparseRows(length: number, random: Random): Rows {
  const dimension = 3 * length + 7;
  const shape = Array.from({ length: rows }, (_, i) => (i === 2 ? 0 : Math.max(0, length + i - 1)));
  return {
    ...denseRows(0, random),
    indices: shape.map((count) => Array.from({ length: count }, () => random.below(dimension))),
    values: shape.map((count) => numbers(count, random)),
    dimension,
  };
}

/** Dense rows of numbers that 32 bits hold. */
export function singleRows(length: number, random: Random): Rows {
  const data = denseRows(length, random);
  return { ...data, values: data.values.map((row) => row.map(Math.fround)) };
}

export const singleIn = (place: Place, data: Rows, shift: number): DenseBatch => denseIn(place, data, shift, true);

export function denseIn(place: Place, data: Rows, shift: number, single = false): DenseBatch {
  const values = (single ? place.float32 : place.float64)(data.values.flat(), shift);
  return read({ kind: 'dense', rows, dimension: data.dimension }, { values, ...labelsIn(place, data, shift) });
}

export function sparseIn(place: Place, data: Rows, shift: number): SparseBatch {
  const ends = [0];
  for (const row of data.values) ends.push(ends.at(-1)! + row.length);
  const offsets = place.uint32(ends, shift);
  const indices = place.uint32(data.indices.flat(), shift);
  const values = place.float64(data.values.flat(), shift);
  const arrays = { offsets, indices, values, ...labelsIn(place, data, shift) };
  return read({ kind: 'sparse', rows, dimension: data.dimension }, arrays);
}

const labelsIn = (place: Place, { labels, importance }: Rows, shift: number) => ({
  labels: place.float64(labels, shift),
  importance: place.float64(importance, shift),
});

/** Returns an object whose arrays are asked for at every read, as their memory may move. */
function read<F extends object, A extends Readonly<Record<string, () => unknown>>>(fixed: F, arrays: A) {
  const getters = Object.entries(arrays).map(([name, get]) => [name, { get, enumerable: true }]);
  return Object.defineProperties(fixed, Object.fromEntries(getters)) as F & { [K in keyof A]: ReturnType<A[K]> };
}

/** w·xᵢ in the documented order. */
export function innerProduct({ indices, values }: Rows, i: number, w: ArrayLike<number>): number {
  return inFourLanes(
    indices[i]!.map((j) => w[j]!),
    values[i]!,
  );
}

/** The condition and the size of a learner's steps. */
export interface Step {
  readonly threshold: number;
  readonly kind: number;
  readonly aggressiveness: number;
}

const perceptronStep: Step = { threshold: 0, kind: layout.stepPerceptron, aggressiveness: 0 };

/** Weights, sums and scalars in kernel memory, with NaN behind the last weight. */
export function memoryOf(
  kernels: Kernels,
  weights: readonly number[],
  condition: number = layout.updateAtMost,
  step: Step = perceptronStep,
): MistakeDrivenMemory {
  const guard = 8;
  const state = kernels.float64(layout.stateSize);
  state.array[layout.biasConstant] = 0.5;
  state.array[layout.cleanStreakLimit] = Infinity;
  state.array[layout.updateLimit] = Infinity;
  state.array[layout.condition] = condition;
  state.array[layout.tie] = -1;
  state.array[layout.threshold] = step.threshold;
  state.array[layout.stepKind] = step.kind;
  state.array[layout.aggressiveness] = step.aggressiveness;
  const block = kernels.float64(weights.length + guard);
  block.array.fill(Number.NaN).set(weights);
  const sums = kernels.float64(weights.length + guard);
  sums.array.fill(Number.NaN).fill(0, 0, weights.length);
  return { kind: 'mistake-driven', weights: block, sums, state };
}

/** The loop that `Kernels.learn` documents, over the plain rows. */
export function learnPlainly(
  data: Rows,
  order: readonly number[],
  start: readonly number[],
  condition: number,
  { threshold, kind, aggressiveness: C }: Step = perceptronStep,
) {
  const w = [...start];
  const u = start.map(() => 0);
  const c = 0.5;
  let [b, biasSum, clock, updates, mistakes, quiet] = [0, 0, 0, 0, 0, 0];
  for (const i of order) {
    const y = data.labels[i]!;
    const h = data.importance[i]!;
    const a = innerProduct(data, i, w) + b * c;
    if ((a > 0 ? 1 : -1) !== y) mistakes++;
    const due = [y * a <= threshold, y * a < threshold, (a >= 0 ? 1 : -1) !== y][condition]!;
    const x = data.values[i]!;
    const n = inFourLanes(x, x) + c * c;
    const loss = 1 - y * a;
    const tau = [h, loss / n, Math.min(h * C, loss / n), loss / (n + 1 / (2 * h * C))][kind]!;
    if (due && h > 0) {
      b += tau * y * c;
      biasSum += clock * (tau * y) * c;
      data.indices[i]!.forEach((j, k) => {
        w[j]! += tau * y * x[k]!;
      });
      data.indices[i]!.forEach((j, k) => {
        u[j]! += clock * (tau * y) * x[k]!;
      });
      updates++;
      quiet = 0;
    } else quiet++;
    clock += h;
  }
  return { w, u, b, biasSum, clock, updates, mistakes, quiet, examples: order.length };
}

export function outcomeOf({ weights, sums, state }: MistakeDrivenMemory, dimension: number) {
  const at = state.array;
  return {
    w: [...weights.array.subarray(0, dimension)],
    u: [...sums!.array.subarray(0, dimension)],
    b: at[layout.bias]!,
    biasSum: at[layout.biasSum]!,
    clock: at[layout.clock]!,
    updates: at[layout.updates]!,
    mistakes: at[layout.mistakes]!,
    quiet: at[layout.cleanStreak]!,
    examples: at[layout.examples]!,
  };
}

export const layouts = [
  ['dense', denseRows, denseIn],
  ['dense 32-bit', singleRows, singleIn],
  ['sparse', sparseRows, sparseIn],
] as const;
