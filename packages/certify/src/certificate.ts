import type { FeaturePair } from './products.ts';

/**
 * A certificate: a statement about a set of examples, and the numbers that prove it, as plain data.
 *
 * Example i is (xᵢ, yᵢ) with yᵢ = ±1. A line is (w, b) with w ≠ 0; it separates the examples if yᵢ(w·xᵢ + b) > 0 for
 * every i. The numbers are exact rationals, `data.numbers` says which, so every statement holds without rounding.
 * Whole numbers of any size are decimal strings (`Whole`). Quotients are strings `a/b` in lowest terms (`Fraction`).
 */
export interface Certificate {
  readonly format: 'halfspace-certificate';
  readonly version: 2;
  readonly verdict: 'separable' | 'not-separable' | 'unknown';
  readonly data: CertifiedData;
  /** max‖xᵢ‖², without the constant of the bias. */
  readonly radiusSquared: Fraction;
  /** Present only with the verdict `separable`. */
  readonly separator: SeparatorProof | null;
  /** An upper bound on the margin of every line; null if it would be 0 or was not computed. */
  readonly ceiling: CeilingProof | null;
  /** Present only with the verdict `not-separable`: contradictions; none if there is an `interior`. */
  readonly contradictions: readonly Contradiction[];
  /** Present only with the verdict `not-separable`: proves a contradiction of many examples; else null. */
  readonly interior: InteriorProof | null;
  /** Bounds on the fewest errors of any line; only with the verdict `not-separable`. */
  readonly errors: ErrorsProof | null;
  /** Rows whose class was asked for, in their order; none if none were. */
  readonly predictions: readonly Prediction[];
  /** `sha256:…` of the other members, as `digestOfCertificate` computes it. */
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
  /**
   * `written`: decimals as they are written in the data, 0.1 being 1/10; `doubles`: the doubles nearest to them. Values
   * that were computed from the data in floating point, see `changes`, are doubles in both.
   */
  readonly numbers: 'written' | 'doubles';
  /** Differences between features and the cells of a table, rising. */
  readonly changes: readonly EncodingChange[];
  /** `sha256:…` of the canonical rows; see `canonicalRows`. */
  readonly digest: string;
  /** The `FeatureEncoding` of the data, so that a checker can read them in the same way; null if not kept. */
  readonly features: unknown;
  /** Pairs of features whose products follow the features; computed in floating point. Absent: none. */
  readonly products?: readonly FeaturePair[] | undefined;
}

/**
 * `crossed`: pairs of columns are features; `dates`: dates are days, with fractions as doubles; `filled`: missing
 * numbers are replaced by the numbers `missing.fill` in `features`; `intervals`: numbers are cut into intervals;
 * `levels`: words are features of 0 and 1; `standardised`: numbers are (x − mean) / deviation in floating point;
 * `weighted`: words have weights in floating point.
 */
export type EncodingChange = 'crossed' | 'dates' | 'filled' | 'intervals' | 'levels' | 'standardised' | 'weighted';

/** (w, b) in whole numbers: every yᵢ(w·xᵢ + b) is positive. */
export interface SeparatorProof {
  /** w, one for each feature. */
  readonly weights: readonly Whole[];
  readonly bias: Whole;
  /** (min yᵢ(w·xᵢ + b))² / ‖w‖²: the squared distance of the nearest example. */
  readonly marginSquared: Fraction;
  /** (min yᵢ(w·xᵢ + b))² / (‖w‖² + b²): the squared margin of the vectors (xᵢ, 1), used in the bound on updates. */
  readonly absorbedMarginSquared: Fraction;
}

/**
 * λᵢ = weightsᵢ / Σ weights, all > 0, with Σ λᵢyᵢ = 0. For any line with ‖w‖ = 1,
 * min yᵢ(w·xᵢ + b) ≤ Σ λᵢyᵢ(w·xᵢ + b) = w·Σ λᵢyᵢxᵢ ≤ ‖Σ λᵢyᵢxᵢ‖, so no margin is larger.
 */
export interface CeilingProof {
  /** Numbers of the examples, from 1, in rising order. */
  readonly rows: readonly number[];
  readonly weights: readonly Whole[];
  /** ‖Σ λᵢyᵢxᵢ‖². */
  readonly marginSquared: Fraction;
}

/**
 * Positive weights with Σ weightsᵢ·yᵢ·(xᵢ, 1) = 0 (Gordan). If a line separated these examples, the sum would be
 * positive. The search makes contradictions irreducible: no proper subset of the rows is one. The checker does not
 * look at this.
 */
export interface Contradiction {
  /** Numbers of the examples, from 1, in rising order. */
  readonly rows: readonly number[];
  /** Divided by `total`, they are the coefficients of a convex combination. */
  readonly weights: readonly Whole[];
  /** Σ weights. */
  readonly total: Whole;
}

/**
 * Proves that positive numbers n'ᵢ near the weights nᵢ exist with Σ n'ᵢyᵢ(xᵢ, 1) = 0, without stating them: they would
 * have as many digits as there are features, for as many examples.
 *
 * With vectors zᵢ = yᵢ(xᵢ, 1)·D of the independent features, M = Σ nᵢzᵢzᵢᵀ, r = Σ nᵢzᵢ and a least eigenvalue λ > 0 of
 * M, the numbers n'ᵢ = nᵢ(1 − zᵢ·M⁻¹r) satisfy Σ n'ᵢzᵢ = 0, and are positive if max‖zᵢ‖·‖r‖ < λ. D is a diagonal
 * matrix of powers of two; its entries are those for which the diagonal of M is between 1/2 and 2.
 */
export interface InteriorProof {
  /** nᵢ: whole numbers from 0 to 2⁵³ − 1, one for each example. */
  readonly weights: readonly number[];
  /** A lower bound of the least eigenvalue of M, at most 1, less the rounding that a checker must allow for. */
  readonly leastEigenvalue: number;
  /**
   * For each feature that is no independent one, a relation Σ coefficientsₖ·x_{featuresₖ} = 0 of all examples with a
   * weight. It stands first in `features`; the others are independent, or the constant, which has the number
   * `data.dimension`.
   */
  readonly relations: readonly FeatureRelation[];
}

export interface FeatureRelation {
  readonly features: readonly number[];
  /** Whole numbers other than 0, one for each feature. */
  readonly coefficients: readonly Whole[];
}

/** Every line errs (yᵢ(w·xᵢ + b) ≤ 0) on at least `atLeast` examples. The line given here errs on `atMost` examples. */
export interface ErrorsProof {
  /** Errors that `cones` prove; without them Σ prices / unit, rounded up; 1 with an `interior`. */
  readonly atLeast: number;
  /**
   * The price of each contradiction, in units of 1/`unit`. The prices of the contradictions that an example is in add
   * up to at most 1. A line errs on an example of every contradiction, so its errors are at least Σ prices / unit. None
   * with `cones`.
   */
  readonly prices: readonly Whole[];
  readonly unit: Whole;
  readonly cones: ConesProof | null;
  readonly atMost: number;
  readonly weights: readonly Whole[];
  readonly bias: Whole;
}

/**
 * A row that every line with fewer than `atLeast` errors on the examples puts into the class that is not its label: the
 * others err on at least so many. With 0 nothing is proved.
 */
export interface Prediction {
  /** A canonical row, without its newline. It has the number `data.examples` + 1. */
  readonly row: string;
  /** Number of contradictions, or what the cones prove. */
  readonly atLeast: number;
  /**
   * Contradictions of the examples and this row, which have no other row in common. So a line that is right on this row
   * errs on one example of each. None with `cones`.
   */
  readonly contradictions: readonly Contradiction[];
  /** Cones of the lines that are right on this row. It may be in many pairs: each proves an error on the other row. */
  readonly cones: ConesProof | null;
}

/**
 * Cones that contain all lines, with a bound on the errors of the lines of each one.
 *
 * A line is v with v·z = y(w·x + b) for z = y(f₁(x₁ − c₁), …, f_d(x_d − c_d), f₀). It errs if v·z ≤ 0. At first there
 * are 2^(d + 1) cones, in the order of the bits of their numbers: the rays are ±e₁, …, ±e_{d + 1}, with − for a bit of
 * 1, the lowest one first. A cone is all sums of its rays times numbers ≥ 0.
 */
export interface ConesProof {
  /** c, in units of 1/S, S being the least number for which all values of the data are whole. */
  readonly centre: readonly Whole[];
  /** f, in units of S for the features, and then f₀. A feature with 0 is cⱼ in all rows, and has no ray. */
  readonly factors: readonly Whole[];
  /**
   * The tree of cones, depth first. Null for a closed cone. In [a, b, p, q], p·rayₐ + q·ray_b, with p and q > 0, takes
   * the place of ray a, and then that of ray b.
   */
  readonly splits: readonly (readonly [a: number, b: number, p: Whole, q: Whole] | null)[];
  /**
   * For each closed cone some i, m, j, n, one after the other: rows i and j and positive whole numbers with m·zᵢ·r +
   * n·zⱼ·r ≤ 0 for all rays r of the cone. So each of its lines errs on i or j. No row is in two such pairs, or in one
   * if zᵢ·r ≤ 0 for all r, so that each line errs on i. The pairs and these rows are at least `atLeast`.
   */
  readonly pairs: readonly (readonly number[])[];
}
