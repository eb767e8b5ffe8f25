import { layoutOf } from './read.ts';
import { readRecords, type TableText } from './table-text.ts';

/** The cells of an example as they came, by its number in the data. Null where there is no such row. */
export async function rawRow(
  text: TableText,
  name: string,
  row: number,
): Promise<readonly { readonly name: string; readonly cell: string }[] | null> {
  const { dialect, header } = await layoutOf(text, name);
  const wanted = row + (header.present ? 1 : 0);
  let found: readonly string[] | null = null;
  let record = 0;
  await readRecords(text, dialect, {
    limit: wanted + 1,
    onRecord(cells) {
      if (record++ === wanted) found = [...cells];
    },
  });
  if (found === null) return null;
  const cells: readonly string[] = found;
  return header.names.map((column, k) => ({ name: column, cell: cells[k] ?? '' }));
}
