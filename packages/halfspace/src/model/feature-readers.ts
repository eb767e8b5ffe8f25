import { HalfspaceError } from '../errors.ts';
import { eachFeature } from '../features/bag.ts';
import { columnRows } from '../features/column-rows.ts';
import type { NamedEncoding } from '../features/encoding.ts';
import { fieldsOf, inheritsNames } from '../features/record.ts';
import type { FeatureReader, FeatureReaders } from './raw-features.ts';
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

/** Reads rows of named features: bags of features by name. */
function readNamed({ names: known }: NamedEncoding): FeatureReader {
  // Faster than a Map: engines compare interned property names by address, and for…in yields interned names.
  const positions: Record<string, number> = Object.create(null);
  known.forEach((name, j) => {
    positions[name] = j;
  });
  return (row, into) => {
    const fields = fieldsOf(row);
    const names = Object.keys(fields);
    const put = (name: string, value: number) => {
      const position = positions[name];
      if (position !== undefined) into.add(position, value);
    };
    const read = (name: string, position: number | undefined, value: unknown) => {
      if (typeof value === 'number' && Number.isFinite(value)) {
        if (position !== undefined) into.add(position, value);
        return;
      }
      try {
        eachFeature(name, value, put);
      } catch (error) {
        // A field that the model does not know may have any value.
        if (position !== undefined) throw error;
      }
    };
    // for…in is the fastest way to read fields, with two exceptions. It also visits inherited names. And V8 keeps
    // objects with many fields in a hash table; after one of these the loop is slow for all objects.
    if (names.length > 100 || inheritsNames(fields))
      for (const name of names) read(name, positions[name], fields[name]);
    else for (const name in fields) read(name, positions[name], fields[name]);
  };
}
