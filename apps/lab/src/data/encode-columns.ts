import { HalfspaceError, type TableEncoding } from 'halfspace';
import type { StoredBatch } from 'halfspace/rules';
import { chooseClasses, encodeColumns, fitColumns, listed } from 'halfspace/tables';
import { batchRows, checkColumns } from './encode-points.ts';
import type { EncodingOptions } from './read.ts';
import type { ReadTable } from './read-table.ts';

/** Fits the encoding that the command fits to the same table. @throws HalfspaceError with a message for the user. */
export function fitEncoding(table: ReadTable, options: EncodingOptions): TableEncoding {
  const { format, header, positive } = table;
  const label = classesOf(table);
  const encoding = fitColumns(table, { ...options, format, header, label, positive: positive ?? undefined });
  checkColumns(encoding, 'Choose other columns.');
  return encoding;
}

function classesOf({ label, positive }: ReadTable) {
  try {
    return chooseClasses(label.column, label.counts, positive ?? undefined);
  } catch (error) {
    if (!(error instanceof HalfspaceError) || error.code !== 'option-invalid') throw error;
    throw new HalfspaceError(
      'option-invalid',
      `The column “${label.column}” has no class “${positive}”. Choose one of: ${listed([...label.counts.keys()])}.`,
    );
  }
}

/** Encodes a table of two classes. */
export function encodeTable(table: ReadTable, encoding: TableEncoding): StoredBatch[] {
  return encodeColumns(table, encoding, batchRows);
}
