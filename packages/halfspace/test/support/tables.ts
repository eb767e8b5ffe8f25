import type { Batch } from '../../src/batch.ts';
import type { OpenSourceOptions } from '../../src/data/source.ts';
import { TableEncoder } from '../../src/features/encode-table.ts';
import { type FitColumn, TableFitter, type TableFitterOptions } from '../../src/features/fit-table.ts';
import { parseEncoding } from '../../src/features/parse-encoding.ts';
import type { ColumnCells } from '../../src/features/table-chunk.ts';
import type { TableEncoding } from '../../src/features/table-encoding.ts';
import { createKernels } from '../../src/kernels/load.ts';
import type { Row } from '../../src/table/object-table.ts';
import { type RowsOptions, rows } from '../../src/table/rows.ts';
import type { TableSource } from '../../src/table/source.ts';

const label = { column: 'the label', type: 'text', classes: ['a', 'b'], positive: 'b', negative: 'a' } as const;
export const restOfEncoding = { format: 'rows', header: null, scale: 'standard', label, leftOut: [] } as const;

/** Words in order of appearance, in a new list for every chunk. */
export function words(cells: readonly (string | null)[]): ColumnCells {
  return { codes: Uint32Array.from(cells, (_, i) => i), words: cells };
}

/** The encoding of columns given as text, read at once or in chunks of `size` rows. */
export function fitted(
  columns: readonly FitColumn[],
  cells: readonly (readonly (string | null)[])[],
  options: TableFitterOptions & { size?: number } = {},
): TableEncoding {
  const rows = cells[0]!.length;
  const fitter = new TableFitter(columns, options);
  const size = options.size ?? rows;
  for (let i = 0; i < rows; i += size) {
    const part = cells.map((column) => words(column.slice(i, i + size)));
    fitter.observe({ rows: Math.min(size, rows - i), columns: part });
  }
  return fitter.encoding(restOfEncoding);
}

/** Row i of the columns of an encoding, as a batch of all rows has it: its features that are not 0. */
export function encodedColumns(
  encoding: TableEncoding,
  columns: readonly FitColumn[],
  cells: readonly (readonly (string | null)[])[],
): [index: number, value: number][][] {
  const of = (name: string) => words(cells[columns.findIndex((column) => column.name === name)]!);
  const rows = cells[0]!.length;
  const batch: Batch = new TableEncoder(encoding).encodeColumns({
    rows,
    columns: encoding.columns.map(({ name }) => of(name)),
  });
  return Array.from({ length: rows }, (_, i) => {
    if (batch.kind === 'dense') {
      const row = batch.values.subarray(i * batch.dimension, (i + 1) * batch.dimension);
      return [...row].flatMap((value, j) => (value === 0 ? [] : [[j, value] as [number, number]]));
    }
    return Array.from(
      { length: batch.offsets[i + 1]! - batch.offsets[i]! },
      (_, k) => [batch.indices[batch.offsets[i]! + k]!, batch.values[batch.offsets[i]! + k]!] as [number, number],
    );
  });
}

/** The same row given as an object. */
export function encodedObject(
  encoding: TableEncoding,
  columns: readonly FitColumn[],
  cells: readonly (readonly (string | null)[])[],
  i: number,
): [index: number, value: number][] {
  const row = Object.fromEntries(columns.map(({ name }, c) => [name, cells[c]![i]]));
  const features: [number, number][] = [];
  new TableEncoder(encoding).eachFeature(row, (index, value) => {
    if (value !== 0) features.push([index, value]);
  });
  return features;
}

/** Reads the encoding of a table from JSON. */
export function parseTableEncoding(value: unknown): TableEncoding {
  const encoding = parseEncoding(value);
  if (encoding.kind !== 'table') throw new TypeError(`expected a table; got ${encoding.kind}`);
  return encoding;
}

const kernels = createKernels();

/** Opens plain objects, for tests of what was read. */
export async function openedRows(
  list: readonly Row[],
  { encoding, holdout, ...options }: RowsOptions & Pick<OpenSourceOptions, 'encoding' | 'holdout'> = {},
): Promise<TableSource> {
  return (await rows(list, options).open({ kernels, encoding, holdout })) as TableSource;
}

/** Puts a value in the place to which a path leads: each number chooses a member, and the last one is replaced. */
export function changeAt(
  body: object,
  path: readonly number[],
  value: unknown,
  untouched: readonly string[] = [],
): void {
  let place = body as Record<string, unknown>;
  for (const [depth, step] of path.entries()) {
    const keys = Object.keys(place).filter((key) => !untouched.includes(key));
    if (keys.length === 0) return;
    const key = keys[step % keys.length]!;
    const next = place[key];
    if (depth === path.length - 1 || typeof next !== 'object' || next === null) {
      place[key] = structuredClone(value);
      return;
    }
    place = next as Record<string, unknown>;
  }
}
