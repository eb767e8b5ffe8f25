/**
 * The perceptron with a margin: also learns from examples that are on the correct side but too near.
 *
 * Objective: find (w, b) with y(w·x + b·c) > τ for every example (x, y), y ∈ {−1, +1}.
 * Update, when y·a ≤ τ for the score a = w·x + b·c:   w ← w + h·y·x,   b ← b + h·y·c
 * Symbols: τ ≥ 0 the margin, in the units of the score; c value of the constant feature (1, or 0 for no bias), h
 * importance of the example (default 1). τ = 0 is the perceptron.
 * Bound: started from zero with h = 1, at most (R² + 2τ)/γ² updates on data of radius R and margin γ, by Novikoff's
 * proof: k updates give w*·w ≥ k·γ for the separator w* of length 1, and ‖w‖² ≤ k(R² + 2τ).
 * Source: Duda & Hart 1973, section 5.5, the single-sample rule with a margin b, here with a constant increment of 1.
 * Krauth & Mézard 1987 require the same stability, w·ξ ≥ c.
 * Differences: h, as in perceptron.ts. Krauth & Mézard learn from the example of least stability, we from each in turn.
 * As the required margin grows, theirs finds the separator of the largest margin γ; for ours the bound gives only τ/‖w‖
 * ≥ γ·τ/(R² + 2τ), which approaches γ/2.
 */
import { mistakeDriven } from './mistake-driven.ts';
import type { OptionSpecs } from './rule-options.ts';

const options = {
  /** Updates on examples with y·score of at most this, in [0, ∞). Default 1. */
  margin: { kind: 'number', from: 0, default: 1, about: 'update on rows with at most this functional margin' },
} as const satisfies OptionSpecs;

export const margin = mistakeDriven({
  name: 'margin',
  summary: 'the perceptron that also learns from rows that are right, but too near',
  options,
  answersBy: 'last',
  step: ({ margin }) => ({ threshold: margin }),
});
