/** The result of the search for a line that separates the data, with its evidence. */
export type Verdict = Separable | NotSeparable | Undecided;

/** The separator with the largest margin that was found, of x as encoded and not divided. */
export interface Separator {
  readonly weights: Float64Array;
  readonly bias: number;
  /** Bounds on the largest margin. */
  readonly lower: number;
  readonly upper: number;
}

/** A separator with a separate bias. */
export interface Separable extends Separator {
  readonly kind: 'separable';
  /** A separator of the vectors (x, 1) through the origin, as in the lectures' proofs. */
  readonly lifted: Separator;
}

export interface NotSeparable {
  readonly kind: 'not-separable';
  /** Weights λ ≥ 0 with Σ λᵢ = 1 and Σ λᵢyᵢ(xᵢ, 1) = 0, proved exactly. Rows are numbers in the data. */
  readonly combination: readonly { readonly row: number; readonly weight: number }[];
  /**
   * A point where the convex hulls of the classes meet: Σ λᵢxᵢ over the positive examples, divided by their Σ λᵢ. As
   * encoded.
   */
  readonly meeting: Float64Array;
}

export interface Undecided {
  readonly kind: 'undecided';
  /** An upper bound on the largest margin; null: none is known. */
  readonly upper: number | null;
  readonly why: string;
}
