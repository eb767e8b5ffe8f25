/**
 * The averaged perceptron: learns like the perceptron, and scores with the mean of its weights over time.
 *
 * Objective and update: those of perceptron.ts.
 * Answer: w̄ = (1/T) Σₜ wₜ, the mean of the weights after each example t, with or without an update.
 * Computed without a sum over t: at an update after T examples, u ← u + T·h·y·x; then w̄ = w − u/T (also for b).
 * Symbols: T clock, the importance shown so far; h importance of an example, also its weight in the mean.
 * Source: Freund & Schapire 1999, section 2 (voted and averaged); the lazy form is in Daumé's "A Course in Machine
 * Learning", chapter 4, algorithm 7.
 * Differences: some implementations average over updates instead of examples. That gives the many short-lived weights
 * of the start as much influence as the final ones.
 */
import { conditions, mistakeDriven, updateOptions } from './mistake-driven.ts';

export const averaged = mistakeDriven({
  name: 'averaged',
  summary: 'the mean of the perceptron’s weights over time',
  options: updateOptions,
  answersBy: 'mean',
  step: ({ updateWhen }) => ({ averaging: true, condition: conditions[updateWhen] }),
});
