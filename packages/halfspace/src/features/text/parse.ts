import {
  byKind,
  type Check,
  check,
  checkRising,
  maybe,
  nullable,
  only,
  shape,
  text,
  texts,
  within,
} from '../../json.ts';
import { decodeWhole, type EncodedWhole, mostWrittenOut } from '../../numbers.ts';
import { mostBits, mostCharacters, mostWords, sizes } from '../feature-options.ts';
import { leftMissing } from '../parse-table-encoding.ts';
import { compareCodePoints, type NumberList, type TextColumn, textWeightings } from '../table-encoding.ts';

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
export const parseTextColumn: Check<TextColumn> = (value, path) => {
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
