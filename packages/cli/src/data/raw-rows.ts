import { readFileSync, statSync } from 'node:fs';
import type { FeatureEncoding } from 'halfspace';
import type { Format } from '../files/formats.ts';

/** Larger files are not read again for the sake of a few lines. */
const mostBytes = 256 * 1024 * 1024;

/**
 * The rows of a text file as they stand there, by number from 1; null unless it is plain that each row is one line: one uncompressed
 * file with as many lines as there are rows.
 */
export function rawRows(
  data: readonly string[],
  format: Format | 'sql',
  features: FeatureEncoding,
  rows: number,
): ((row: number) => string) | null {
  const [path] = data;
  if (data.length !== 1 || path === undefined || path === '-' || /\.(gz|zst)$/i.test(path)) return null;
  if (!['csv', 'tsv', 'ndjson', 'libsvm', 'vw'].includes(format)) return null;
  const status = statSync(path, { throwIfNoEntry: false });
  if (status === undefined || !status.isFile() || status.size > mostBytes) return null;
  const isComment = format === 'libsvm' ? /^\s*(#|$)/ : /^\s*$/;
  const lines = readFileSync(path, 'utf8')
    .split(/\r?\n/)
    .filter((line) => !isComment.test(line));
  const first = features.kind === 'table' && features.header === true ? 1 : 0;
  return lines.length - first === rows ? (row) => lines[row - 1 + first]! : null;
}
