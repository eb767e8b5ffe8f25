import type { Point, PointSet } from '../data/dataset.ts';
import type { Clouds } from './tour.ts';

/** Two round clouds, the same ones for the same seed. Coordinates have two places, so that they can be read and typed. */
export function makeClouds(
  { each, distance, deviation, seed, middle = [0, 0], order }: Clouds,
  name: string,
): PointSet {
  const uniform = xorshift(seed);
  // A sum of twelve uniform numbers less 6 has mean 0, deviation 1 and no logarithm that engines might round differently.
  const normal = () => Array.from({ length: 12 }, uniform).reduce((sum, u) => sum + u, -6);
  const shift = distance / 2 / Math.SQRT2;
  const cloud = (label: 1 | -1): Point[] =>
    Array.from({ length: each }, () => ({
      x: round(middle[0] + label * shift + deviation * normal()),
      y: round(middle[1] + label * shift + deviation * normal()),
      label,
    }));
  const [positive, negative] = [cloud(1), cloud(-1)];
  const points =
    order === 'positives-first' ? [...positive, ...negative] : positive.flatMap((point, i) => [point, negative[i]!]);
  return { kind: 'points', name, dimension: 2, points };
}

const round = (value: number) => Math.round(value * 100) / 100 + 0;

/** Marsaglia's 32-bit xorshift (2003), the shifts 13, 17 and 5: numbers in [0, 1). */
function xorshift(seed: number): () => number {
  // Small seeds differ in few bits: one multiplication spreads them; 0 would stay 0.
  let state = Math.imul(seed, 0x9e3779b1) || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 4294967296;
  };
}
