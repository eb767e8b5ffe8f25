import type { SparseBatch } from 'halfspace';

/** A feature, and the examples that it decided. */
export interface OneSided {
  readonly feature: number;
  /** The sign of yᵢxᵢ in that feature, for all of these. */
  readonly sign: 1 | -1;
  /** Positions of examples. */
  readonly examples: readonly number[];
}

/**
 * Sets aside the examples that are in no contradiction, because of a single feature of theirs.
 *
 * In a contradiction every Σ nᵢyᵢxᵢⱼ is 0, with nᵢ ≥ 0. Where all yᵢxᵢⱼ ≠ 0 have one sign, their nᵢ are 0, and the others contradict each
 * other, or do not, without feature j. That may leave another feature with one sign, and so on. What is left, the core, can be
 * separated if and only if all can: from a separator of the core a large enough weight of feature j puts its examples on their side.
 * Most rare features of sparse data are such.
 *
 * @param members positions of the examples to look at.
 * @returns the core, rising, empty where it has one class only; and what decided the others, in order.
 */
export function peel(
  examples: SparseBatch,
  members: readonly number[],
): { core: readonly number[]; decided: readonly OneSided[] } {
  const { dimension, offsets, indices, values, labels } = examples;
  const sides = [new Uint32Array(dimension), new Uint32Array(dimension)];
  const sideOf = (i: number, at: number) => (labels[i]! > 0 === values[at]! > 0 ? 1 : 0);
  const starts = new Uint32Array(dimension + 2);
  for (const i of members)
    for (let at = offsets[i]!; at < offsets[i + 1]!; at++) {
      const j = indices[at]!;
      sides[sideOf(i, at)]![j]!++;
      starts[j + 2]!++;
    }
  for (let j = 1; j < starts.length; j++) starts[j]! += starts[j - 1]!;
  // Examples by feature: filling moves every start to where the next feature begins.
  const holders = new Uint32Array(starts.at(-1)!);
  for (const i of members)
    for (let at = offsets[i]!; at < offsets[i + 1]!; at++) holders[starts[indices[at]! + 1]!++] = i;

  const left = new Set(members);
  const isOneSided = (j: number) => (sides[0]![j] === 0) !== (sides[1]![j] === 0);
  const waiting: number[] = [];
  for (let j = 0; j < dimension; j++) if (isOneSided(j)) waiting.push(j);
  const decided: OneSided[] = [];
  for (let next = 0; next < waiting.length; next++) {
    const feature = waiting[next]!;
    if (!isOneSided(feature)) continue;
    const sign = sides[1]![feature] === 0 ? -1 : 1;
    const gone: number[] = [];
    for (let k = starts[feature]!; k < starts[feature + 1]!; k++) {
      const i = holders[k]!;
      if (!left.delete(i)) continue;
      gone.push(i);
      for (let at = offsets[i]!; at < offsets[i + 1]!; at++) {
        const j = indices[at]!;
        const side = sides[sideOf(i, at)]!;
        side[j]!--;
        if (side[j] === 0 && isOneSided(j)) waiting.push(j);
      }
    }
    decided.push({ feature, sign, examples: gone });
  }
  const core = [...left].sort((a, b) => a - b);
  const both = core.some((i) => labels[i]! > 0) && core.some((i) => labels[i]! < 0);
  return { core: both ? core : [], decided };
}

/** A line in the data's own units. */
export interface PlainLine {
  readonly w: Float64Array;
  readonly bias: number;
}

/**
 * A separator of the core made one of all: from the example set aside last to the first, its feature gets the least weight that puts
 * it on its side. Nothing that comes earlier has that feature, so nothing is undone.
 *
 * @param line separates the core, at functional margins of about 1, with weights 0 for features of which the core has none.
 */
export function extended(examples: SparseBatch, decided: readonly OneSided[], line: PlainLine): PlainLine {
  const { offsets, indices, values, labels } = examples;
  const w = line.w.slice();
  for (const { feature, sign, examples: rows } of [...decided].reverse()) {
    let least = 0;
    for (const i of rows) {
      let score = line.bias;
      let size = Math.abs(score);
      let own = 0;
      for (let at = offsets[i]!; at < offsets[i + 1]!; at++) {
        const term = w[indices[at]!]! * values[at]!;
        score += term;
        size += Math.abs(term);
        if (indices[at] === feature) own = Math.abs(values[at]!);
      }
      // Rounding must not take away what the weight gives.
      least = Math.max(least, (1 + 1e-12 * size - labels[i]! * score) / own);
    }
    w[feature] = sign * least;
  }
  return { w, bias: line.bias };
}
