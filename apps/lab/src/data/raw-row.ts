import Papa from 'papaparse';

/** The cells of an example as they came, by its number in the data. Null where there is no such row. */
export function rawRow(text: string, row: number): readonly { readonly name: string; readonly cell: string }[] | null {
  const { data } = Papa.parse<string[]>(text, { skipEmptyLines: 'greedy', preview: row + 2 });
  const [names, cells] = [data[0], data[row + 1]];
  if (names === undefined || cells === undefined) return null;
  return names.map((name, k) => ({ name, cell: cells[k] ?? '' }));
}
