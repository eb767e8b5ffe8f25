/**
 * A certificate: what was proved about a set of examples, and the numbers that prove it, as plain data.
 *
 * Throughout, example i is (xᵢ, yᵢ) with yᵢ = ±1, and a line is (w, b) with w ≠ 0; it separates when yᵢ(w·xᵢ + b) > 0 for every i. A double
 * is an exact rational, so every statement is about the encoded doubles as they are, and holds without rounding.
 * Whole numbers of any size stand as decimal strings (`Whole`), quotients of them in lowest terms as `a/b` (`Fraction`).
 */
export interface Certificate {
  readonly format: 'halfspace-certificate';
  readonly version: 1;
  readonly verdict: 'separable' | 'not-separable' | 'unknown';
  readonly data: CertifiedData;
  /** max‖xᵢ‖², without the constant of the bias. */
  readonly radiusSquared: Fraction;
  /** With the verdict `separable`, and only then. */
  readonly separator: SeparatorProof | null;
  /** An upper end for the margin, of any line; null where it would be 0 or was not looked for. */
  readonly ceiling: CeilingProof | null;
  /** With the verdict `not-separable`, and only then: one or more, no example in two of them. */
  readonly contradictions: readonly Contradiction[];
  /** What is known of the fewest errors any line makes; only with the verdict `not-separable`. */
  readonly errors: ErrorsProof | null;
  /** `sha256:…` of all other members as JSON.stringify writes them, in their order. */
  readonly digest: string;
}

export type Whole = string;
export type Fraction = string;

export interface CertifiedData {
  readonly examples: number;
  /** Number of features. */
  readonly dimension: number;
  /** Names of the negative and the positive class. */
  readonly classes: readonly [negative: string, positive: string];
  /** `sha256:…` of the encoded examples; see `digestOfExamples`. */
  readonly digest: string;
  /** How raw fields became features (a `FeatureEncoding`), so that a checker can read the same data; null: not kept. */
  readonly features: unknown;
}

/** (w, b) in whole numbers: every yᵢ(w·xᵢ + b) is positive. */
export interface SeparatorProof {
  /** w, one for each feature. */
  readonly weights: readonly Whole[];
  readonly bias: Whole;
  /** (min yᵢ(w·xᵢ + b))² / ‖w‖²: the squared distance of the nearest example. */
  readonly marginSquared: Fraction;
  /** (min yᵢ(w·xᵢ + b))² / (‖w‖² + b²): the margin of the vectors (xᵢ, 1), which the bound on updates takes. */
  readonly absorbedMarginSquared: Fraction;
}

/**
 * λᵢ = weightsᵢ / Σ weights, all > 0, with Σ λᵢyᵢ = 0. For any line with ‖w‖ = 1,
 * min yᵢ(w·xᵢ + b) ≤ Σ λᵢyᵢ(w·xᵢ + b) = w·Σ λᵢyᵢxᵢ ≤ ‖Σ λᵢyᵢxᵢ‖, so no margin is larger.
 */
export interface CeilingProof {
  /** Numbers of the examples, from 1, rising. */
  readonly rows: readonly number[];
  readonly weights: readonly Whole[];
  /** ‖Σ λᵢyᵢxᵢ‖². */
  readonly marginSquared: Fraction;
}

/**
 * Gordan: weights > 0 with Σ weightsᵢ·yᵢ·(xᵢ, 1) = 0. A line that separates these examples would make this sum positive.
 * No smaller set of the same examples contradicts itself.
 */
export interface Contradiction {
  /** Numbers of the examples, from 1, rising. */
  readonly rows: readonly number[];
  /** Whole numbers without a common divisor; divided by `total` they are the convex combination. */
  readonly weights: readonly Whole[];
  /** Σ weights. */
  readonly total: Whole;
}

/** Every line is wrong on (yᵢ(w·xᵢ + b) ≤ 0 for) `atLeast` examples or more, this one on `atMost`. */
export interface ErrorsProof {
  /** The number of contradictions: no line is right on all examples of one, and no example is in two. */
  readonly atLeast: number;
  readonly atMost: number;
  readonly weights: readonly Whole[];
  readonly bias: Whole;
}
