import {
  byKind,
  type Check,
  check,
  checkDistinct,
  checkRising,
  maybe,
  nullable,
  only,
  shape,
  text,
  texts,
  within,
} from '../json.ts';
import { decodeWhole, type EncodedWhole, mostWrittenOut } from '../numbers.ts';
import { storedFormats } from './date/format-names.ts';
import type { FeatureEncoding, HashedEncoding, NamedEncoding } from './encoding.ts';
import { mostBits, mostCharacters, mostWords, sizes } from './feature-options.ts';
import { parseNotation } from './number/parse-notation.ts';
import { indexedEncoding } from './parse-indexed.ts';
import { leftMissing, levelMembers, tableEncodings } from './parse-table-encoding.ts';
import { checkSeparator } from './set/separator.ts';
import {
  compareCodePoints,
  type NumberList,
  type SetColumn,
  type TextColumn,
  textWeightings,
} from './table-encoding.ts';

/** Maximum number of terms, checked before memory is allocated. */
const mostTerms = 1 << 24;

function names(value: unknown, path: string): string[] {
  const all = texts(value, path, mostTerms);
  checkRising(all, path, compareCodePoints);
  check(all.length > 0, path, 'terms', 'none');
  check(all[0] !== '', path, 'terms', 'an empty one');
  return all;
}

const parse = shape({
  kind: only('text'),
  name: text,
  words: (value, path) => sizes(value, path, mostWords),
  characters: (value, path) => sizes(value, path, mostCharacters),
  lowercase: only(true, false),
  weighting: only(...textWeightings),
  documents: within(1, 2 ** 32 - 1),
  terms: byKind({
    named: shape({
      kind: only('named'),
      names,
      frequencies: (value) => value,
      others: maybe(shape({ bits: within(1, mostBits), frequencies: (value) => value })),
    }),
    hashed: shape({
      kind: only('hashed'),
      bits: within(1, mostBits),
      frequencies: (value) => value,
      names: nullable(names),
    }),
  }),
  missing: leftMissing,
});

/** Reads a text column of an encoding from JSON. @throws HalfspaceError `model-invalid`. */
const parseTextColumn: Check<TextColumn> = (value, path) => {
  const column = parse(value, path);
  const { words, characters, weighting, documents, terms } = column;
  check(words !== null || characters !== null, path, 'n-grams of words or of characters', 'neither');
  const checkList = (list: unknown, length: number) => {
    const fits = weighting === 'tf-idf' ? isNumberList(list, length, documents) : list === null;
    check(fits, `${path}.terms.frequencies`, `${length} whole numbers up to ${documents} for tf-idf, else null`, list);
  };
  if (terms.kind === 'named') {
    checkList(terms.frequencies, terms.names.length);
    if (terms.others) checkList(terms.others.frequencies, 2 ** terms.others.bits);
  } else checkList(terms.frequencies, 2 ** terms.bits);
  return column as TextColumn;
};

/**
 * Tests if a value is exactly what `encodeNumbers` writes for `length` numbers of at most `most`. Each list has one
 * spelling only, so a model that is read and written again keeps its bytes.
 */
function isNumberList(value: unknown, length: number, most: number): value is NumberList {
  const numbers = decodeWhole(value);
  if (numbers === null || numbers.length !== length || !numbers.every((number) => number <= most)) return false;
  if (length <= mostWrittenOut) return Array.isArray(value);
  return (
    !Array.isArray(value) &&
    Object.keys(value as object).length === 1 &&
    endsInZeros.test((value as EncodedWhole).uint32)
  );
}

/** Matches base64 whose last letter has zeros behind the last byte. */
const endsInZeros = /([AQgw]==|[AEIMQUYcgkosw048]=|[^=])$/;

/** Reads a column of sets of an encoding from JSON. @throws HalfspaceError `model-invalid`. */
const parseSetColumn: Check<SetColumn> = shape({
  kind: only('set'),
  name: text,
  separator: maybe(checkSeparator),
  ...levelMembers,
});

/** Reads an encoding of named features. @throws HalfspaceError `model-invalid`. */
const namedEncoding = shape({
  kind: text,
  names: (value, path) => {
    const names = texts(value, path);
    checkDistinct(names, path, 'each name once');
    return names;
  },
}) as Check<NamedEncoding>;

/** Reads an encoding of hashed features. @throws HalfspaceError `model-invalid`. */
const hashedEncoding = shape({ kind: text, bits: within(1, 28) }) as Check<HashedEncoding>;

/** Reads an encoding of any kind from parsed JSON. @throws HalfspaceError `model-invalid`. */
export const featureEncoding: Check<FeatureEncoding> = byKind({
  indexed: indexedEncoding,
  named: namedEncoding,
  hashed: hashedEncoding,
  table: tableEncodings(parseTextColumn, {
    notation: parseNotation,
    format: only(...storedFormats),
    set: parseSetColumn,
  }),
});

/** Reads an encoding from parsed JSON. @throws HalfspaceError `model-invalid`. */
export function parseEncoding(value: unknown): FeatureEncoding {
  return featureEncoding(value, 'features');
}
