/**
 * The perceptron.
 *
 * Objective: find (w, b) with y(w·x + b) > 0 for every example (x, y), y ∈ {−1, +1}.
 * Update, when y·a ≤ 0 for the score a = w·x + b·c:   w ← w + h·y·x,   b ← b + h·y·c
 * Symbols: c value of the constant feature (1, or 0 for no bias), h importance of the example (default 1).
 * Bound: started from zero with h = 1, at most (R/γ)² updates on data of radius R and margin γ (Novikoff 1962).
 * Source: Rosenblatt 1958; the five lectures' forms are in train/presets.ts.
 * Differences: h scales the step, like h presentations of the same mistake.
 */
import { conditions, mistakeDriven, updateOptions } from './mistake-driven.ts';

export const perceptron = mistakeDriven({
  name: 'perceptron',
  summary: 'the last weights of the perceptron',
  options: updateOptions,
  answersBy: 'last',
  step: ({ updateWhen }) => ({ condition: conditions[updateWhen] }),
});
