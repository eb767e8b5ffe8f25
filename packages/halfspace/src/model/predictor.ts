import { HalfspaceError, quote } from '../errors.ts';
import { TableEncoder } from '../features/encode-table.ts';
import type { FeatureEncoding } from '../features/encoding.ts';
import { fieldsOf, finiteField, noKnownField } from '../features/record.ts';
import { fourLanes, LaneSum } from '../kernels/lanes.ts';
import { createKernels } from '../kernels/load.ts';
import type { Calibration } from './calibration.ts';
import { classProbabilities, mostProbable } from './class-probabilities.ts';
import { weightReader } from './linear/sparse-weights.ts';
import {
  type DualModel,
  functionsOf,
  type LinearModel,
  type Model,
  type MulticlassModel,
  type TreeModel,
  tieOf,
} from './model.ts';
import { hashedRefused, indexedPosition, numberedRow, type RawRow, rawRowBatch } from './raw-features.ts';
import { beyondDoubles, classPosition, createScorer } from './scorer.ts';

/** The answer of {@link Predictor.predictProbable}. */
export interface ProbableClass {
  /** The most probable class. */
  readonly class: string;
  /** The probability of each class, in the order of the model's classes; they add up to 1. */
  readonly probabilities: number[];
}

/**
 * Judges rows one at a time, with the bits that batches give.
 *
 * Every row is checked. A record may lack fields, which are then missing values, or 0 for named features, and may have fields that the model
 * does not know, which do not count. One without any field that the model knows is refused, but for the empty record of named features,
 * which is a row of zeros. Numbers are finite. A feature that a model of
 * numbered features does not have counts 0. A row of finite numbers so large that its score is no finite double is refused too.
 */
export class Predictor {
  readonly model: Model;
  /** Scores of a row, one for each function; the array is used again. */
  readonly #scores: (row: RawRow) => Float64Array;

  /** @throws HalfspaceError `option-invalid` for models of hashed text, which are asked through their text format. */
  constructor(model: Model) {
    this.model = model;
    const scores = model.kind === 'dual' || model.kind === 'tree' ? batchScores(model) : linearScores(model);
    this.#scores = (row) => {
      const all = scores(row);
      for (let k = 0; k < all.length; k++) if (!Number.isFinite(all[k])) throw beyondDoubles(all[k]!);
      return all;
    };
  }

  /** The class of a row, by its scores. @throws HalfspaceError `number-invalid`, `row-malformed`, `index-invalid` for what is no row of this model's. */
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
    const calibration = this.#calibration();
    const scores = this.#scores(row);
    return classProbabilities(calibration, scores, 0, scores.length);
  }

  /**
   * The most probable class of a row, and the probability of each class. That class may be another one than `predict` gives, which goes
   * by the score: of two classes the probability may cross ½ at another score than 0, see {@link evenScore}. Of equally probable classes it
   * is the one that `predict` gives, if that is among them.
   * @throws HalfspaceError as `probabilities`.
   */
  predictProbable(row: RawRow): ProbableClass {
    const { model } = this;
    const calibration = this.#calibration();
    const scores = this.#scores(row);
    const probabilities = classProbabilities(calibration, scores, 0, scores.length);
    const scored = classPosition(scores, 0, scores.length, tieOf(model));
    return { class: model.classes[mostProbable(probabilities, 0, probabilities.length, scored)]!, probabilities };
  }

  #calibration(): readonly Calibration[] {
    const { calibration } = this.model;
    if (calibration === null)
      throw new HalfspaceError(
        'option-invalid',
        'expected a calibrated model; got one whose scores are no probabilities',
      );
    return calibration;
  }

  /**
   * The score of an example that is encoded already, with the bits that a batch of dense rows gives; nothing is allocated.
   *
   * @param x one finite number per weight, in the order of `model.weights`: by index for numbered features, which the text formats
   *   count from 1, so that x[0] is then 0; by `names` for named ones; as `encodeRow` gives them for tables without categories. Only read.
   * @throws HalfspaceError `row-malformed` for another length, `number-invalid` for NaN, infinities, and numbers so large that the score is
   *   no finite double; `option-invalid` for a model of more than two classes, in dual form, or a tree.
   */
  scoreVector(x: Float64Array): number {
    const { weights, divisor, bias, biasConstant } = this.#binary();
    const { length } = weights;
    if (!(x instanceof Float64Array) || x.length !== length) return this.scoreVector(vectorOf(x, length));
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
    if (!Number.isFinite(score)) {
      for (let j = 0; j < length; j++) finiteField(x[j], j);
      throw beyondDoubles(score);
    }
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
    const each = functions.map((linear) => sumOf(features, weightReader(linear), linear.divisor));
    return (row) => {
      for (let k = 0; k < each.length; k++) sums[k] = each[k]!(row);
      return sums;
    };
  }
  // Encoding a row takes longer than scoring it.
  const encoder = new TableEncoder(features);
  const readers = functions.map(weightReader);
  const indices: number[] = [];
  const values: number[] = [];
  return (row) => {
    let count = 0;
    encoder.eachFeature(row as Readonly<Record<string, unknown>>, (index, value) => {
      indices[count] = index;
      values[count++] = value;
    });
    functions.forEach(({ divisor }, f) => {
      const weight = readers[f]!;
      sums[f] = fourLanes(count, (k) => weight(indices[k]!) * (values[k]! / divisor));
    });
    return sums;
  };
}

/** What sums weightⱼ·(xⱼ / divisor) over a row, in the order in which the row has its features. */
function sumOf(features: FeatureEncoding, weight: (j: number) => number, divisor: number): (row: RawRow) => number {
  switch (features.kind) {
    case 'table': {
      const encoder = new TableEncoder(features);
      return (row) => {
        const sum = new LaneSum();
        encoder.eachFeature(row as Readonly<Record<string, unknown>>, (index, value) => {
          sum.add(weight(index) * (value / divisor));
        });
        return sum.total;
      };
    }
    case 'indexed': {
      const positionOf = indexedPosition(features);
      const weightOf = (index: number) => {
        const position = positionOf(index);
        return position === -1 ? 0 : weight(position);
      };
      return (row) => {
        const { indices, values } = numberedRow(row);
        if (indices !== null) return fourLanes(indices.length, (k) => weightOf(indices[k]!) * (values[k]! / divisor));
        const sum = new LaneSum();
        for (let j = 0; j < values.length; j++) sum.add(weightOf(j) * (finiteField(values[j], j) / divisor));
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
        const fields = fieldsOf(row);
        const sum = new LaneSum();
        let known = 0;
        const add = (name: string, position: number | undefined, value: unknown) => {
          if (position === undefined) return;
          known++;
          sum.add(weight(position) * (finiteField(value, name) / divisor));
        };
        const names = Object.keys(fields);
        // for…in reads fields fastest, but it may meet inherited names, and V8 keeps objects of more fields in a hash table: a loop that
        // has met one of those is fast for no other.
        if (names.length > 100 || inheritsNames(fields))
          for (const name of names) add(name, positions[name], fields[name]);
        else for (const name in fields) add(name, positions[name], fields[name]);
        if (known === 0 && names.length > 0) throw noKnownField(fields, features.names);
        return sum.total;
      };
    }
    case 'hashed':
      throw hashedRefused();
  }
}

/** Whether a for…in over `object` would meet names that are not its own. */
function inheritsNames(object: object): boolean {
  for (const _ in Object.getPrototypeOf(object)) return true;
  return false;
}

/** A vector from numbers in another list. @throws HalfspaceError `row-malformed`, `number-invalid`. */
function vectorOf(x: unknown, length: number): Float64Array {
  const given = typeof x === 'object' && x !== null ? (x as ArrayLike<unknown>).length : undefined;
  if (given !== length)
    throw new HalfspaceError(
      'row-malformed',
      `expected ${length} values, one per weight; got ${typeof given === 'number' ? given : quote(x)}`,
    );
  return Float64Array.from({ length }, (_, j) => finiteField((x as ArrayLike<unknown>)[j], j));
}
