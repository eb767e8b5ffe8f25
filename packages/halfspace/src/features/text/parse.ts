import { checkRising, members, oneOf, text, texts, unfit, whole } from '../../json.ts';
import { decodeWhole, type EncodedWhole, encodeNumbers } from '../../numbers.ts';
import { mostBits, mostCharacters, mostWords, sizes } from '../feature-options.ts';
import {
  compareCodePoints,
  type HashedTerms,
  type LeftMissing,
  type NamedTerms,
  type NumberList,
  type TextColumn,
  textWeightings,
} from '../table-encoding.ts';

/** Maximum number of terms, checked before memory is allocated. */
const mostTerms = 1 << 24;

/** Reads a text column of an encoding from JSON. @throws HalfspaceError `model-invalid`. */
export function parseTextColumn(
  value: unknown,
  path: string,
  parseMissing: (value: unknown, path: string) => LeftMissing,
): TextColumn {
  const expected = ['kind', 'name', 'words', 'characters', 'lowercase', 'weighting', 'documents', 'terms', 'missing'];
  const from = members(value, path, expected);
  const words = sizes(from.words, `${path}.words`, mostWords);
  const characters = sizes(from.characters, `${path}.characters`, mostCharacters);
  if (words === null && characters === null) throw unfit(path, 'n-grams of words or of characters', 'neither');
  const weighting = oneOf(from.weighting, `${path}.weighting`, textWeightings);
  const documents = whole(from.documents, `${path}.documents`, 1, 2 ** 32 - 1);
  return {
    kind: 'text',
    name: text(from.name, `${path}.name`),
    words,
    characters,
    lowercase: oneOf(from.lowercase, `${path}.lowercase`, [true, false] as const),
    weighting,
    documents,
    terms: parseTerms(from.terms, `${path}.terms`, weighting === 'tf-idf' ? documents : null),
    missing: parseMissing(from.missing, path),
  };
}

/** @param documents the number of training rows with a text; null: the weighting uses no frequencies. */
function parseTerms(value: unknown, path: string, documents: number | null): NamedTerms | HashedTerms {
  const kind = oneOf(members(value, path).kind, `${path}.kind`, ['named', 'hashed'] as const);
  const from = members(value, path, ['kind', ...(kind === 'hashed' ? ['bits'] : []), 'frequencies', 'names']);
  const frequencies = (length: number): NumberList | null => {
    if (documents === null) return oneOf<null>(from.frequencies, `${path}.frequencies`, [null]);
    if (!isNumberList(from.frequencies, length, documents))
      throw unfit(`${path}.frequencies`, `${length} whole numbers up to ${documents}`, from.frequencies);
    return Array.isArray(from.frequencies) ? [...from.frequencies] : from.frequencies;
  };
  const names = (): readonly string[] => {
    const all = texts(from.names, `${path}.names`, mostTerms);
    checkRising(all, `${path}.names`, compareCodePoints);
    if (all.length === 0 || all[0] === '')
      throw unfit(`${path}.names`, 'terms', all.length === 0 ? 'none' : 'an empty one');
    return all;
  };
  if (kind === 'named') {
    const all = names();
    return { kind, names: all, frequencies: frequencies(all.length) };
  }
  const bits = whole(from.bits, `${path}.bits`, 1, mostBits);
  return { kind, bits, frequencies: frequencies(2 ** bits), names: from.names === null ? null : names() };
}

/** Tests if a value is exactly what {@link encodeNumbers} writes for `length` numbers of at most `most`. */
function isNumberList(value: unknown, length: number, most: number): value is NumberList {
  const numbers = decodeWhole(value);
  if (numbers === null || numbers.length !== length || !numbers.every((number) => number <= most)) return false;
  // Each list has one spelling only, so a model that is read and written again keeps its bytes.
  const again = encodeNumbers(numbers);
  if (!('uint32' in again)) return Array.isArray(value);
  return (value as EncodedWhole).uint32 === again.uint32 && Object.keys(value as object).length === 1;
}
