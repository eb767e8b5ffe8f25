import { type ExampleSource, HalfspaceError, type Row, rowsSource, type TableEncoding } from 'halfspace';
import Papa from 'papaparse';
import { type Dataset, pointLabel, pointsToCsv } from './dataset.ts';

/** A dataset read into rows, with the encoding that a command would fit to the same text. */
export interface ReadTable {
  readonly rows: readonly Row[];
  readonly encoding: TableEncoding;
  readonly notes: readonly string[];
}

/** Reads a dataset as `halfspace train` reads its CSV. @throws HalfspaceError with a sentence for a person. */
export function readDataset(dataset: Dataset): ReadTable {
  const table =
    dataset.kind === 'points'
      ? {
          text: pointsToCsv(dataset),
          label: pointLabel.column,
          positive: pointLabel.positive,
          columns: null,
          scale: 'none' as const,
        }
      : dataset;
  const parsed = Papa.parse<Record<string, string>>(table.text, { header: true, skipEmptyLines: 'greedy' });
  const rows = parsed.data;
  if (rows.length === 0) throw new HalfspaceError('source-empty', 'expected rows under a header; got none');
  const dropped = (parsed.meta.fields ?? []).filter(
    (name) => table.columns !== null && name !== table.label && !table.columns.includes(name),
  );
  const fitted = rowsSource(rows, {
    label: table.label,
    ...(table.positive === null ? {} : { positive: table.positive }),
    scale: table.scale,
    features: { columns: Object.fromEntries(dropped.map((name) => [name, { kind: 'drop' as const }])) },
  }).encoding() as TableEncoding;
  return { rows, encoding: { ...fitted, format: 'csv', header: true }, notes: [] };
}

export function sourceOf({ rows, encoding }: ReadTable): ExampleSource {
  return rowsSource(rows, { label: encoding.label.column, encoding });
}
