import { HalfspaceError } from '../../errors.ts';
import type { WordCells } from '../../features/table-chunk.ts';
import { csvCell } from '../../table/cells.ts';
import { isReadable, type Table, type Wanted } from '../../table/table.ts';
import { WordList } from '../../table/words.ts';
import { temporaryCopy } from '../temporary.ts';

/**
 * Writes the rows of all tables as one CSV file with a header, for readers of that format only, and returns its path.
 * Numbers are written so that the same doubles are read again; nested columns and lists of numbers are left out. The
 * file is removed when the process ends.
 *
 * @throws HalfspaceError as reading does, and `column-unknown` for tables that differ in their columns.
 */
export async function writeCsv(tables: readonly Table[]): Promise<{ path: string; notes: readonly string[] }> {
  const columns = tables[0]!.columns.filter((column) => isReadable(column) && column.type !== 'numbers');
  const left = tables[0]!.columns.filter((column) => !columns.includes(column)).map(({ name }) => name);
  const names = columns.map(({ name }) => name);
  const { file: path } = await temporaryCopy(csvOf(tables, names), 'table.csv');
  return { path, notes: left.length === 0 ? [] : [`left out, as no cell of CSV holds them: ${left.join(', ')}`] };
}

async function* csvOf(tables: readonly Table[], names: readonly string[]): AsyncGenerator<string> {
  yield `${names.map(csvCell).join(',')}\n`;
  for (const table of tables) {
    const own = new Map(table.columns.map((column) => [column.name, column]));
    const wanted = names.map((name): Wanted => {
      const column = own.get(name);
      if (column === undefined)
        throw new HalfspaceError('column-unknown', `expected a column named ${JSON.stringify(name)}`, {
          source: table.name,
        });
      return { column, kind: 'text', list: new WordList() };
    });
    for await (const { rows, columns } of table.scan(wanted, null, { tolerant: false }).chunks()) {
      let text = '';
      for (let i = 0; i < rows; i++)
        // Some readers skip a blank line.
        text += `${columns.map((cells) => csvCell(wordOf(cells as WordCells, i))).join(',') || '""'}\n`;
      yield text;
    }
  }
}

function wordOf({ codes, words }: WordCells, row: number): string {
  return words[codes[row]!] ?? '';
}
