import { blobPieces } from '../../src/data/input/pieces.ts';
import { readHead } from '../../src/table/head.ts';
import { FieldTypes, type Row, rowsTable } from '../../src/table/object-table.ts';
import { openTables } from '../../src/table/open.ts';
import { openTextTable } from '../../src/table/text-table.ts';
import { WordList } from '../../src/table/words.ts';
import { conformTables, csvOf } from './conformance.ts';

const library = { openTables, list: () => new WordList() };

async function openText(text: string | Uint8Array, tabs = false) {
  const open = () => blobPieces(new Blob([text as BlobPart]), 'text');
  return openTextTable('text', await readHead(open(), 'text'), open, { tabs });
}

conformTables('delimited text', { ...library, openText, open: (names, rows) => openText(csvOf(names, rows)) });

conformTables('plain objects', {
  ...library,
  open: async (names, rows) => {
    const objects = rows.map((cells): Row => Object.fromEntries(cells.map((cell, c) => [names[c]!, cell])));
    const types = new FieldTypes('rows');
    for (const row of objects) types.add(row);
    return rowsTable({
      name: 'rows',
      types,
      derived: null,
      structures: new Set(),
      pieces: () => [{ rows: objects, labels: null }],
    });
  },
});
