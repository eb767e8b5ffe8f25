import { blobContent } from '../data/input/pieces.ts';
import { givenDialect } from './dialect.ts';
import { readHead, type TableHead } from './head.ts';
import { openJsonTable } from './json/table.ts';
import type { RowTable } from './row-scan.ts';
import type { DelimitedOptions } from './source-options.ts';
import { openTextTable, type TextTable } from './text-table.ts';
import { characterEncoding, transcoded } from './transcode.ts';

/** Options of {@link openBlob}: form of delimited text, and of the file. */
interface BlobOptions extends DelimitedOptions {
  readonly format: 'csv' | 'tsv' | 'json' | 'ndjson';
  /** True if the first line holds the names. Default: guessed from the first lines. */
  readonly header?: boolean | undefined;
  /** Character encoding, by any name of the Encoding standard. Default: as the text shows. */
  readonly encoding?: string | undefined;
  /** Called with the beginning of the text. May throw. */
  readonly onHead?: ((head: TableHead) => void) | undefined;
  /** Called with each piece of a scan. May throw, which ends the scan. */
  readonly onPiece?: ((piece: Uint8Array) => void) | undefined;
}

/** A table of a page's file. Delimited text has a `layout`. */
export type BlobTable = RowTable & Partial<Pick<TextTable, 'layout'>>;

/**
 * Opens a file of a page as a table, also the only file of a ZIP archive. Each scan reads it again.
 *
 * @param name for messages.
 * @throws HalfspaceError `source-unreadable`, `source-empty`, `source-corrupt`, `row-malformed`, `option-invalid`.
 */
export async function openBlob(blob: Blob, name: string, options: BlobOptions): Promise<BlobTable> {
  const { format, header, encoding: label, onHead, onPiece, ...form } = options;
  const encoding = characterEncoding(label);
  const notes: string[] = [];
  const onFound = (note: string) => notes.push(note);
  const head = await readHead(transcoded(blobContent(blob, 'the file'), name, { encoding, onFound }), name);
  onHead?.(head);
  const open = () => transcoded(seen(blobContent(blob, 'the file'), onPiece), name, { encoding });
  const table =
    format === 'json' || format === 'ndjson'
      ? await openJsonTable(name, head, open, { format, tolerant: false })
      : await openTextTable(name, head, open, { tabs: format === 'tsv', header, given: givenDialect(form) });
  return { ...table, notes: [...notes, ...table.notes] };
}

async function* seen(pieces: AsyncIterable<Uint8Array>, onPiece: BlobOptions['onPiece']): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    onPiece?.(piece);
    yield piece;
  }
}
