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

/**
 * Tests if the first bytes are enough for `guessFormat`, so that more bytes would not change its result.
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
