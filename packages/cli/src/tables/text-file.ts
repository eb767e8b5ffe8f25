import {
  type BagEvidence,
  type KnownNames,
  openJsonTable,
  openTextTable,
  type RowTable,
  type TextTableOptions,
} from 'halfspace/internal/tables';
import { readFileHead } from './file-head.ts';
import { bytesOf, type TableFile } from './text-pieces.ts';

/**
 * Opens a file of delimited text.
 * @throws HalfspaceError `source-unreadable`, `source-empty`, `source-corrupt`, `row-malformed`.
 */
export async function openTextFile(file: TableFile, options: TextTableOptions): Promise<RowTable> {
  const head = await readFileHead(file);
  const table = await openTextTable(file.name, head, () => bytesOf(file), options);
  return { ...table, notes: [...head.encodingNotes, ...table.notes] };
}

/**
 * Opens a file of JSON: a list of objects, one object per line, or objects one after the other.
 *
 * @param known columns of a model. Default: all keys of all objects, found by a scan of the whole file.
 * @param tolerant true: bad rows are allowed.
 * @param evidence collects if the rows are bags of features.
 * @throws HalfspaceError `source-unreadable`, `source-empty`, `source-corrupt`, `row-malformed`.
 */
export async function openJsonFile(
  file: TableFile,
  format: 'json' | 'ndjson',
  tolerant: boolean,
  known?: KnownNames,
  evidence?: BagEvidence,
): Promise<RowTable> {
  const head = await readFileHead(file);
  const table = await openJsonTable(file.name, head, () => bytesOf(file), { format, tolerant, known, evidence });
  return { ...table, notes: [...head.encodingNotes, ...table.notes] };
}
