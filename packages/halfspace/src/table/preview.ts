import { chooseKind, tallyWords } from './kinds.ts';
import type { Table } from './table.ts';
import { WordCounts, WordList } from './words.ts';

/** A column of the first rows of a table. */
interface PreviewedColumn {
  readonly name: string;
  /** Its values with their numbers of rows. */
  readonly values: ReadonlyMap<string, number>;
  /** True if it is a number as a feature. */
  readonly isNumber: boolean;
}

/**
 * Reads the first rows of a table, with all cells as words.
 * @returns the columns, and the number of rows read; one more than `limit` if there are more.
 */
export async function previewColumns(
  table: Table,
  limit: number,
): Promise<{ readonly rows: number; readonly columns: readonly PreviewedColumn[] }> {
  const lists = table.columns.map(() => new WordList());
  const counts = table.columns.map(() => new WordCounts());
  let rows = 0;
  const wanted = table.columns.map((column, c) => ({ column, kind: 'category' as const, list: lists[c]! }));
  const scan = table.scan(wanted, null, { tolerant: true, limit: limit + 1 });
  for await (const chunk of scan.chunks()) {
    chunk.columns.forEach((cells, c) => {
      counts[c]!.add(cells, Math.min(chunk.rows, limit - rows));
      if (lists[c]!.full) scan.skipWords(c);
    });
    rows += chunk.rows;
  }
  const columns = table.columns.map(({ name, declared }, c) => {
    const { words } = lists[c]!;
    const kind = declared?.kind ?? chooseKind(tallyWords(words, counts[c]!.counts, { name }));
    return { name, values: counts[c]!.values(words), isNumber: kind === 'number' };
  });
  return { rows, columns };
}
