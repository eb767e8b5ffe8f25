/**
 * Bounds on the updates of a perceptron that starts from zero (all examples of importance 1), and what one update does.
 *
 * Symbols: R = max‖x‖, the constant included where the bias is absorbed; u a unit vector; γ = min y(u·x) its margin; t updates.
 * The bounds hold for every u, and are lowest for the separator of the largest margin γ*. R and γ are in the units of x, and of the same
 * vectors: with the constant 1 in x both are those of (1, x). A bound is a number of updates, and not rounded here.
 */
import { HalfspaceError } from '../errors.ts';

/**
 * (R/γ)². From γt ≤ u·w and ‖w‖ ≤ √t·R, hence t ≤ (R/γ)². With the start y·x of FODA, that example counts as an update.
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
 * 1/γ² for examples inside the unit ball, γ = margin/max(1, R) (CS4780's and lecture 9's) or, `onto` it, margin/R (FODA's). The second is
 * Novikoff's bound of the unscaled examples, because dividing by R divides the margin too; the first is larger where R < 1.
 *
 * Source: lecture 9, theorem 9.1; CS4780; FODA's claim. They scale after the constant is added.
 * @throws HalfspaceError `option-invalid`.
 */
export function unitBallBound(radius: number, margin: number, onto = false): number {
  checkPositive('radius', radius);
  return novikoffBound(onto ? radius : Math.max(1, radius), margin);
}

/** By how much examples lack a margin: dᵢ = max(0, γ − yᵢ(u·xᵢ)), in the units of x. */
export interface Deviations {
  /** Σ dᵢ */
  readonly sum: number;
  /** D = √Σ dᵢ² */
  readonly norm: number;
}

/**
 * ((R + D)/γ)², for any data, one pass from zero, any unit vector u and any γ > 0. Equal to (R/γ)² where u has the margin γ.
 *
 * Source: Freund & Schapire 1999, theorem 2; Mohri & Rostamizadeh 2013 (arXiv:1305.0208) call it the L₂ form, (R/γ + ‖l‖₂)² with the hinge losses
 * lᵢ = dᵢ/γ. For several passes the sums run over the examples as they are shown, each as often as that is.
 * @param radius, margin in (0, ∞). @throws HalfspaceError `option-invalid`.
 */
export function freundSchapireBound(radius: number, margin: number, { norm }: Pick<Deviations, 'norm'>): number {
  checkPositive('margin', margin);
  return novikoffBound(radius + norm, margin);
}

/**
 * The t for which t = Σ lᵢ + √t·R/γ, with the hinge losses lᵢ = dᵢ/γ: never above the (R/γ + √Σ lᵢ)² of the paper, which rounds the
 * solution of that equation up. One pass from zero, any u and γ > 0, as for {@link freundSchapireBound}.
 *
 * Source: Mohri & Rostamizadeh 2013 (arXiv:1305.0208), the L₁ form: each of t updates has 1 ≤ lᵢ + yᵢ(u·xᵢ)/γ, and Σ yᵢ(u·xᵢ) ≤ ‖w‖ ≤ √t·R.
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
 * By how much y·a of an example grows when it makes an update: exactly ‖x‖², and c² more with a constant feature c.
 *
 * Source: lecture 9 (‖x‖²); the slides, "activation adjustment" (‖x‖² + 1).
 */
export function activationGain(squaredNorm: number, biasConstant = 0): number {
  return squaredNorm + biasConstant * biasConstant;
}

/**
 * How often one example, shown again and again, makes an update before it is right: ⌊−y·a/g⌋ + 1 for its score a at the start and the
 * gain g of one update, 0 where y·a > 0. From zero weights that is once. ∞ for g = 0, where no update changes the score.
 *
 * Source: CS4780, first quiz. We differ in nothing but in counting the last update, the one that makes y·a positive.
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
