import type { Reading } from './dataset.ts';
import { openText, type TableText } from './table-text.ts';

/** Returns the unparsed cells of an example, by its number in the data; null: there is no such row. */
export async function rawRow(
  text: TableText,
  name: string,
  row: number,
  reading: Reading = {},
): Promise<readonly { readonly name: string; readonly cell: string }[] | null> {
  const { rows: read, columns } = await openText(text, name, { reading });
  let first = 0;
  for await (const rows of read(false)) {
    const found = rows[row - first];
    if (found !== undefined) return columns.map((column, c) => ({ name: column.name, cell: found.cells[c] ?? '' }));
    first += rows.length;
  }
  return null;
}
