import { type ColumnRow, noFeature, oneHotRow, unseen } from '../column-row.ts';
import { valueText } from '../table-cell.ts';
import { type CategoryColumn, type LevelColumn, restWidth } from '../table-encoding.ts';
import { hashedLevel } from './hashed-level.ts';

/**
 * Returns a function from a category to its feature; null is a missing value. The features are one per level, then one
 * for rare levels or those of others, then the indicator of a missing value.
 *
 * @param first position of the first level's feature.
 */
export function levelFeature(column: LevelColumn, first: number): (text: string | null) => number {
  const { levels, rare, others, missing } = column;
  const features = new Map(levels.map((level, l) => [level, first + l]));
  const afterLevels = first + levels.length;
  // Rare and unseen levels cannot be told apart.
  const other = rare ? afterLevels : unseen;
  const absent = missing.indicator ? afterLevels + restWidth(column) : noFeature;
  const otherOf = (text: string) => (others ? afterLevels + hashedLevel(text, others.bits) : other);
  return (text) => (text === null ? absent : (features.get(text) ?? otherOf(text)));
}

/** Encodes single fields of a category. */
export function categoryRow(column: CategoryColumn, first: number): ColumnRow {
  const featureOf = levelFeature(column, first);
  return oneHotRow((value) => featureOf(valueText(value, column.name)));
}
