import { findMaximumMargin } from 'halfspace/margins';
import type { SparseBatch } from 'halfspace/rules';
import { arraySource } from 'halfspace/runs';
import type { Clock } from '../clock.ts';
import { type Frame, powerBelow } from './frame.ts';
import type { Widest } from './widest.ts';

type Options = Parameters<typeof findMaximumMargin>[1];

/**
 * Searches the line of largest margin by `findMaximumMargin` for at most `seconds`, and returns the best that it has by
 * then.
 */
export function maximumMargin(examples: SparseBatch, seconds: number, clock: Clock, options: Options) {
  const controller = new AbortController();
  const end = performance.now() + 1000 * seconds;
  return findMaximumMargin(arraySource(examples, ['-1', '1']), {
    ...options,
    signal: controller.signal,
    onProgress(progress) {
      options?.onProgress?.(progress);
      if (performance.now() > end || clock.left() === 0) controller.abort();
    },
  });
}

/**
 * Returns the line half-way between the nearest points of the hulls of the two classes (Wolfe 1976). It computes in the
 * data's own units, so it keeps digits that a programme in scaled columns loses if columns differ much in size.
 */
export async function nearestPoints(frame: Frame, seconds: number, clock: Clock): Promise<Widest> {
  const { values } = frame.examples;
  // Squares of very small or large values leave the range of doubles. A power of two does not round the others.
  const power = powerBelow(values.reduce((size, value) => Math.max(size, Math.abs(value)), 0) || 1);
  const scaled = { ...frame.examples, values: values.map((value) => value * power) };
  const { weights, nearest } = await maximumMargin(scaled, seconds, clock, {
    gap: 1e-12,
    onProgress({ lower, upper }) {
      const [least, most] = [lower / power, upper / power].map((each) => each.toPrecision(6));
      clock.tell('widening', `the widest margin is about ${least} to ${most}`);
    },
  });
  return {
    u: weights.map((w, j) => w / frame.factors[j]!),
    lambda: new Map(Array.from(nearest.examples, (example, k) => [example, nearest.weights[k]!])),
  };
}
