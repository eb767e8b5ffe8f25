import { HalfspaceError, type Model, type RawRow } from 'halfspace';
import {
  BatchView,
  type CarriedRows,
  type Carry,
  cellForm,
  type FeatureEncoding,
  keepsWords,
  type MeasuredColumn,
  type TableColumn,
  type TableEncoding,
  unlessMissing,
  valueCell,
  valueText,
  wordReader,
} from 'halfspace/internal';
import type { Input } from '../data/opened.ts';

/** A row as `Predictor` takes it. The cells of a table are text, as in DATA; null: no value. */
export type AskedRow = RawRow;
type Cells = Readonly<Record<string, string | null>>;

/** Names the columns of which {@link askedRows} makes rows, and keeps the cells that come with a batch. */
export class CarriedCells implements Carry {
  readonly names: readonly string[];
  rows: CarriedRows | null = null;

  constructor({ features }: Model) {
    this.names = features.kind === 'table' ? features.columns.map(({ name }) => name) : [];
  }

  readonly take = (rows: CarriedRows): void => {
    this.rows = rows;
  };
}

/** Number of rows that are asked at once: a database plans its query once for them. */
const rowsAtOnce = 8192;

/** Yields the rows of DATA, some thousands at once. @param cells given to the input as `carry`. */
export async function* askedRows(
  { features }: Model,
  { source }: Input,
  cells: CarriedCells,
): AsyncGenerator<readonly AskedRow[]> {
  let rows: AskedRow[] = [];
  for await (const batch of source.batches()) {
    const view = new BatchView(batch);
    for (let i = 0; i < batch.rows; i++)
      rows.push(
        features.kind === 'table'
          ? Object.fromEntries(cells.names.map((name, c) => [name, cells.rows!.cell(c, i)]))
          : numbersOf(view.open(i), features),
      );
    if (rows.length < rowsAtOnce) continue;
    yield rows;
    rows = [];
  }
  if (rows.length > 0) yield rows;
}

function numbersOf(row: BatchView, features: Exclude<FeatureEncoding, { kind: 'table' }>): AskedRow {
  const places = Array.from({ length: row.count }, (_, k) => row.feature(k));
  const values = places.map((_, k) => row.value(k));
  switch (features.kind) {
    case 'indexed': {
      const { far } = features;
      const indexOf = (j: number) => (far === undefined || j < far.direct ? j : far.indices[j - far.direct]!);
      return { indices: places.map(indexOf), values };
    }
    case 'named':
      return Object.fromEntries(places.map((j, k) => [features.names[j]!, values[k]!]));
    case 'hashed':
      throw new HalfspaceError('option-invalid', 'expected features with names or numbers; got hashed text');
  }
}

/** Returns a function that reads a cell of a column: a double, NaN for a missing value, or the text of a category. */
export function cellReader(column: TableColumn, encoding: TableEncoding): (row: AskedRow) => number | string | null {
  const { name, kind } = column;
  const form = cellForm(column);
  const read = form === undefined ? undefined : wordReader(kind as MeasuredColumn['kind'], form);
  return (row) => {
    const value = unlessMissing((row as Cells)[name], encoding.missing, keepsWords(encoding, name));
    return kind === 'category' || kind === 'text' ? valueText(value, name) : valueCell(kind, value, read);
  };
}
