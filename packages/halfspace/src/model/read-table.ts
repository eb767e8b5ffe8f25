import { type ColumnRows, rowEncoder } from '../features/encode-row.ts';
import type { TableEncoding } from '../features/table-encoding.ts';
import type { FeatureReader } from './raw-features.ts';

/** Returns a function that creates readers of the rows of tables: objects of fields by name. */
export function readTable(kinds: ColumnRows): (encoding: TableEncoding) => FeatureReader {
  return (encoding) => {
    const encode = rowEncoder(encoding, kinds);
    return (row, into) => {
      encode(row, (index, value) => into.add(index, value));
    };
  };
}
