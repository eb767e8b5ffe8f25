import type { FeatureEncoding } from 'halfspace';
import { HalfspaceError, type Model, type RawRow } from 'halfspace';
import { quote } from 'halfspace/checks';
import { BatchView } from 'halfspace/rules';
import type { CarriedRows, Carry, Input } from '../data/opened.ts';

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

/** A row that DATA may lack, with words that name it. */
export interface MadeRow {
  readonly row: AskedRow;
  readonly name: string;
}

/**
 * Yields the rows that show if a program knows all levels as the model does: a row of DATA with each level of each
 * category in turn, with one that is not listed, and with no value; of features with names, a row for each of them.
 */
export function* madeRows({ features }: Model, row: AskedRow): Generator<MadeRow> {
  if (features.kind === 'named')
    for (const name of features.names) yield { row: { [name]: 1 }, name: `the made row with ${quote(name)}` };
  if (features.kind !== 'table') return;
  for (const column of features.columns) {
    const { name } = column;
    const levels = 'levels' in column ? [...column.levels, unlisted(column.levels)] : [];
    for (const cell of [...levels, null])
      yield {
        row: { ...(row as Cells), [name]: cell },
        name: `the made row with ${cell === null ? 'no value' : quote(cell)} in column ${quote(name)}`,
      };
  }
}

function unlisted(levels: readonly string[]): string {
  let level = 'unlisted';
  while (levels.includes(level)) level += '-';
  return level;
}

/** Yields items in lists of {@link rowsAtOnce}; the last one may be shorter. */
export function* inLists<T>(items: Iterable<T>): Generator<readonly T[]> {
  let list: T[] = [];
  for (const item of items) {
    list.push(item);
    if (list.length < rowsAtOnce) continue;
    yield list;
    list = [];
  }
  if (list.length > 0) yield list;
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
