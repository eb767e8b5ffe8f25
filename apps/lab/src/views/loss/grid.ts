import { classOf } from '../../engine/recording.ts';
import type { LossId } from './losses.ts';

/** The losses that can be drawn over two weights. */
export type GridLoss = { readonly id: Extract<LossId, 'zero-one' | 'perceptron' | 'hinge' | 'logistic'> };

/** The mean loss of examples with scores a + u·p + v·q, over a grid of u and v. */
interface GridRequest {
  readonly loss: GridLoss;
  /** Scores at u = v = 0. */
  readonly scores: Float64Array;
  readonly p: Float64Array;
  readonly q: Float64Array;
  /** −1 or 1. */
  readonly labels: Int8Array;
  readonly tie: -1 | 1;
  /** Corners of the box; values are those at the centres of its cells. */
  readonly from: readonly [u: number, v: number];
  readonly to: readonly [u: number, v: number];
  readonly columns: number;
  readonly rows: number;
}

/** Returns the mean losses row by row, v rising. */
export function lossGrid(request: GridRequest): Float64Array {
  const { loss, from, to, columns, rows, scores, q } = request;
  const values = new Float64Array(columns * rows);
  const along = new Float64Array(scores.length);
  const du = (to[0] - from[0]) / columns;
  for (let r = 0; r < rows; r++) {
    const v = from[1] + ((r + 0.5) * (to[1] - from[1])) / rows;
    for (let k = 0; k < along.length; k++) along[k] = scores[k]! + v * q[k]!;
    const row = values.subarray(r * columns, (r + 1) * columns);
    const grid = { first: from[0] + du / 2, du };
    if (loss.id === 'logistic') logisticRow(request, along, grid, row);
    else if (loss.id === 'zero-one') countedRow(request, along, grid, row);
    else kinkedRow(request, along, { ...grid, kink: loss.id === 'hinge' ? 1 : 0 }, row);
  }
  return values;
}

interface Row {
  readonly first: number;
  readonly du: number;
}

/**
 * Sums max(0, c − y·a) along a row of u. For each example it is 0 on one side of a kink and linear on the other, so
 * intercepts and slopes are added where the linear part begins or ends, and summed from left to right. A row takes
 * examples + columns steps, not their product.
 */
function kinkedRow(
  { p, labels, columns }: GridRequest,
  along: Float64Array,
  { first, du, kink }: Row & { readonly kink: number },
  into: Float64Array,
): void {
  const starts = new Float64Array(columns + 1);
  const slopes = new Float64Array(columns + 1);
  for (let k = 0; k < along.length; k++) {
    const y = labels[k]!;
    const intercept = kink - y * along[k]!;
    const slope = -y * p[k]!;
    // The loss is positive where intercept + slope·u > 0.
    let [begin, end] = [0, columns];
    if (slope === 0) end = intercept > 0 ? columns : 0;
    else {
      const at = (-intercept / slope - first) / du;
      const cell = Math.max(0, Math.min(columns, Math.floor(at) + 1));
      if (slope > 0) begin = cell;
      else end = cell;
    }
    if (begin >= end) continue;
    starts[begin]! += intercept;
    starts[end]! -= intercept;
    slopes[begin]! += slope;
    slopes[end]! -= slope;
  }
  let [start, slope] = [0, 0];
  for (let c = 0; c < columns; c++) {
    start += starts[c]!;
    slope += slopes[c]!;
    into[c] = Math.max(0, start + slope * (first + c * du)) / Math.max(1, along.length);
  }
}

/** Counts the errors along a row of u: an example is wrong on one side of the point where its score is 0. */
function countedRow(
  { p, labels, columns, tie }: GridRequest,
  along: Float64Array,
  { first, du }: Row,
  into: Float64Array,
) {
  const changes = new Int32Array(columns + 1);
  for (let k = 0; k < along.length; k++) {
    const [y, slope] = [labels[k]!, p[k]!];
    let [begin, end] = [0, columns];
    if (slope === 0) end = classOf(along[k]!, tie) === y ? 0 : columns;
    else {
      const cell = Math.max(0, Math.min(columns, Math.floor((-along[k]! / slope - first) / du) + 1));
      if (slope * y > 0) end = cell;
      else begin = cell;
    }
    changes[begin]!++;
    changes[end]!--;
  }
  let wrong = 0;
  for (let c = 0; c < columns; c++) {
    wrong += changes[c]!;
    into[c] = wrong / Math.max(1, along.length);
  }
}

/**
 * ln(1 + e^−t) for t in [0, 32]; beyond, it is 0 to 14 digits. Linear interpolation between entries is off by at most
 * 2·10⁻⁶.
 */
const perUnit = 128;
const softplus = Float64Array.from({ length: 32 * perUnit + 2 }, (_, k) => Math.log1p(Math.exp(-k / perUnit)));

function logisticRow({ p, labels, columns }: GridRequest, along: Float64Array, { first, du }: Row, into: Float64Array) {
  for (let c = 0; c < columns; c++) {
    const u = first + c * du;
    let sum = 0;
    for (let k = 0; k < along.length; k++) {
      const margin = labels[k]! * (along[k]! + u * p[k]!);
      const size = margin < 0 ? -margin : margin;
      if (margin < 0) sum += size;
      if (size >= 32) continue;
      const at = size * perUnit;
      const entry = at | 0;
      const here = softplus[entry]!;
      sum += here + (at - entry) * (softplus[entry + 1]! - here);
    }
    into[c] = sum / Math.max(1, along.length);
  }
}
