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
      ? features.names
      : [...features.columns, ...features.leftOut].map(({ name }) => name).concat(features.label?.column ?? []),
  );
  if (features.kind === 'named')
    for (const name of features.names) for (const field of otherFieldsWith(name)) known.add(field);
  const isKnown = (name: string) => known.has(name);
  return (row) => unknownNames(features.kind === 'table' ? flatFields(row) : row, isKnown);
}

const none: readonly string[] = [];

/** Returns the names of other fields that may have a feature of a bag: of `a^b=red` these are `a` and `a^b`. */
export function otherFieldsWith(name: string): readonly string[] {
  // The usual case, in a hurry.
  if (!name.includes('=') && !name.includes('^')) return none;
  return [...name.matchAll(/[\^=]/g)].map(({ index }) => name.slice(0, index));
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
