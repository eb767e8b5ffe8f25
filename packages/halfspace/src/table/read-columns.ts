import { similarNote } from '../features/class-names.ts';
import type { FeatureOptions } from '../features/feature-options.ts';
import { expectedCell } from '../features/table-cell.ts';
import type { ColumnCells, WordCells } from '../features/table-chunk.ts';
import type { LeftOutColumn, TableEncoding } from '../features/table-encoding.ts';
import { chooseColumns, saidMissing } from './columns.ts';
import { readTables } from './fit.ts';
import type { ReadAs } from './kinds.ts';
import { leakNotes } from './leaks.ts';
import type { CellFault, Identity, RowSink } from './reading.ts';
import type { ScannedChunk, Table } from './table.ts';

/** Keeps all cells of a table in memory. */
class MemoryColumns implements RowSink {
  readonly #columns: readonly Cells[];
  readonly #label = new Cells(false);
  readonly #leftOut = new Set<number>();

  /** @param isText true for columns of text. */
  constructor(isText: readonly boolean[]) {
    this.#columns = isText.map((text) => new Cells(text));
  }

  take({ rows, columns, label }: ScannedChunk): void {
    columns.forEach((cells, c) => {
      if (!this.#leftOut.has(c)) this.#columns[c]!.append(cells!, rows);
    });
    this.#label.append(label!, rows);
  }

  leaveOut(column: number): void {
    this.#leftOut.add(column);
  }

  close(): void {}

  get label(): WordCells {
    return this.#label.all() as WordCells;
  }

  /** Returns the cells of a column; null: it has too many different words to be a category. */
  cells(column: number): ColumnCells | null {
    return this.#leftOut.has(column) ? null : this.#columns[column]!.all();
  }
}

/** The cells of one column. */
class Cells {
  readonly #isText: boolean;
  #items: Float64Array | Uint32Array = new Float64Array(0);
  #words: (string | null)[] = [];
  #rows = 0;

  constructor(isText: boolean) {
    this.#isText = isText;
  }

  append(cells: ColumnCells, rows: number): void {
    const items = cells instanceof Float64Array ? cells : cells.codes;
    if (this.#rows + rows > this.#items.length) {
      const Items = cells instanceof Float64Array ? Float64Array : Uint32Array;
      const grown = new Items(Math.max(1024, 2 * (this.#rows + rows)));
      grown.set(this.#items.subarray(0, this.#rows));
      this.#items = grown;
    }
    if (cells instanceof Float64Array || !this.#isText) this.#items.set(items.subarray(0, rows), this.#rows);
    // Words of text come with every chunk, and in its order.
    else for (let i = 0; i < rows; i++) this.#items[this.#rows + i] = this.#words.push(cells.words[items[i]!]!) - 1;
    if (!(cells instanceof Float64Array) && !this.#isText) this.#words = cells.words as (string | null)[];
    this.#rows += rows;
  }

  all(): ColumnCells {
    const items = this.#items.subarray(0, this.#rows);
    return items instanceof Float64Array ? items : { codes: items, words: this.#words };
  }
}

/** Options of {@link readColumns}. */
interface ReadColumnsOptions {
  /** Name of the label column. */
  readonly label: string;
  readonly features: FeatureOptions;
  /** Further words for a missing value, `none`, and `COLUMN=none`, as the command takes them. */
  readonly missing?: readonly string[] | undefined;
}

/** A column in memory. */
interface ReadColumn extends ReadAs {
  readonly name: string;
  /** Null: the column has too many different words to be a category. */
  readonly cells: ColumnCells | null;
  /** Set if the column names the rows. */
  readonly identity?: Identity | undefined;
}

/** The cells of a table in memory. */
export interface TableColumns {
  readonly rows: number;
  /** Columns that may become features. None: the table was not read. */
  readonly columns: readonly ReadColumn[];
  /** Columns that the options leave out. */
  readonly dropped: readonly LeftOutColumn[];
  readonly label: { readonly column: string; readonly cells: WordCells; readonly counts: ReadonlyMap<string, number> };
  /** Words that are missing values, or are none. Absent: the usual ones. */
  readonly words: Pick<TableEncoding, 'missing' | 'notMissing'>;
  /** Notes on the cells; those on the text are the table's. */
  readonly notes: readonly string[];
}

/** The first cell that cannot be read, and the words for what was expected; null for a label. */
type ReadFault = CellFault & { readonly expected: string | null };

/**
 * Reads a whole table into memory, with the kinds, doubles and classes that training finds.
 * @returns the cells, or the first cell that cannot be read.
 * @throws HalfspaceError `column-unknown`, `row-malformed`, and what the table throws.
 */
export async function readColumns(
  table: Table,
  { label, features, missing }: ReadColumnsOptions,
): Promise<TableColumns | { readonly fault: ReadFault }> {
  const chosen = chooseColumns([table], { label, features, ...saidMissing(missing) });
  const begin = (readings: readonly ReadAs[]) =>
    new MemoryColumns(readings.map(({ kind }) => kind === 'text' || kind === 'set'));
  const { candidates, leftOut: dropped } = chosen;
  const words = {
    ...(chosen.missing === undefined ? {} : { missing: chosen.missing }),
    ...(chosen.notMissing === undefined ? {} : { notMissing: chosen.notMissing }),
  };
  if (candidates.length === 0) {
    const none = { codes: new Uint32Array(0), words: [] };
    return {
      rows: 0,
      columns: [],
      dropped,
      label: { column: label, cells: none, counts: new Map() },
      words,
      notes: [],
    };
  }
  const { reading, sink } = await readTables([table], chosen, { tolerant: false }, begin);
  const { fault, rows } = reading;
  if (fault !== null)
    return { fault: { ...fault, expected: fault.kind && expectedCell(fault.kind, fault.cell, fault.form) } };
  const counts = reading.labelCounts();
  const similar = similarNote([...counts.keys()], counts, 'correct the table if they are one class');
  const identities = reading.identities();
  const left = new Set(identities.map(({ column }) => candidates[column]!.name));
  const found = [...reading.notes(), ...leakNotes(reading.leaks((name) => !left.has(name)))];
  return {
    rows,
    columns: candidates.map(({ name }, c) => ({
      name,
      ...reading.readings[c]!,
      cells: sink.cells(c),
      identity: identities.find(({ column }) => column === c),
    })),
    dropped,
    label: { column: label, cells: sink.label, counts },
    words,
    notes: similar === null ? found : [...found, similar],
  };
}
