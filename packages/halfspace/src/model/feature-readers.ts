import { HalfspaceError } from '../errors.ts';
import { columnRows } from '../features/column-rows.ts';
import type { FeatureReaders } from './raw-features.ts';
import { readNamed } from './read-named.ts';
import { readNumbered } from './read-numbered.ts';
import { readTable } from './read-table.ts';

/** The readers of raw rows for every encoding. */
export const featureReaders: FeatureReaders = {
  indexed: readNumbered,
  named: readNamed,
  hashed: () => {
    throw new HalfspaceError(
      'option-invalid',
      'expected a model of numbered or named features, or of a table; got one of hashed text',
    );
  },
  table: readTable(columnRows),
};
