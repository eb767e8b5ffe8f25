import type { SparseBatch } from 'halfspace/rules';

/** Returns at most `count` examples with the lowest scores below a bound, without those that are taken already. */
export function lowest(
  scores: Float64Array,
  count: number,
  below: number,
  taken: { has(i: number): boolean },
): number[] {
  const found: number[] = [];
  for (let i = 0; i < scores.length; i++) if (scores[i]! < below && !taken.has(i)) found.push(i);
  if (found.length > count) found.sort((a, b) => scores[a]! - scores[b]! || a - b).length = count;
  return found;
}

/** Returns the values above 0 by `keys[k]`, or by their positions. */
export function positive(values: Float64Array | Uint32Array, keys?: readonly number[]): Map<number, number> {
  const found = new Map<number, number>();
  for (let k = 0; k < values.length; k++) if (values[k]! > 0) found.set(keys?.[k] ?? k, values[k]!);
  return found;
}

/** Returns w·xᵢ + bias. */
export function scoreOf({ offsets, indices, values }: SparseBatch, i: number, w: Float64Array, bias = 0): number {
  let score = bias;
  for (let at = offsets[i]!; at < offsets[i + 1]!; at++) score += w[indices[at]!]! * values[at]!;
  return score;
}

/** Returns the lowest score of the positive examples and the highest of the negative ones. */
export function innerScores({ rows, labels }: SparseBatch, score: (i: number) => number) {
  let lowest = Infinity;
  let highest = -Infinity;
  for (let i = 0; i < rows; i++)
    if (labels[i]! > 0) lowest = Math.min(lowest, score(i));
    else highest = Math.max(highest, score(i));
  return { lowest, highest };
}
