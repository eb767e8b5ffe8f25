import type { PointSet } from '../../data/dataset.ts';
import { type Examples, vectorAt } from '../../engine/examples.ts';
import { type Line, type Recording, snapshot } from '../../engine/recording.ts';
import { cacheOf, remember } from '../cache.ts';
import type { Plane } from '../view.ts';

/**
 * A plane in feature space: x(u, v) = origin + u·right + v·up, where right and up have length 1 and are at right
 * angles. Examples are projected onto it; a line is drawn where the plane cuts it.
 */
export interface Projection {
  /**
   * `line`: one feature; `flat`: two features, all of the space; `slice`: two of many features; `normal`: along the
   * normal of the learned line.
   */
  readonly kind: 'line' | 'flat' | 'slice' | 'normal';
  readonly origin: Float64Array;
  readonly right: Float64Array;
  /** All 0 for one feature. */
  readonly up: Float64Array;
  /** The features at the axes, by their positions; null: the axes are no features. */
  readonly features: readonly [horizontal: number, vertical: number] | null;
}

/** The coefficients of a score over the plane: a·u + b·v + c. */
export type Slice = readonly [a: number, b: number, c: number];

/** Returns the projection for a plane, as far as the examples allow it. Without a run there is no normal. */
export function projectionOf(examples: Examples, recording: Recording | null, plane: Plane): Projection {
  const { dimension } = examples;
  if (dimension <= 2) return flat(dimension);
  const made =
    plane.kind === 'normal' && recording !== null ? normals(recording, () => alongNormal(examples, recording)) : null;
  return made ?? slice(examples, plane);
}

/** One projection for each run: finding its direction takes many passes over the examples. */
const normals = cacheOf<Recording, Projection | null>();

const unit = (dimension: number, feature: number): Float64Array => {
  const direction = new Float64Array(dimension);
  if (feature < dimension) direction[feature] = 1;
  return direction;
};

/** Returns the projection that shows all of one or two features. */
export function flat(dimension: number): Projection {
  return {
    kind: dimension === 1 ? 'line' : 'flat',
    origin: new Float64Array(dimension),
    right: unit(dimension, 0),
    up: unit(dimension, 1),
    features: [0, 1],
  };
}

function slice(examples: Examples, plane: Plane): Projection {
  const { dimension } = examples;
  const [h, v] = featuresOf(plane, dimension);
  const origin = meanOf(examples).slice();
  origin[h] = 0;
  origin[v] = 0;
  return { kind: 'slice', origin, right: unit(dimension, h), up: unit(dimension, v), features: [h, v] };
}

/** Returns two different features that exist. */
export function featuresOf(plane: Plane, dimension: number): [horizontal: number, vertical: number] {
  const [h, v] = plane.kind === 'features' ? [plane.horizontal, plane.vertical] : [0, 1];
  const horizontal = Math.min(Math.max(0, h), dimension - 1);
  const vertical = Math.min(Math.max(0, v), dimension - 1);
  return [horizontal, vertical === horizontal ? (horizontal + 1) % dimension : vertical];
}

/** Returns the mean of the drawn examples. */
export const meanOf = remember(({ dimension, shown, vectors }: Examples): Float64Array => {
  const mean = new Float64Array(dimension);
  for (let k = 0; k < shown.length; k++)
    for (let j = 0; j < dimension; j++) mean[j]! += vectors[k * dimension + j]! / shown.length;
  return mean;
});

/**
 * Returns the projection along the normal. To the right is the signed distance to the line that the run ends with;
 * upwards the direction at right angles to its normal in which the drawn examples vary most, from their mean. Null:
 * the run ends without a line.
 */
function alongNormal(examples: Examples, recording: Recording): Projection | null {
  const { width, present, answer, divisor, biasConstant } = recording;
  const all = answer ?? present;
  if (width !== examples.dimension + 1 || all.length === 0) return null;
  const { weights, bias } = snapshot(recording, all, all.length / width - 1);
  const length = Math.hypot(...lengths(weights)) / divisor;
  if (!(length > 0)) return null;
  const right = weights.map((w) => w / divisor / length);
  const offset = (bias * biasConstant) / length;
  const mean = meanOf(examples);
  const up = mainDirection(examples, mean, right);
  const u = dot(right, mean);
  // The origin is the mean, moved along the normal onto the line.
  const origin = mean.map((m, j) => m - (u + offset) * right[j]!);
  return { kind: 'normal', origin, right, up, features: null };
}

/** Splits a sum of squares into parts, because Math.hypot takes a limited number of arguments. */
function lengths(weights: Float64Array): number[] {
  const sums: number[] = [];
  for (let j = 0; j < weights.length; j += 1000) {
    let sum = 0;
    for (const w of weights.subarray(j, j + 1000)) sum += w * w;
    sums.push(Math.sqrt(sum));
  }
  return sums;
}

function dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let j = 0; j < a.length; j++) sum += a[j]! * b[j]!;
  return sum;
}

/** Returns the place of a vector of all features, in the units of the axes. */
export function project({ kind, features, origin, right, up }: Projection, x: Float64Array): [u: number, v: number] {
  if (kind === 'line') return [x[0]!, 0];
  if (features !== null) return [x[features[0]]!, x[features[1]]!];
  let [u, v] = [0, 0];
  for (let j = 0; j < x.length; j++) {
    const from = x[j]! - origin[j]!;
    u += from * right[j]!;
    v += from * up[j]!;
  }
  return [u, v];
}

/** Returns the score of a line as a function over the plane. */
export function sliceOf(
  { origin, right, up }: Projection,
  { weights, bias }: Line,
  { divisor, biasConstant }: Pick<Recording, 'divisor' | 'biasConstant'>,
): Slice {
  return [
    dot(weights, right) / divisor,
    dot(weights, up) / divisor,
    dot(weights, origin) / divisor + bias * biasConstant,
  ];
}

/** The drawn examples and their places. */
export interface Drawn {
  /** Numbers in the data. */
  readonly rows: Uint32Array;
  readonly labels: Int8Array;
  /** Two coordinates each, in the units of the axes. */
  readonly spots: Float64Array;
}

/** Returns the points of the user's drawing at their present places, which a run may not have yet. */
export function drawnPoints({ points }: PointSet): Drawn {
  const spots = new Float64Array(2 * points.length);
  points.forEach(({ x, y }, k) => {
    spots[2 * k] = x;
    spots[2 * k + 1] = y;
  });
  return { rows: Uint32Array.from(points, (_, k) => k), labels: Int8Array.from(points, ({ label }) => label), spots };
}

const drawn = new WeakMap<Examples, { readonly key: string; readonly of: Projection; readonly made: Drawn }>();

export function drawnExamples(examples: Examples, projection: Projection): Drawn {
  const key = projection.features === null ? 'normal' : projection.features.join();
  const known = drawn.get(examples);
  if (known !== undefined && known.key === key && (projection.features !== null || known.of === projection))
    return known.made;
  const { shown, labels } = examples;
  const spots = new Float64Array(2 * shown.length);
  for (let k = 0; k < shown.length; k++) {
    const [u, v] = project(projection, vectorAt(examples, k));
    spots[2 * k] = u;
    spots[2 * k + 1] = v;
  }
  const made: Drawn = { rows: shown, labels: Int8Array.from(shown, (row) => labels[row]!), spots };
  drawn.set(examples, { key, of: projection, made });
  return made;
}

/** Maximum number of values that one round reads; of more, only every k-th example counts. */
const mostNumbers = 300_000;
const rounds = 30;

/**
 * Returns the first principal direction of the drawn examples after their part along `normal` (of length 1) is
 * removed: the eigenvector of the largest eigenvalue of their covariance, by power iteration from the feature of the
 * largest variance. It has length 1, is at right angles to `normal`, and its largest component is positive. The same
 * examples give the same direction.
 */
function mainDirection(
  { dimension, shown, vectors }: Examples,
  mean: Float64Array,
  normal: Float64Array,
): Float64Array {
  const every = Math.max(1, Math.ceil((shown.length * dimension) / mostNumbers));
  let direction = start();
  for (let round = 0; round < rounds; round++) {
    const next = new Float64Array(dimension);
    for (let k = 0; k < shown.length; k += every) {
      const at = k * dimension;
      let along = 0;
      for (let j = 0; j < dimension; j++) along += (vectors[at + j]! - mean[j]!) * direction[j]!;
      for (let j = 0; j < dimension; j++) next[j]! += along * (vectors[at + j]! - mean[j]!);
    }
    if (!straighten(next)) break;
    direction = next;
  }
  let largest = 0;
  for (let j = 1; j < dimension; j++) if (Math.abs(direction[j]!) > Math.abs(direction[largest]!)) largest = j;
  return direction[largest]! < 0 ? direction.map((d) => -d) : direction;

  /** Removes the part along the normal, and normalises; false: nothing is left. */
  function straighten(vector: Float64Array): boolean {
    let along = 0;
    for (let j = 0; j < dimension; j++) along += vector[j]! * normal[j]!;
    let square = 0;
    for (let j = 0; j < dimension; j++) {
      vector[j]! -= along * normal[j]!;
      square += vector[j]! * vector[j]!;
    }
    if (!(square > 1e-24)) return false;
    const length = Math.sqrt(square);
    for (let j = 0; j < dimension; j++) vector[j]! /= length;
    return true;
  }

  /** Starts from the feature of the largest variance that is not the normal itself. */
  function start(): Float64Array {
    const variances = new Float64Array(dimension);
    for (let k = 0; k < shown.length; k += every)
      for (let j = 0; j < dimension; j++) variances[j]! += (vectors[k * dimension + j]! - mean[j]!) ** 2;
    const order = Array.from(variances.keys()).sort((a, b) => variances[b]! - variances[a]! || a - b);
    for (const feature of order) {
      const vector = new Float64Array(dimension);
      vector[feature] = 1;
      if (straighten(vector)) return vector;
    }
    return new Float64Array(dimension);
  }
}
