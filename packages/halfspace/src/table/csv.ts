import type { ExampleSource } from '../data/source.ts';
import { HalfspaceError } from '../errors.ts';
import { checkOptionNames, type OptionNames } from '../features/option-names.ts';
import type { TableEncoding } from '../features/table-encoding.ts';
import { readHead } from './head.ts';
import { type OpenTablesOptions, openTables } from './open.ts';
import { openTextTable } from './text-table.ts';

/** Delimited text: text, bytes in UTF-8, a `Blob` or `File`, or pieces of text or bytes as they arrive. */
export type TextInput = string | Uint8Array | Blob | AsyncIterable<string | Uint8Array>;

export interface CsvOptions
  extends Pick<OpenTablesOptions, 'label' | 'positive' | 'scale' | 'features' | 'holdout' | 'header' | 'encoding'> {
  /** `csv` (default): the delimiter is guessed from the first lines; `tsv`: it is the tab. */
  readonly format?: 'csv' | 'tsv' | undefined;
  /** Name of the text in messages. Default: the file's name, else `text`. */
  readonly name?: string | undefined;
}

const csvOptionNames: OptionNames<CsvOptions> = {
  label: true,
  positive: true,
  scale: true,
  features: true,
  holdout: true,
  format: true,
  header: true,
  encoding: true,
  name: true,
};

/** Examples from delimited text. */
export interface CsvSource extends ExampleSource {
  encoding(): TableEncoding;
  /** Notes for the user about how the text is read; complete after a scan. */
  readonly notes: readonly string[];
}

/**
 * Makes a source of examples from delimited text. Without an encoding it reads all rows now, to fit one, as the command
 * `halfspace train` does: the same text and options give the same model file. Input in pieces is kept in memory; a
 * `Blob` is read twice instead.
 *
 * @throws HalfspaceError with the place of the first fault: `source-empty`, `source-corrupt`, `row-malformed`,
 *   `number-invalid`, `label-missing`, `label-classes`, `column-unknown`, `option-invalid`.
 */
export async function csvSource(input: TextInput, options: CsvOptions = {}): Promise<CsvSource> {
  checkOptionNames(options, csvOptionNames, 'csvSource');
  const { format = 'csv', header, encoding, name = nameOf(input) } = options;
  const blob = await blobOf(input);
  const open = () => blobPieces(blob, name);
  const head = await readHead(open(), name);
  const known = header ?? encoding?.header ?? undefined;
  const table = await openTextTable(name, head, open, { tabs: format === 'tsv', header: known, encoding });
  return openTables([table], name, { ...options, format });
}

function nameOf(input: TextInput): string {
  const { name } = input as { readonly name?: unknown };
  return typeof name === 'string' ? name : 'text';
}

async function blobOf(input: TextInput): Promise<Blob> {
  if (input instanceof Blob) return input;
  if (typeof input === 'string' || ArrayBuffer.isView(input)) return new Blob([input as BlobPart]);
  const parts: BlobPart[] = [];
  for await (const piece of input) {
    const last = parts.at(-1);
    // A surrogate pair may be cut in two.
    if (typeof piece === 'string' && typeof last === 'string') parts[parts.length - 1] = last + piece;
    else parts.push(typeof piece === 'string' ? piece : piece.slice());
  }
  return new Blob(parts);
}

/** Number of bytes per read. */
const pieceBytes = 1 << 18;

/** Yields the bytes of a blob. @throws HalfspaceError `source-unreadable`. */
export async function* blobPieces(blob: Blob, source: string): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < blob.size; at += pieceBytes) {
    const piece = blob.slice(at, at + pieceBytes);
    yield await piece.arrayBuffer().then(
      (bytes) => new Uint8Array(bytes),
      () => Promise.reject(changed(source)),
    );
  }
}

function changed(source: string): HalfspaceError {
  return new HalfspaceError(
    'source-unreadable',
    'expected a file as it was opened; got one that was changed or moved',
    {
      source,
    },
  );
}
