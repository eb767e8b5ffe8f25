import type { SparseRow } from '../batch.ts';
import { HalfspaceError, quote } from '../errors.ts';
import { TableEncoder } from '../features/encode-table.ts';
import type { FeatureEncoding } from '../features/encoding.ts';
import { fourLanes, LaneSum } from '../kernels/lanes.ts';
import { createKernels } from '../kernels/load.ts';
import { classProbabilities } from './calibration.ts';
import {
  type DualModel,
  functionsOf,
  type LinearModel,
  type Model,
  type MulticlassModel,
  type TreeModel,
  tieOf,
} from './model.ts';
import { rawRowBatch } from './raw-features.ts';
import { classPosition, createScorer } from './scorer.ts';

/**
 * What a model can be asked about: for table models an object of named fields; for models of numbered features their indices and
 * values, or a plain list whose position is the index; for models of named features an object of numbers by name.
 */
export type RawRow = Readonly<Record<string, unknown>> | SparseRow | ArrayLike<number>;

/** Judges rows one at a time, with the bits that batches give. */
export class Predictor {
  readonly model: Model;
  /** Scores of a row, one for each function; the array is used again. */
  readonly #scores: (row: RawRow) => Float64Array;

  /** @throws HalfspaceError `option-invalid` for models of hashed text, which are asked through their text format. */
  constructor(model: Model) {
    this.model = model;
    this.#scores = model.kind === 'dual' || model.kind === 'tree' ? batchScores(model) : linearScores(model);
  }

  /** The class of a row. @throws HalfspaceError `number-invalid`, `row-malformed` for what is no row of this model's. */
  predict(row: RawRow): string {
    const { model } = this;
    const scores = this.#scores(row);
    return model.classes[classPosition(scores, 0, scores.length, tieOf(model))]!;
  }

  /**
   * The score of a row by a model of two classes: above 0 for the positive class. It is no probability.
   * @throws HalfspaceError as `predict`; `option-invalid` for a model of more classes.
   */
  score(row: RawRow): number {
    const { model } = this;
    if (model.classes.length > 2 || model.kind === 'multiclass')
      throw new HalfspaceError(
        'option-invalid',
        `expected a model of two classes, which have one score; got one of ${model.classes.length}`,
      );
    return this.#scores(row)[0]!;
  }

  /** The scores of a row, one for each class, or the only one of a model of two classes. A new array. */
  scores(row: RawRow): Float64Array {
    return this.#scores(row).slice();
  }

  /**
   * The probability of each class, by the model's calibration; they add up to 1.
   * @throws HalfspaceError as `predict`; `option-invalid` for a model without calibration.
   */
  probabilities(row: RawRow): number[] {
    const { calibration } = this.model;
    if (calibration === null)
      throw new HalfspaceError(
        'option-invalid',
        'expected a calibrated model; got one whose scores are no probabilities',
      );
    return classProbabilities(calibration, this.scores(row), 0);
  }

  /**
   * The score of an example that is encoded already, with the bits that a batch of dense rows gives; nothing is allocated.
   *
   * @param x one finite number per weight, in the order of `model.weights`: by index for numbered features, which the text formats
   *   count from 1, so that x[0] is then 0; by `names` for named ones; as `encodeRow` gives them for tables without categories. Only read.
   * @throws HalfspaceError `row-malformed` for another length, `number-invalid` for NaN and infinities, `option-invalid` for a model of
   *   more than two classes, in dual form, or a tree.
   */
  scoreVector(x: Float64Array): number {
    const { weights, divisor, bias, biasConstant } = this.#binary();
    const { length } = weights;
    if (x.length !== length)
      throw new HalfspaceError('row-malformed', `expected ${length} values, one per weight; got ${x.length}`);
    let s0 = 0;
    let s1 = 0;
    let s2 = 0;
    let s3 = 0;
    const whole = length - (length % 4);
    for (let j = 0; j < whole; j += 4) {
      s0 += weights[j]! * (x[j]! / divisor);
      s1 += weights[j + 1]! * (x[j + 1]! / divisor);
      s2 += weights[j + 2]! * (x[j + 2]! / divisor);
      s3 += weights[j + 3]! * (x[j + 3]! / divisor);
    }
    if (whole < length) s0 += weights[whole]! * (x[whole]! / divisor);
    if (whole + 1 < length) s1 += weights[whole + 1]! * (x[whole + 1]! / divisor);
    if (whole + 2 < length) s2 += weights[whole + 2]! * (x[whole + 2]! / divisor);
    const score = s0 + s1 + (s2 + s3) + bias * biasConstant;
    // No weight turns NaN or an infinity into a finite term, so only such a score calls for a look at the values.
    if (!Number.isFinite(score)) for (let j = 0; j < length; j++) finite(x[j], j);
    return score;
  }

  #binary(): LinearModel {
    const { model } = this;
    if (model.kind !== 'linear')
      throw new HalfspaceError(
        'option-invalid',
        model.kind === 'tree'
          ? 'expected a linear model; got a tree'
          : model.kind === 'dual'
            ? 'expected a model of weights; got one in dual form, which `score` asks'
            : `expected a model of two classes, which have one score; got one of ${model.classes.length}`,
      );
    return model;
  }
}

/** What scores a row as a batch of its own, with kernels of its own. */
function batchScores(model: DualModel | TreeModel): (row: RawRow) => Float64Array {
  const batchOf = rawRowBatch(model.features);
  const scorer = createScorer(createKernels(), model);
  const scores = new Float64Array(scorer.outputs);
  return (row) => {
    scorer.scoreInto(batchOf(row), scores);
    return scores;
  };
}

function linearScores(model: LinearModel | MulticlassModel): (row: RawRow) => Float64Array {
  const sums = sumsOf(model);
  const offsets = functionsOf(model).map(({ bias, biasConstant }) => bias * biasConstant);
  return (row) => {
    const scores = sums(row);
    for (let k = 0; k < offsets.length; k++) scores[k]! += offsets[k]!;
    return scores;
  };
}

/** What sums every function of a model over a row. */
function sumsOf(model: LinearModel | MulticlassModel): (row: RawRow) => Float64Array {
  const functions = functionsOf(model);
  const sums = new Float64Array(functions.length);
  const { features } = model;
  if (functions.length === 1 || features.kind !== 'table') {
    const each = functions.map(({ weights, divisor }) => sumOf(features, weights, divisor));
    return (row) => {
      for (let k = 0; k < each.length; k++) sums[k] = each[k]!(row);
      return sums;
    };
  }
  // Encoding a row takes longer than scoring it.
  const encoder = new TableEncoder(features);
  const indices: number[] = [];
  const values: number[] = [];
  return (row) => {
    let count = 0;
    encoder.eachFeature(row as Readonly<Record<string, unknown>>, (index, value) => {
      indices[count] = index;
      values[count++] = value;
    });
    functions.forEach(({ weights, divisor }, f) => {
      sums[f] = fourLanes(count, (k) => weights[indices[k]!]! * (values[k]! / divisor));
    });
    return sums;
  };
}

/** What sums weightⱼ·(xⱼ / divisor) over a row, in the order in which the row has its features. */
function sumOf(features: FeatureEncoding, weights: Float64Array, divisor: number): (row: RawRow) => number {
  switch (features.kind) {
    case 'table': {
      const encoder = new TableEncoder(features);
      return (row) => {
        const sum = new LaneSum();
        encoder.eachFeature(row as Readonly<Record<string, unknown>>, (index, value) => {
          sum.add(weights[index]! * (value / divisor));
        });
        return sum.total;
      };
    }
    case 'indexed': {
      const far =
        features.far && new Map(features.far.indices.map((index, k) => [index, features.far!.direct + k] as const));
      return (row) => {
        const { indices, values } = row as SparseRow;
        if (indices !== undefined && values !== undefined) {
          const positions = far === undefined ? indices : Array.from(indices, (index) => far.get(index) ?? index);
          return fourLanes(indices.length, (k) => (weights[positions[k]!] ?? 0) * (values[k]! / divisor));
        }
        const list = row as ArrayLike<number>;
        if (typeof list.length !== 'number')
          throw new HalfspaceError('row-malformed', `expected numbers, or indices and values; got ${quote(row)}`);
        const sum = new LaneSum();
        for (let j = 0; j < list.length; j++)
          sum.add((weights[far?.get(j) ?? j] ?? 0) * (finite(list[j], j) / divisor));
        return sum.total;
      };
    }
    case 'named': {
      // Looked up faster than a Map's keys: a property name is known by its address, and for…in hands out addresses too.
      const positions: Record<string, number> = Object.create(null);
      features.names.forEach((name, j) => {
        positions[name] = j;
      });
      return (row) => {
        const fields = row as Readonly<Record<string, unknown>>;
        const sum = new LaneSum();
        const add = (name: string, position: number | undefined, value: unknown) => {
          if (position !== undefined) sum.add(weights[position]! * (finite(value, name) / divisor));
        };
        const names = Object.keys(fields);
        // for…in reads fields fastest, but it may meet inherited names, and V8 keeps objects of more fields in a hash table: a loop that
        // has met one of those is fast for no other.
        if (names.length > 100 || inheritsNames(fields))
          for (const name of names) add(name, positions[name], fields[name]);
        else for (const name in fields) add(name, positions[name], fields[name]);
        return sum.total;
      };
    }
    case 'hashed':
      throw new HalfspaceError(
        'option-invalid',
        'expected a model of numbered or named features, or of a table; got one of hashed text',
      );
  }
}

/** Whether a for…in over `object` would meet names that are not its own. */
function inheritsNames(object: object): boolean {
  for (const _ in Object.getPrototypeOf(object)) return true;
  return false;
}

function finite(value: unknown, field: string | number): number {
  if (typeof value !== 'number' || !Number.isFinite(value))
    throw new HalfspaceError('number-invalid', `expected a finite number; got ${quote(value)}`, {
      field: String(field),
    });
  return value;
}
