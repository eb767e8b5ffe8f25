import type { Chain } from '../../features/number/bend.ts';

/*
 * The weights of a chain follow from the increments θₖ = w_{first+k} − w_{first+k−1}, k = 1 … length − 1, by the level
 * w_first = −w_{first+length−1}. So a chain of m + 1 intervals is m steps [x > k] − ½, one for each knot. The penalty
 * of an increment is m/16 times that of a weight, as if each step were multiplied by 4/√m.
 *
 * In a ring the last weight has an increment to the first, minus the sum of the others. So the penalty is that of φ
 * with φₖ = θₖ + d·Σθ and (1 + d·n)² = 1 + n for n increments, and the vector has φ in place of θ.
 *
 * The weights of a pair follow likewise, by columns and then by rows: so they are products of steps, and what one
 * column adds alone stays with its own chain. An increment of both has m/8 times the penalty for each side.
 */

/** Features with a step between neighbours. */
interface Line {
  readonly first: number;
  readonly length: number;
  readonly step: number;
  readonly isRing?: true;
}

/** Returns the lines of a chain. */
function linesOf({ first, length, isRing, pair }: Chain): Line[] {
  if (pair === undefined) return [{ first, length, step: 1, ...(isRing ? { isRing } : {}) }];
  const { width, neighbours } = pair;
  const [down, across] = neighbours;
  const columns = Array.from({ length: width }, (_, k) => ({ first: first + k, length: down, step: width }));
  const rows = Array.from({ length: length / width }, (_, k) => ({
    first: first + k * width,
    length: across,
    step: 1,
  }));
  return [...columns, ...rows].filter((line) => line.length > 1);
}

/** Returns the factors of α for the features of a chain. */
export function penaltiesOf({ length, pair }: Chain): Float64Array {
  if (pair === undefined) return new Float64Array(length).fill((length - 1) / 16);
  const { width, neighbours } = pair;
  const factors = neighbours.map((count) => (count > 1 ? (count - 1) / 8 : 1));
  const factor = (k: number, place: number) => (place < neighbours[k]! ? factors[k]! : 1);
  return Float64Array.from({ length }, (_, j) => factor(0, Math.floor(j / width)) * factor(1, j % width));
}

/**
 * Changes between weights and increments of vectors with `outputs` numbers for each feature. The increments take the
 * places of the weights; that of the first is 0.
 */
export class Steps {
  readonly #lines: readonly Line[];
  readonly #outputs: number;

  constructor(chains: readonly Chain[], outputs: number) {
    this.#lines = chains.flatMap(linesOf);
    this.#outputs = outputs;
  }

  /** Replaces increments by weights. */
  toWeights(vector: Float64Array): void {
    const K = this.#outputs;
    for (const { first, length, step, isRing } of this.#lines)
      for (let at = first * K; at < (first + 1) * K; at++) {
        const end = at + length * step * K;
        if (isRing) addMean(vector, at + step * K, end, step * K, 1 / Math.sqrt(length) - 1);
        let sum = 0;
        for (let i = at + step * K; i < end; i += step * K) sum += vector[i]!;
        let w = -sum / 2;
        vector[at] = w;
        for (let i = at + step * K; i < end; i += step * K) {
          w += vector[i]!;
          vector[i] = w;
        }
      }
  }

  /** Replaces weights by their increments; the level is lost. */
  toIncrements(vector: Float64Array): void {
    const K = this.#outputs;
    for (const { first, length, step, isRing } of this.#lines)
      for (let at = first * K; at < (first + 1) * K; at++) {
        for (let i = at + (length - 1) * step * K; i > at; i -= step * K) vector[i]! -= vector[i - step * K]!;
        vector[at] = 0;
        if (isRing) addMean(vector, at + step * K, at + length * step * K, step * K, Math.sqrt(length) - 1);
      }
  }

  /** Replaces derivatives by the weights by those by the increments. */
  derive(vector: Float64Array, offset = 0, stride = this.#outputs, count = this.#outputs): void {
    const sums = new Float64Array(count);
    for (const { first, length, step, isRing } of this.#lines) {
      const start = offset + first * stride;
      const jump = step * stride;
      const end = start + length * jump;
      sums.fill(0);
      for (let at = end - jump; at >= start; at -= jump)
        for (let k = 0; k < count; k++) vector[at + k] = sums[k]! += vector[at + k]!;
      for (let at = start + jump; at < end; at += jump) for (let k = 0; k < count; k++) vector[at + k]! -= sums[k]! / 2;
      vector.fill(0, start, start + count);
      if (isRing)
        for (let k = 0; k < count; k++) addMean(vector, start + jump + k, end + k, jump, 1 / Math.sqrt(length) - 1);
    }
  }

  /** Replaces the diagonal of a diagonal matrix of the weights by that of the matrix of the increments. */
  deriveDiagonal(vector: Float64Array): void {
    const K = this.#outputs;
    for (const { first, length, step } of this.#lines)
      for (let at = first * K; at < (first + 1) * K; at++) {
        const end = at + length * step * K;
        let sum = 0;
        for (let i = at; i < end; i += step * K) sum += vector[i]!;
        // The square of each step is 1/4, or near that in a ring.
        for (let i = at; i < end; i += step * K) vector[i] = sum / 4;
      }
  }
}

/** Adds to each number of a progression their mean times a factor. */
function addMean(vector: Float64Array, from: number, to: number, step: number, factor: number): void {
  let sum = 0;
  for (let i = from; i < to; i += step) sum += vector[i]!;
  const added = (factor * sum * step) / (to - from);
  for (let i = from; i < to; i += step) vector[i]! += added;
}
