import { type Check, check, checkRising, listOf, maybe, nullable, only, positive, shape, text } from '../../json.ts';
import { compareCodePoints, type NumberNotation } from '../table-encoding.ts';
import { isNumberWord } from './notation.ts';

const mostWords = 256;

/** Checks a word beside numbers. */
const word: Check<string> = (value, path) => {
  const word = text(value, path);
  check(isNumberWord(word), path, 'a word such as $ or %', word);
  return word;
};

const wordsInstead: Check<readonly string[]> = (value, path) => {
  const words = listOf(text, mostWords)(value, path);
  check(words.length > 0 && !words.includes(''), path, 'at least one word, or absent', value);
  checkRising(words, path, compareCodePoints);
  return words;
};

const notationShape = shape({
  decimal: only('.', ','),
  group: maybe(only('.', ',', ' ', "'")),
  unit: maybe(word),
  words: maybe((value, path) => {
    const words = listOf(shape({ text: word, factor: nullable(positive) }), mostWords)(value, path);
    check(words.length > 0, path, 'at least one word, or absent', 'none');
    checkRising(words, path, (a, b) => compareCodePoints(a.text, b.text));
    return words;
  }),
  levels: maybe(wordsInstead),
  missing: maybe(wordsInstead),
});

/** Checks the notation of a column's numbers. @throws HalfspaceError `model-invalid`. */
export function parseNotation(value: unknown, path: string): NumberNotation {
  const notation = notationShape(value, path);
  check(notation.group !== notation.decimal, `${path}.group`, 'another mark than the decimal one', notation.group);
  const { levels = [], missing } = notation;
  check(!levels.some((word) => missing?.includes(word)), `${path}.levels`, 'words that are not missing', levels);
  return notation;
}
