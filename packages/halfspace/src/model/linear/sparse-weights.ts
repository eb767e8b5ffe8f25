/** The nonzero weights of a function with few of them among very many. */
export interface SparseWeights {
  /** Number of weights, zeros included. */
  readonly length: number;
  /** Rising, below `length`. */
  readonly positions: Uint32Array;
  /** One for each position; finite. */
  readonly values: Float64Array;
}

/** The weights of a function: an array of all; and the sparse form, if the array is derived from it. */
export interface Weighted {
  readonly weights: Float64Array;
  readonly sparse?: SparseWeights | undefined;
}

/** Functions with at most this many weights are always dense: 32 MiB. */
const alwaysDense = 1 << 22;

/**
 * Returns true if weights stay sparse, because the dense array would take far more memory than the model file. Work and
 * memory then follow the size of the file, not the number of features that it declares.
 */
export function isKeptSparse({ length, values }: SparseWeights, functions: number): boolean {
  return length * functions > Math.max(alwaysDense, 16 * values.length * functions);
}

/** Returns an array of all weights. */
export function denseWeights({ length, positions, values }: SparseWeights): Float64Array {
  const weights = new Float64Array(length);
  for (let k = 0; k < positions.length; k++) weights[positions[k]!] = values[k]!;
  return weights;
}

/** Returns members of a function that create the dense array when it is first read. */
export function sparseFunction(sparse: SparseWeights): Weighted {
  let weights: Float64Array | null = null;
  return {
    sparse,
    get weights() {
      weights ??= denseWeights(sparse);
      return weights;
    },
  };
}

/** Returns the number of weights, zeros included. */
export function weightCount(of: Weighted): number {
  return of.sparse === undefined ? of.weights.length : of.sparse.length;
}

/** Calls `visit` for every nonzero weight, by rising position. */
export function eachWeight(of: Weighted, visit: (weight: number, position: number) => void): void {
  if (of.sparse === undefined) {
    of.weights.forEach((weight, j) => {
      if (weight !== 0) visit(weight, j);
    });
    return;
  }
  const { positions, values } = of.sparse;
  positions.forEach((j, k) => {
    if (values[k] !== 0) visit(values[k]!, j);
  });
}

/** Returns a function that reads the weight of feature j; 0 beyond the last one. */
export function weightReader(of: Weighted): (j: number) => number {
  if (of.sparse === undefined) {
    const { weights } = of;
    return (j) => weights[j] ?? 0;
  }
  const { positions, values } = of.sparse;
  const known = new Map<number, number>();
  positions.forEach((j, k) => {
    known.set(j, values[k]!);
  });
  return (j) => known.get(j) ?? 0;
}
