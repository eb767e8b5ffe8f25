import { HalfspaceError } from '../../errors.ts';
import type { Model } from '../../model/model.ts';
import { placed, scalingOf } from '../columns.ts';
import { scoreFunctions } from '../weights.ts';

/**
 * Writes a linear model as JSON with the coefficients as scikit-learn's classifiers have them; `fromJson` describes it
 * and reads it. docs/export.md has the lines of Python that make a pipeline of it.
 *
 * @throws HalfspaceError `option-invalid` for trees, kernels, and columns that no scaler or one-hot encoder makes.
 */
export function toScikitLearn(model: Model): string {
  const { features, classes } = model;
  if (model.kind !== 'linear' && model.kind !== 'multiclass') throw refused('a linear model', `a ${model.kind} model`);
  if (features.kind !== 'table' && (features.kind !== 'indexed' || features.far !== undefined))
    throw refused('a table, or features numbered from 0', `${features.kind} features`);
  if (model.kind === 'linear' && model.tie > 0) throw refused('a score of 0 for the first class', 'one for the second');
  const functions = scoreFunctions(model);
  const { dimension } = features.kind === 'indexed' ? features : { dimension: functions[0]!.weights };
  const coef = functions.map(({ weightOf, of }) =>
    Array.from({ length: dimension }, (_, j) => weightOf(j) / of.divisor + 0),
  );
  const isTable = features.kind === 'table' && features.label.type === 'number';
  const isNumber = isTable && classes.every((name) => String(Number(name)) === name);
  const document = {
    kind: 'linear',
    classes: isNumber ? classes.map(Number) : classes,
    coef,
    intercept: functions.map(({ offset }) => offset + 0),
    ...(features.kind === 'table'
      ? { label: features.label.column, columns: columnsOf(features), crosses: crossesOf(features) }
      : {}),
  };
  return `${JSON.stringify(document, null, 1)}\n`;
}

type Table = Extract<Model['features'], { kind: 'table' }>;

function columnsOf(encoding: Table): object[] {
  return encoding.columns.map((column) => {
    const { name, kind, missing } = column;
    const indicator = missing.indicator ? { indicator: true } : {};
    if (kind === 'category') {
      if (column.others) throw refused('listed or rare levels', `hashed ones in ${name}`);
      return { name, levels: column.levels, ...(column.rare ? { rare: column.rare } : {}), ...indicator };
    }
    if (kind === 'boolean') return { name, fill: column.missing.fill, ...indicator };
    if (kind !== 'number' || column.notation !== undefined)
      throw refused('plain numbers, booleans and categories', `the ${kind} column ${name}`);
    if (column.edges !== undefined) return { name, edges: column.edges, ...indicator };
    const { mean, deviation } = scalingOf(column, encoding);
    return { name, mean, scale: deviation, fill: column.missing.fill, ...indicator };
  });
}

/** Absent without crosses. */
function crossesOf(encoding: Table): object[] | undefined {
  const { crosses } = placed(encoding);
  return encoding.crosses?.map(({ columns, groups }, k) => {
    const { counts, width } = crosses[k]!;
    if (width < counts[0] * counts[1]) throw refused('listed pairs', `hashed ones of ${columns.join(' and ')}`);
    return { columns, groups };
  });
}

function refused(expected: string, got: string): HalfspaceError {
  return new HalfspaceError('option-invalid', `expected ${expected} for scikit-learn; got ${got}`);
}
