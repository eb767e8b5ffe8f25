import { isZip } from 'halfspace/internal';
import { findShape } from 'halfspace/internal/tables';
import { usage } from '../usage.ts';

/** The formats of DATA, by their names in `--format`. */
export const formats = ['csv', 'tsv', 'json', 'ndjson', 'parquet', 'libsvm', 'vw'] as const;
export type Format = (typeof formats)[number];

const byExtension: Readonly<Record<string, Format>> = {
  csv: 'csv',
  arff: 'csv',
  tsv: 'tsv',
  tab: 'tsv',
  json: 'json',
  ndjson: 'ndjson',
  jsonl: 'ndjson',
  parquet: 'parquet',
  svm: 'libsvm',
  libsvm: 'libsvm',
  svmlight: 'libsvm',
  vw: 'vw',
};

/** Returns the format by the ending of a file name before `.gz`, `.zst` or `.zip`; null: another ending. */
export function formatOfName(path: string): Format | null {
  const name = path.toLowerCase().replace(/\.(gz|zst|zip)$/, '');
  const extension = /\.([^./\\]+)$/.exec(name)?.[1];
  return extension !== undefined && Object.hasOwn(byExtension, extension) ? byExtension[extension]! : null;
}

/** Guesses the format from the first bytes of the data, for names that do not show it. */
export function guessFormat(head: Uint8Array): Format {
  const text = new TextDecoder().decode(head).replace(/^\uFEFF/, '');
  if (text.startsWith('PAR1')) return 'parquet';
  // The reader of tables tells how to unpack it.
  if (isZip(head)) return 'csv';
  if (hasShape(text)) return 'csv';
  const line = text.split(/\r?\n/).find((candidate) => /\S/.test(candidate) && !candidate.startsWith('#')) ?? '';
  const start = line.trimStart();
  if (start.startsWith('[')) return 'json';
  if (start.startsWith('{')) return 'ndjson';
  if (/^[+-]?[\d.][^\s:,]*(\s+\d+:\S+)+\s*(#.*)?$/.test(start) || /^\d+:\S+(\s+\d+:\S+)*\s*$/.test(start))
    return 'libsvm';
  if (isVowpalWabbit(text)) return 'vw';
  // Columns of blanks may end with a tab, before a cell in quotes.
  return line.includes('\t') && !/^\s*\S+ +\S+ .*\t/.test(line) ? 'tsv' : 'csv';
}

function hasShape(text: string): boolean {
  try {
    return findShape(text, { whole: false, source: '' }) !== null;
  } catch {
    // Reading it tells what is wrong.
    return true;
  }
}

/** Tests if text has features behind bars. A table has equally many bars in all lines, and no blank in the first. */
function isVowpalWabbit(text: string): boolean {
  const lines = text.split(/\r?\n/).filter((line) => /\S/.test(line) && !line.startsWith('#'));
  const [first = ''] = lines;
  if (!/^[^,;\t]*\|/.test(first)) return false;
  // The last line may be cut.
  const some = lines.slice(0, Math.max(2, lines.length - 1)).map((line) => line.split('|').length);
  return some.length < 2 || /\s/.test(first.trim()) || some.some((count) => count !== some[0]);
}

/**
 * Tests if the first bytes are enough for {@link guessFormat}, so that more bytes would not change its result.
 * For an archive the answer is always no.
 */
export function showsFormat(head: Uint8Array): boolean {
  if ((head[0] === 0x1f && head[1] === 0x8b) || (head[0] === 0x28 && head[1] === 0xb5)) return false;
  return /^[^\S\r\n]*[^\s#][^\r\n]*[\r\n]|^\s*[[{]/m.test(new TextDecoder().decode(head).replace(/^\uFEFF/, ''));
}

/** Tests if a format is a table with named columns. */
export function isTable(format: Format): boolean {
  return format !== 'libsvm' && format !== 'vw';
}

/**
 * Returns the common format of several files, or null.
 *
 * @throws HalfspaceError `option-invalid` for different formats.
 */
export function commonFormat(paths: readonly string[], given: (Format | null)[]): Format | null {
  const [first] = given;
  const other = given.findIndex((format) => format !== first);
  if (other > 0)
    throw usage(
      `DATA must be of one format; got ${first ?? 'an unknown one'} (${paths[0]}) and ${given[other] ?? 'an unknown one'} (${paths[other]})`,
    );
  return first ?? null;
}
