import { HalfspaceError, quote } from '../errors.ts';
import { checkOption } from '../rules/rule-options.ts';

/**
 * Checks n labels, −1 or +1, and n importance weights in [0, ∞), not all 0, or null for all 1.
 *
 * @returns the sum of the importance.
 * @throws HalfspaceError `source-empty` if there are no examples of importance above 0; `label-missing`,
 *   `row-malformed`, `number-invalid`.
 */
export function checkLabelled(rows: number, labels: Float64Array, importance: Float64Array | null): number {
  if (labels.length !== rows)
    throw new HalfspaceError('label-missing', `expected ${rows} labels, one per row; got ${labels.length}`);
  if (rows === 0) throw new HalfspaceError('source-empty', 'expected examples; got none');
  for (let i = 0; i < rows; i++)
    if (labels[i] !== 1 && labels[i] !== -1)
      throw new HalfspaceError('label-missing', `expected a label of -1 or 1; got ${quote(labels[i])}`, { row: i + 1 });
  if (importance === null) return rows;
  if (importance.length !== rows)
    throw new HalfspaceError('row-malformed', `expected ${rows} importance weights; got ${importance.length}`);
  let weight = 0;
  for (let i = 0; i < rows; i++) {
    const value = importance[i]!;
    if (!(value >= 0 && value < Infinity))
      throw new HalfspaceError('number-invalid', `expected an importance weight in [0, ∞); got ${quote(value)}`, {
        row: i + 1,
      });
    weight += value;
  }
  if (weight === 0) throw new HalfspaceError('source-empty', 'expected examples with an importance above 0; got none');
  return weight;
}

/** @throws HalfspaceError `number-invalid` for a value outside [0, 1]. */
export function checkProbabilities(probabilities: Float64Array): void {
  for (let i = 0; i < probabilities.length; i++) {
    const p = probabilities[i]!;
    if (!(p >= 0 && p <= 1))
      throw new HalfspaceError('number-invalid', `expected a probability in [0, 1]; got ${quote(p)}`, { row: i + 1 });
  }
}

/** @throws HalfspaceError `number-invalid` for a value that is infinite or not a number. */
export function checkFiniteScores(scores: Float64Array): void {
  for (let i = 0; i < scores.length; i++)
    if (!Number.isFinite(scores[i]!))
      throw new HalfspaceError('number-invalid', `expected a finite score; got ${quote(scores[i])}`, { row: i + 1 });
}

/** @throws HalfspaceError `label-classes` unless both sums of importance are above 0. */
export function checkBothClasses(positives: number, negatives: number): void {
  if (positives === 0 || negatives === 0)
    throw new HalfspaceError(
      'label-classes',
      `expected examples of both classes; got only ${positives === 0 ? 'negative' : 'positive'} ones`,
    );
}

/** @throws HalfspaceError `option-invalid` unless `value` is a whole number of at least `least`. */
export function checkWhole(name: string, value: number, least: number): void {
  checkOption(name, { kind: 'number', whole: true, from: least }, value);
}
