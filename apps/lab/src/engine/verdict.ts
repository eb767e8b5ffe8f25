/** Whether any line separates the data, and how that was shown. */
export type Verdict = Separable | NotSeparable | Undecided;

export interface Separable {
  readonly kind: 'separable';
  /** The separator of the largest margin found: of x as encoded, not divided; bias of its own. */
  readonly weights: Float64Array;
  readonly bias: number;
  /** Bounds on the largest margin, of x with a bias of its own. */
  readonly lower: number;
  readonly upper: number;
  /** The same with the constant 1 as a component of x, through the origin: what the lectures' proofs speak of. */
  readonly lifted: {
    readonly weights: Float64Array;
    readonly bias: number;
    readonly lower: number;
    readonly upper: number;
  };
}

export interface NotSeparable {
  readonly kind: 'not-separable';
  /** Weights λ ≥ 0, of sum 1, with Σ λᵢyᵢ(xᵢ, 1) = 0, proved exactly: rows by their number in the data. */
  readonly combination: readonly { readonly row: number; readonly weight: number }[];
  /** Where the hulls of the two classes meet: Σ λᵢxᵢ over the positive ones, divided by their Σ λᵢ. As encoded. */
  readonly meeting: Float64Array;
}

export interface Undecided {
  readonly kind: 'undecided';
  /** An upper bound on the largest margin, or null. */
  readonly upper: number | null;
  readonly why: string;
}
