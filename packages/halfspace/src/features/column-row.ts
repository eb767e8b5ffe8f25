/** Passes a feature on: its index and its value. */
export type Put = (index: number, value: number) => void;

/**
 * Encodes single fields of one column: passes the features of a field to `put`, indices rising.
 *
 * @returns the feature of a one-hot column, {@link noFeature}, or {@link unseen}; 0 for any other column.
 * @throws HalfspaceError for a field that the column cannot read.
 */
export type ColumnRow = (value: unknown, put: Put) => number;

/** In place of a feature: the field has none. */
export const noFeature = -1;
/** In place of a feature: the field has none, because its category was not seen in training. */
export const unseen = -2;

/** Returns a {@link ColumnRow} of features with value 1, of which a field has at most one. */
export function oneHotRow(featureOf: (value: unknown) => number): ColumnRow {
  return (value, put) => {
    const feature = featureOf(value);
    if (feature >= 0) put(feature, 1);
    return feature;
  };
}
