import { HalfspaceError } from 'halfspace';
import { type BlobTable, openBlob } from 'halfspace/tables';
import type { Reading } from './dataset.ts';

/** The text of a table: pasted text, or a file, which is read piece by piece. */
export type TableText = string | Blob;

export interface ReadOptions {
  readonly signal?: AbortSignal | undefined;
  /** Called with the share of the text that has been read, in [0, 1]. */
  readonly onProgress?: ((share: number) => void) | undefined;
  readonly reading?: Reading | undefined;
}

/** Maximum number of columns of a table in the page. */
const mostColumns = 20_000;

/** Returns the format of a table by its file's name, as the command does. */
export function formatOf(file: string): 'csv' | 'tsv' | 'json' | 'ndjson' {
  const name = file.replace(/\.zip$/i, '');
  if (/\.json$/i.test(name)) return 'json';
  if (/\.(?:ndjson|jsonl)$/i.test(name)) return 'ndjson';
  return /\.(?:tsv|tab)$/i.test(name) ? 'tsv' : 'csv';
}

/**
 * Opens the text of a table. Scans read it again from its beginning, with the given options.
 * @throws HalfspaceError with a message for the user.
 */
export async function openText(text: TableText, name: string, options: ReadOptions = {}): Promise<BlobTable> {
  const { signal, onProgress, reading } = options;
  const blob = typeof text === 'string' ? new Blob([text]) : text;
  if (blob.size === 0) throw nothing();
  let read = 0;
  const table = await inSentences(() =>
    openBlob(blob, name, {
      ...reading,
      format: formatOf(name),
      onHead({ bytes, whole }) {
        if (whole && bytes.every((byte) => byte <= 0x20)) throw nothing();
        checkIsText(bytes);
      },
      onPiece({ length }) {
        if (signal?.aborted === true) throw new HalfspaceError('interrupted', 'Other data were opened meanwhile.');
        read += length;
        onProgress?.(Math.min(1, read / blob.size));
      },
    }),
  );
  const { length } = table.columns;
  if (length > mostColumns)
    throw new HalfspaceError(
      'row-malformed',
      `The first line has ${length.toLocaleString('en')} cells. The page takes tables of up to ${mostColumns.toLocaleString('en')} columns; for wider ones there is the command, halfspace train.`,
    );
  if (length < 2)
    throw new HalfspaceError(
      'row-malformed',
      'There is only one column. A table needs a column to predict and one to learn from, with a delimiter between them.',
    );
  return table;
}

function nothing(): HalfspaceError {
  return new HalfspaceError(
    'source-empty',
    'There is nothing in it. Give a table with a line of names and a row for each example.',
  );
}

const asUtf8 = 'Save the table as CSV in UTF-8';

function checkIsText([a, b, c, d]: Uint8Array): void {
  if (a === 0x1f && b === 0x8b)
    throw new HalfspaceError('source-corrupt', 'This is a gzip archive. Unpack it and open the CSV in it.');
  if (a === 0x50 && b === 0x4b && c === 3 && d === 4)
    throw new HalfspaceError(
      'source-corrupt',
      `This is an archive or a spreadsheet, not text. ${asUtf8} and open that.`,
    );
}

/** Advice to the reader for each error in a text. */
const advice = {
  'source-unreadable': 'Open it again.',
  'source-corrupt': `${asUtf8}, or name its encoding.`,
  'row-malformed':
    'Correct that line. A cell with a delimiter, a quotation mark or a line end in it needs quotation marks around it.',
} as const;

/** Runs a function, and turns the library's errors on the text of a table into sentences for the user. */
export async function inSentences<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof HalfspaceError) || error.where.source === undefined || !(error.code in advice)) throw error;
    const { source, ...place } = error.where;
    const fault = new HalfspaceError(
      error.code,
      // The advice below is that of the page, which has no flags.
      error.message.slice(error.message.indexOf(': ', source.length) + 2).replace(/; (?:encoding: |onReject ).*$/, ''),
      place,
    );
    throw new HalfspaceError(error.code, `${sentence(fault.message)} ${advice[error.code as keyof typeof advice]}`);
  }
}

/** Returns a note of the library as a sentence. */
export function sentence(remark: string): string {
  return `${remark[0]!.toUpperCase()}${remark.slice(1)}${/[.…]$/.test(remark) ? '' : '.'}`;
}
