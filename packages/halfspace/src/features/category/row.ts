import { type ColumnRow, noFeature, oneHotRow, unseen } from '../column-row.ts';
import { valueText } from '../table-cell.ts';
import type { CategoryColumn } from '../table-encoding.ts';

/**
 * Returns a function from a category to its feature; null is a missing value. The features are one per level, then one
 * for rare levels, then the indicator of a missing value.
 *
 * @param first position of the first level's feature.
 */
export function levelFeature(
  { levels, rare, missing }: CategoryColumn,
  first: number,
): (text: string | null) => number {
  const features = new Map(levels.map((level, l) => [level, first + l]));
  const afterLevels = first + levels.length;
  // Rare and unseen levels cannot be told apart.
  const other = rare === undefined ? unseen : afterLevels;
  const absent = missing.indicator ? afterLevels + (rare === undefined ? 0 : 1) : noFeature;
  return (text) => (text === null ? absent : (features.get(text) ?? other));
}

/** Encodes single fields of a category. */
export function categoryRow(column: CategoryColumn, first: number): ColumnRow {
  const featureOf = levelFeature(column, first);
  return oneHotRow((value) => featureOf(valueText(value, column.name)));
}
