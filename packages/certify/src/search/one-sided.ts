import type { SparseBatch } from 'halfspace/rules';

/** A feature and the examples that it decides. */
export interface OneSided {
  readonly feature: number;
  /** The sign of yᵢxᵢ in that feature, for all of these. */
  readonly sign: 1 | -1;
  /** Positions of examples. */
  readonly examples: readonly number[];
}

/**
 * Removes the examples that cannot be in a contradiction because of one of their features.
 *
 * In a contradiction Σ nᵢyᵢxᵢⱼ = 0 for every feature j, with nᵢ ≥ 0. If all nonzero yᵢxᵢⱼ have the same sign, their nᵢ
 * are 0, and these examples can be removed together with feature j. Then another feature may have one sign, and so on.
 * The remaining examples, the core, are separable if and only if all examples are: a large enough weight of feature j
 * classifies its examples correctly. In sparse data most rare features have one sign.
 *
 * @param members positions of the examples to consider.
 * @returns the core in rising order, empty if it has only one class; and the deciding features, in order of removal.
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
  // Examples by feature. Filling moves every start to the beginning of the next feature.
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
 * Extends a separator of the core to all examples. In reverse order of removal, each deciding feature gets the smallest
 * weight that classifies its examples correctly. The examples treated before do not have that feature, so they stay
 * correct.
 *
 * @param line separates the core with functional margins of about 1; its weights are 0 for features that the core does
 * not have.
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
      // A reserve for rounding.
      least = Math.max(least, (1 + 1e-12 * size - labels[i]! * score) / own);
    }
    w[feature] = sign * least;
  }
  return { w, bias: line.bias };
}
