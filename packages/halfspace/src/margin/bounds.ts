/**
 * Bounds on the updates of a perceptron from zero (all examples of importance 1), and the effect of one update.
 *
 * Symbols: R = max‖x‖, with the constant if the bias is absorbed; u a unit vector; γ = min y(u·x) its margin; t
 * updates. The bounds hold for every u and are lowest for the largest margin γ*. R and γ must be of the same vectors:
 * with a constant 1, both are of (1, x). Bounds are not rounded to whole numbers.
 */
import { HalfspaceError } from '../errors.ts';

/**
 * Returns (R/γ)². From γt ≤ u·w and ‖w‖ ≤ √t·R follows t ≤ (R/γ)². FODA starts from y·x; this counts as an update.
 *
 * Source: Novikoff 1962; lecture 9, theorem 9.1; FODA's (a) and (b); the blog's cosine argument.
 * @param radius in (0, ∞). @param margin in (0, ∞). @throws HalfspaceError `option-invalid`.
 */
export function novikoffBound(radius: number, margin: number): number {
  checkPositive('radius', radius);
  checkPositive('margin', margin);
  const ratio = radius / margin;
  return ratio * ratio;
}

/**
 * Returns 1/γ² for examples scaled into the unit ball, γ = margin/max(1, R) (CS4780, lecture 9), or `onto` it, γ =
 * margin/R (FODA). The second equals Novikoff's bound of the unscaled examples; the first is larger if R < 1.
 *
 * Source: lecture 9, theorem 9.1; CS4780; FODA's claim. They scale after the constant is added.
 * @throws HalfspaceError `option-invalid`.
 */
export function unitBallBound(radius: number, margin: number, onto = false): number {
  checkPositive('radius', radius);
  return novikoffBound(onto ? radius : Math.max(1, radius), margin);
}

/** Sums of the deviations dᵢ = max(0, γ − yᵢ(u·xᵢ)), by which examples miss the margin γ; in the units of x. */
export interface Deviations {
  /** Σ dᵢ */
  readonly sum: number;
  /** D = √Σ dᵢ² */
  readonly norm: number;
}

/**
 * Returns ((R + D)/γ)², for any data, one pass from zero, any unit vector u and any γ > 0; (R/γ)² if D = 0.
 *
 * Source: Freund & Schapire 1999, theorem 2; the L₂ form (R/γ + ‖l‖₂)², lᵢ = dᵢ/γ, of Mohri & Rostamizadeh 2013
 * (arXiv:1305.0208). With several passes an example counts as often as it is shown.
 * @param radius, margin in (0, ∞). @throws HalfspaceError `option-invalid`.
 */
export function freundSchapireBound(radius: number, margin: number, { norm }: Pick<Deviations, 'norm'>): number {
  checkPositive('margin', margin);
  return novikoffBound(radius + norm, margin);
}

/**
 * Returns the t with t = Σ lᵢ + √t·R/γ, lᵢ = dᵢ/γ the hinge losses: at most (R/γ + √Σ lᵢ)², the paper's bound. It holds
 * for one pass from zero and any u and γ > 0.
 *
 * Source: Mohri & Rostamizadeh 2013 (arXiv:1305.0208), L₁ form: each update has 1 ≤ lᵢ + yᵢ(u·xᵢ)/γ, and Σ yᵢ(u·xᵢ) ≤
 * ‖w‖ ≤ √t·R.
 * @throws HalfspaceError `option-invalid`.
 */
export function mohriRostamizadehBound(radius: number, margin: number, { sum }: Pick<Deviations, 'sum'>): number {
  checkPositive('radius', radius);
  checkPositive('margin', margin);
  const half = radius / margin / 2;
  const root = half + Math.sqrt(half * half + sum / margin);
  return root * root;
}

/**
 * Returns the growth of an example's y·a when it makes an update: ‖x‖², plus c² with a constant feature c.
 *
 * Source: lecture 9 (‖x‖²); the slides, "activation adjustment" (‖x‖² + 1).
 */
export function activationGain(squaredNorm: number, biasConstant = 0): number {
  return squaredNorm + biasConstant * biasConstant;
}

/**
 * Returns the number of updates on one repeated example until it is right: ⌊−y·a/g⌋ + 1, with a its score at the start
 * and g the gain of an update; 0 if y·a > 0. From zero weights it is 1. ∞ if g = 0: updates do not change the score.
 *
 * Source: CS4780, first quiz. Difference: the last update, which makes y·a positive, is counted.
 * @param signedScore y·a, finite. @param gain in [0, ∞), see {@link activationGain}.
 */
export function leadTime(signedScore: number, gain: number): number {
  if (signedScore > 0) return 0;
  if (gain === 0) return Infinity;
  return Math.floor(-signedScore / gain) + 1;
}

function checkPositive(name: string, value: number): void {
  if (!(value > 0 && value < Infinity))
    throw new HalfspaceError('option-invalid', `${name} must be in (0, ∞); got ${value}`);
}
