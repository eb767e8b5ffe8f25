import type { Label, Point, PointSet, Table } from '../data/dataset.ts';
import type { Clouds } from './tour.ts';

/**
 * Makes two round clouds; the same seed gives the same points. Coordinates have two decimals, so that they can be
 * read and typed. With columns of noise the result is a table, whose first two columns are the plane.
 */
export function makeClouds(clouds: Clouds, name: string): PointSet | Table {
  const { each, distance, deviation, seed, middle = [0, 0], order, noise = 0 } = clouds;
  const uniform = xorshift(seed);
  // The sum of twelve uniform numbers, minus 6, has mean 0 and deviation 1, and needs no logarithm, which engines may
  // round differently.
  const normal = () => Array.from({ length: 12 }, uniform).reduce((sum, u) => sum + u, -6);
  const shift = distance / 2 / Math.SQRT2;
  const cloud = (label: Label): Point[] =>
    Array.from({ length: each }, () => ({
      x: round(middle[0] + label * shift + deviation * normal()),
      y: round(middle[1] + label * shift + deviation * normal()),
      label,
    }));
  const [positive, negative] = [cloud(1), cloud(-1)];
  const points =
    order === 'positives-first' ? [...positive, ...negative] : positive.flatMap((point, i) => [point, negative[i]!]);
  if (noise === 0) return { kind: 'points', name, dimension: 2, points };
  const rows = points.map(({ x, y, label }) =>
    [x, y, ...Array.from({ length: noise }, () => round(normal())), label].join(','),
  );
  const header = ['x1', 'x2', ...Array.from({ length: noise }, (_, k) => `noise${k + 1}`), 'class'].join(',');
  return {
    kind: 'table',
    name: `${name}.csv`,
    text: `${[header, ...rows].join('\n')}\n`,
    label: 'class',
    positive: '1',
    columns: null,
    scale: 'none',
  };
}

const round = (value: number) => Math.round(value * 100) / 100 + 0;

/** Marsaglia's 32-bit xorshift (2003), the shifts 13, 17 and 5: numbers in [0, 1). */
function xorshift(seed: number): () => number {
  // Multiplication spreads the few bits of small seeds; a state of 0 would stay 0.
  let state = Math.imul(seed, 0x9e3779b1) || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 4294967296;
  };
}
