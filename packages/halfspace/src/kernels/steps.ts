import { exponential } from './exponential.ts';
import * as layout from './layout.ts';

/**
 * Returns τ of the passive-aggressive step kinds, for the loss 1 − m and the squared norm n ≥ 0 of x with the constant.
 * NaN if n overflows: a step of 0 would hide that.
 */
export function stepSize(kind: number, m: number, n: number, h: number, aggressiveness: number): number {
  if (n === Infinity) return Number.NaN;
  const loss = 1 - m;
  if (kind === layout.stepSoftened) return loss / (n + 0.5 / (h * aggressiveness));
  const whole = loss / n;
  return kind === layout.stepCapped ? Math.min(h * aggressiveness, whole) : whole;
}

/** Returns f = −∂L/∂m of a loss of sgd at m = y·a. */
export function lossStep(loss: number, m: number): number {
  if (loss === layout.lossPerceptron) return m <= 0 ? 1 : 0;
  if (loss === layout.lossHinge) return m <= 1 ? 1 : 0;
  if (loss === layout.lossLogistic) return 1 / (1 + exponential(m));
  if (!(m < 1)) return 0;
  return loss === layout.lossSquaredHinge || m >= -1 ? 2 * (1 - m) : 4;
}

/**
 * Returns a weight of sgd after the penalty: the w' that minimises q/2·(w' − u/q)² + κ(ρ|w'| + (1 − ρ)/2·w'²). This is
 * one implicit step for all the time since the feature was last updated.
 *
 * @param u the weight before, times q.
 * @param kappa κ ≥ 0: strength times time; 0 for no penalty.
 * @param q the divisor of the rate, √Σg² or 1. 0 if the feature has had no rate yet: u is then the weight, and there is
 *   no penalty.
 */
export function penalised(u: number, kappa: number, q: number, l1Ratio: number): number {
  if (!(q > 0)) return u;
  if (l1Ratio === 0) return u / (q + kappa);
  const left = Math.abs(u) - l1Ratio * kappa;
  if (left <= 0) return 0;
  const size = left / (q + (1 - l1Ratio) * kappa);
  return u < 0 ? -size : size;
}

/** Returns the mean over time of one weight: w̄ = w − u/T, see averaged-perceptron.ts; w itself if T = 0. */
export function meanOf(weight: number, sum: number, clock: number): number {
  return clock === 0 ? weight : weight - sum / clock;
}

/**
 * Returns the mean over time of one weight of sgd, whose later values weigh more.
 *
 * @param sum Σ weight · time up to when the feature was last updated.
 * @param counted the squared clock at that time.
 * @param age the squared clock now, above 0.
 */
export function sgdMean(weight: number, sum: number, counted: number, age: number): number {
  return (sum + weight * (age - counted)) / age;
}
