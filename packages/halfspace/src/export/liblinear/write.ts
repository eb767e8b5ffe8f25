import { HalfspaceError } from '../../errors.ts';
import type { Model } from '../../model/model.ts';
import { scoreFunctions } from '../weights.ts';

/**
 * Writes a linear model of numbered features as a model file of LIBLINEAR, for `liblinear-predict`. The classes must be
 * whole numbers, as LIBLINEAR's labels are. It adds up in another order, so a score may differ in its last digits.
 *
 * @throws HalfspaceError `option-invalid` for other models, and for weights of a feature 0, which LIBLINEAR lacks.
 * @see Fan, Chang, Hsieh, Wang & Lin, LIBLINEAR: a library for large linear classification, JMLR 9, 2008.
 */
export function toLiblinear(model: Model): string {
  const { features, classes } = model;
  if (model.kind !== 'linear' && model.kind !== 'multiclass') throw refused('a linear model', `a ${model.kind} model`);
  if (features.kind !== 'indexed')
    throw refused(
      'features with numbers, as in libsvm text,',
      `${features.kind === 'table' ? 'a table' : `${features.kind} features`}`,
    );
  if (features.far !== undefined) throw refused('indices that are positions', 'very large ones');
  const odd = classes.find((name) => !/^-?\d+$/.test(name) || !(Math.abs(Number(name)) < 2 ** 31));
  if (odd !== undefined) throw refused('classes that are whole numbers', odd);
  const functions = scoreFunctions(model);
  if (functions.some(({ weightOf }) => weightOf(0) !== 0)) throw refused('features from 1 on', 'a weight of feature 0');
  const count = Math.max(0, features.dimension - 1);
  // LIBLINEAR's score is for the first label, and 0 means the second one.
  const isTurned = model.kind === 'linear' && model.tie > 0;
  const labels = model.kind === 'linear' && !isTurned ? [classes[1], classes[0]] : classes;
  const sign = isTurned ? -1 : 1;
  const rows = Array.from({ length: count }, (_, j) =>
    functions.map(({ weightOf, of }) => (sign * weightOf(j + 1)) / of.divisor + 0),
  );
  const offsets = functions.map(({ offset }) => sign * offset + 0);
  const hasBias = offsets.some((offset) => offset !== 0);
  return [
    'solver_type L2R_L2LOSS_SVC_DUAL',
    `nr_class ${classes.length}`,
    `label ${labels.map(Number).join(' ')}`,
    `nr_feature ${count}`,
    `bias ${hasBias ? 1 : -1}`,
    'w',
    ...[...rows, ...(hasBias ? [offsets] : [])].map((row) => `${row.join(' ')} `),
    '',
  ].join('\n');
}

function refused(expected: string, got: string): HalfspaceError {
  return new HalfspaceError('option-invalid', `expected ${expected} for LIBLINEAR; got ${got}`);
}
