import { HalfspaceError, quote } from '../errors.ts';

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
    if (!isLabel(labels[i]!))
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

/** Tests for −1 and +1; −3, −5, … are of classes that the model does not have, and count as negative. */
function isLabel(label: number): boolean {
  return label === 1 || (label < 0 && Number.isInteger((label - 1) / 2));
}

/** @throws HalfspaceError `label-classes` unless both sums of importance are above 0. */
export function checkBothClasses(positives: number, negatives: number): void {
  if (positives === 0 || negatives === 0)
    throw new HalfspaceError(
      'label-classes',
      `expected examples of both classes; got only ${positives === 0 ? 'negative' : 'positive'} ones`,
    );
}
