import { HalfspaceError, quote } from '../errors.ts';
import type { FeatureEncoding } from '../features/encoding.ts';
import { featureNamer } from '../features/names.ts';
import { columnsByName, columnWidth, crossWidth } from '../features/table-encoding.ts';
import { featureReaders } from './feature-readers.ts';
import { weightReader } from './linear/sparse-weights.ts';
import { functionsOf, isDual, type Model } from './model.ts';
import { FeatureList, type RawRow, rawFeatures } from './raw-features.ts';

/** A feature of a row, and its part of the score. */
export interface FeatureContribution {
  /** Name of the feature, such as `colour=red`, `message:free`, or the index of a numbered feature. */
  readonly feature: string;
  /** Value of the feature, as the model sees it. */
  readonly value: number;
  /** Weight of the feature times its value. */
  readonly contribution: number;
}

/** A field of a row, and how far it moved the score. */
export interface FieldContribution {
  /** Name of the field; of two crossed fields `a × b`; the index of a numbered feature. */
  readonly field: string;
  /** Sum over the features of the field. Above 0: it speaks for the class. */
  readonly contribution: number;
  /** The features that are not 0, by descending absolute contribution. */
  readonly features: readonly FeatureContribution[];
}

/** The score of a row as a sum over its fields; see {@link Predictor.explain}. */
export interface Explanation {
  /** The class whose score is explained. */
  readonly class: string;
  /** The score of that class, with the same bits as from `scores`; for the negative one of two classes, minus it. */
  readonly score: number;
  /**
   * The score of a row whose features are all 0. Numbers of a table are usually standardised; then 0 stands for their
   * mean.
   */
  readonly bias: number;
  /** Fields with features that are not 0, by descending absolute contribution. */
  readonly fields: readonly FieldContribution[];
}

/**
 * Explains a score of a row. `bias` and all contributions add up to the score, up to rounding.
 *
 * @param scores of the row.
 * @param of the class. Default: the second one.
 * @throws HalfspaceError `option-invalid` for models that are no linear functions, and for unknown classes.
 */
export function explainRow(model: Model, row: RawRow, scores: Float64Array, of?: string): Explanation {
  const { classes, features } = model;
  const k = of === undefined ? 1 : classes.indexOf(of);
  if (k < 0)
    throw new HalfspaceError('option-invalid', `expected one of the classes ${classes.join(', ')}; got ${quote(of)}`);
  const functions = functionsOf(model);
  const explained = functions[functions.length === 1 ? 0 : k];
  if (explained === undefined || isDual(explained))
    throw new HalfspaceError(
      'option-invalid',
      `expected a linear model, whose score is a sum over fields; got a ${model.kind} model`,
    );
  const sign = functions.length === 1 && k === 0 ? -1 : 1;
  const { bias, biasConstant, divisor } = explained;
  const weight = weightReader(explained);
  const list = new FeatureList();
  rawFeatures(features, featureReaders)(row, list);
  const nameOf = featureNamer(features);
  const fieldOf = fieldNamer(features);
  const fields = new Map<string, FeatureContribution[]>();
  for (let j = 0; j < list.count; j++) {
    const [index, value] = [list.indices[j]!, list.values[j]!];
    if (index < 0 || value === 0) continue;
    const contribution = sign * weight(index) * (value / divisor) + 0;
    const own = { feature: nameOf(index), value, contribution };
    const field = fieldOf(index);
    const others = fields.get(field);
    if (others === undefined) fields.set(field, [own]);
    else others.push(own);
  }
  const moved = Array.from(fields, ([field, own]) => ({
    field,
    contribution: own.reduce((sum, { contribution }) => sum + contribution, 0),
    features: own.sort(byContribution),
  }));
  return {
    class: classes[k]!,
    score: sign * scores[functions.length === 1 ? 0 : k]! + 0,
    bias: sign * bias * biasConstant + 0,
    fields: moved.sort(byContribution),
  };
}

/** Orders by descending absolute contribution; equal ones stay in the order of the encoding. */
function byContribution(a: { readonly contribution: number }, b: { readonly contribution: number }): number {
  return Math.abs(b.contribution) - Math.abs(a.contribution);
}

/** Returns a function from a feature to the name of its field. */
function fieldNamer(features: FeatureEncoding): (j: number) => string {
  if (features.kind !== 'table') return featureNamer(features);
  const { columns, crosses = [] } = features;
  const all = columnsByName(columns);
  const fields = [
    ...columns.map((column) => ({ name: column.name, width: columnWidth(column) })),
    ...crosses.map((cross) => ({ name: cross.columns.join(' × '), width: crossWidth(cross, all) })),
  ];
  let end = 0;
  const ends = fields.map(({ width }) => {
    end += width;
    return end;
  });
  return (j) => {
    let [from, to] = [0, ends.length - 1]; // the first field that ends behind j
    while (from < to) {
      const middle = (from + to) >> 1;
      if (ends[middle]! > j) to = middle;
      else from = middle + 1;
    }
    return fields[from]!.name;
  };
}
