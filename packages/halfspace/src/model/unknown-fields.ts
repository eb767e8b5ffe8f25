import type { SparseRow } from '../batch.ts';
import type { FeatureEncoding } from '../features/encoding.ts';
import { fieldsOf, flatFields } from '../features/record.ts';
import type { RawRow } from './raw-features.ts';
import { indexedPosition, isList } from './read-numbered.ts';

/**
 * Returns a function that lists the fields of a row that a model does not know, as text for indices. The label and
 * columns that were left out in training are known.
 */
export function unknownFieldsBy(features: FeatureEncoding): (row: RawRow) => string[] {
  if (features.kind === 'indexed') {
    const positionOf = indexedPosition(features);
    return (row) => unknownIndices(row, (index) => positionOf(index) >= 0);
  }
  if (features.kind === 'hashed') return () => [];
  const known = new Set(
    features.kind === 'named'
      ? features.names.flatMap(fieldsWith)
      : [...features.columns, ...features.leftOut].map(({ name }) => name).concat(features.label?.column ?? []),
  );
  const isKnown = (name: string) => known.has(name);
  return (row) => unknownNames(features.kind === 'table' ? flatFields(row) : row, isKnown);
}

/** Returns the names of fields that may have a feature in a bag: of `a^b=red` these are `a`, `a^b` and `a^b=red`. */
export function fieldsWith(name: string): string[] {
  const ends = [...name.matchAll(/[\^=]/g)].map(({ index }) => index);
  return [...ends.map((end) => name.slice(0, end)), name];
}

/** Returns the names of fields that are not known. A field that is undefined counts as absent. */
export function unknownNames(row: unknown, isKnown: (name: string) => boolean): string[] {
  const fields = fieldsOf(row);
  return Object.keys(fields).filter((name) => !isKnown(name) && fields[name] !== undefined);
}

/** Returns the indices that are not known of a sparse row; none of a list. */
export function unknownIndices(row: unknown, isKnown: (index: number) => boolean): string[] {
  const { indices } = (row ?? {}) as Partial<SparseRow>;
  return !isList(indices)
    ? []
    : Array.from(indices)
        .filter((index) => !isKnown(index))
        .map(String);
}
