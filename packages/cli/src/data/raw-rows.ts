import { readFileSync, statSync } from 'node:fs';
import type { FeatureEncoding } from 'halfspace';
import type { Format } from '../files/formats.ts';

/** Maximum size of a file that is read again for a few lines. */
const mostBytes = 256 * 1024 * 1024;

/**
 * Returns a function that returns the text of a row, by number from 1. Returns null unless each row is one line: the
 * data must be one uncompressed file with as many lines as rows.
 */
export function rawRows(
  data: readonly string[],
  format: Format | 'sql',
  features: FeatureEncoding,
  rows: number,
): ((row: number) => string) | null {
  const [path] = data;
  if (data.length !== 1 || path === undefined || path === '-' || /\.(gz|zst|zip)$/i.test(path)) return null;
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
