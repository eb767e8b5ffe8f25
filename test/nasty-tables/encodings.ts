import { encoded, wordsOfLanguages } from '../../packages/halfspace/test/table/encodings/words.ts';
import { type NastyTable, tablesOf } from './table.ts';

const { faultyTable, textTable } = tablesOf('encodings');
const latin = /German|French|Spanish|Portuguese|Danish|Czech|Polish|Hungarian|Turkish|Lithuanian/;

/** Words of a language beside numbers and a label: each word in two rows. */
function rowsOf(words: readonly string[]): { text: string; cells: readonly string[] } {
  const cells = [...words, ...words];
  return { text: cells.map((word, i) => `${word},${i / 4},${'ab'[i % 2]}\n`).join(''), cells };
}

/** Encodings that read the same bytes alike. */
const sameAs: Readonly<Record<string, string>> = {
  gbk: 'gb18030',
  'iso-8859-7': '(iso-8859-7|windows-1253)',
  'iso-8859-8': 'windows-1255',
  'iso-8859-2': '(iso-8859-2|windows-1250)',
  'iso-8859-13': '(iso-8859-13|windows-1257)',
  'iso-8859-15': '(latin1|iso-8859-15)',
  'windows-1252': '(latin1|windows-1252)',
};

/** A table whose words show its encoding, under names in ASCII or in the language. */
function shown(language: string, encoding: string, words: readonly string[], name: string): NastyTable {
  const { text, cells } = rowsOf(words);
  const title = `${language} in ${encoding}${name === 'word' ? '' : ', also the name'}`;
  const found = sameAs[encoding] ?? encoding;
  return textTable(title, encoded(`${name},n,y\n${text}`, encoding), {
    rows: cells.length,
    columns: {
      // Thai has no spaces between words.
      [name]: language === 'Thai' ? { kind: 'text' } : { kind: 'category', values: cells },
      n: { kind: 'number', values: cells.map((_, i) => i / 4) },
    },
    note: new RegExp(`is read as ${found}, as its words show.*--encoding`),
  });
}

/** A table in a language with Latin letters: several encodings make words of it, so the error names them. */
function doubtful(language: string, encoding: string, words: readonly string[]): NastyTable {
  const bytes = encoded(`word,n,y\n${rowsOf(words).text}`, encoding);
  // The lab has no option for the encoding.
  const fault = new RegExp(
    `expected UTF-8 text.*("${sameAs[encoding] ?? encoding}" reads|Save the table as CSV in UTF-8)`,
  );
  return faultyTable(`${language} in ${encoding}`, bytes, fault);
}

/** Encodings of the world: told by their words, or refused with the names of those that make words. */
export const encodingTables: readonly NastyTable[] = wordsOfLanguages.flatMap(({ language, encodings, words }) => {
  const some = words.slice(0, 24);
  if (latin.test(language)) return encodings.map((encoding) => doubtful(language, encoding, some));
  return encodings.flatMap((encoding) => [
    shown(language, encoding, some.slice(1), 'word'),
    shown(language, encoding, some.slice(1), some[0]!),
  ]);
});
