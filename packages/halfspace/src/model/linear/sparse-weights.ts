/** The nonzero weights of a function, for functions with few of them among very many. */
export interface SparseWeights {
  /** Number of weights, zeros included. */
  readonly length: number;
  /** Rising, below `length`. */
  readonly positions: Uint32Array;
  /** One for each position; finite. */
  readonly values: Float64Array;
}

/** The weights of a function: an array of all, and the sparse ones that it was made from. */
export interface Weighted {
  readonly weights: Float64Array;
  readonly sparse?: SparseWeights | undefined;
}

/** At most this many weights always have an array of their own: 32 MiB. */
const alwaysDense = 1 << 22;

/**
 * Returns whether weights are kept sparse: where an array of all would take far more memory than the file that they come from. The work and
 * the memory that a model takes then follow what its file holds, not the number of features that it names.
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

/** Returns members of a function whose array of all weights is made when it is first read. */
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

/** Calls back with every weight that is not 0, positions rising. */
export function eachWeight(of: Weighted, tell: (weight: number, position: number) => void): void {
  if (of.sparse === undefined) {
    of.weights.forEach((weight, j) => {
      if (weight !== 0) tell(weight, j);
    });
    return;
  }
  const { positions, values } = of.sparse;
  positions.forEach((j, k) => {
    if (values[k] !== 0) tell(values[k]!, j);
  });
}

/** Returns a reader of the weight of feature j; 0 beyond the last one. */
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
