import { isZip } from '../../data/zip.ts';
import { HalfspaceError } from '../../errors.ts';
import { headText } from '../../table/head.ts';
import { jsonLayout } from '../../table/json/table.ts';
import { findShape } from '../../table/shapes/find.ts';
import { transcoded } from '../../table/transcode.ts';

/** Guesses the format from the first bytes of the data, for names that do not show it. */
export function guessFormat(head: Uint8Array): 'csv' | 'tsv' | 'json' | 'ndjson' | 'parquet' | 'libsvm' | 'vw' {
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
 * Refuses other files than tables by their beginning, before a pipe is copied for readers that read twice.
 * @throws HalfspaceError `source-corrupt`.
 */
export async function checkTableHead(
  head: Uint8Array,
  format: string,
  source: string,
  encoding: string | null,
): Promise<void> {
  if (format === 'parquet') {
    if (head.length > 0 && Buffer.from(head.subarray(0, 4)).toString('latin1') !== 'PAR1')
      throw new HalfspaceError('source-corrupt', 'expected a Parquet file; got another file', { source });
    return;
  }
  // One piece of text: after it, the beginning may end within a character. Bytes that are no UTF-8 are told later.
  for await (const bytes of transcoded(once(head), source, { encoding })) {
    const readable = new TextEncoder().encode(new TextDecoder().decode(bytes));
    const text = headText({ bytes: readable, whole: false }, source).trimStart();
    if (text !== '' && (format === 'json' || format === 'ndjson')) jsonLayout(text, false, format, source);
    return;
  }
}

async function* once(piece: Uint8Array): AsyncGenerator<Uint8Array> {
  yield piece;
}
