import type { ColumnCells, WordCells } from 'halfspace';
import { temporarySpill } from 'halfspace/node';
import type { WordList } from './words.ts';

type Spill = ReturnType<typeof temporarySpill>;

/** Rows as they were read, before they are encoded. */
export interface RawChunk {
  readonly rows: number;
  readonly columns: readonly (ColumnCells | null)[];
  readonly label: WordCells;
}

/** The rows of a table whose encoding is known, to be read again. */
export interface StoredRows {
  /** In order. Arrays are valid until the next chunk is asked for. */
  chunks(): Iterable<RawChunk>;
  close(): void;
}

/** Cells of so many rows of all columns go to the file at once: few calls of the system, and a batch that a processor's cache holds. */
const blockCells = 32_768;

/**
 * The rows of a table, kept in a temporary file between learning its encoding and encoding them: reading doubles back takes a tenth of
 * the time of reading text again, and a query runs once only. Positions in lists of words take no more bytes than these lists need.
 */
export class RawStore {
  readonly #spill: Spill = temporarySpill();
  readonly #blocks: { readonly rows: number; readonly position: number; readonly layout: Layout }[] = [];
  /** The block that is being filled. */
  #layout: Layout = layoutOf(0, []);
  #rows = 0;
  #bytes = new Uint8Array(0);

  /** Keeps a copy of rows that have no fault. */
  append({ rows, columns, label }: RawChunk): void {
    const all = [...columns, label];
    const types = all.map(typeOf);
    const layout = this.#layout;
    if (this.#rows + rows > layout.capacity || types.some((type, c) => type !== layout.types[c])) {
      this.#flush();
      this.#layout = layoutOf(rows * Math.max(1, Math.floor(blockCells / (rows * all.length))), types);
      if (this.#bytes.length < this.#layout.bytes) this.#bytes = new Uint8Array(this.#layout.bytes);
    }
    all.forEach((cells, c) => {
      if (cells === null) return;
      const source = cells instanceof Float64Array ? cells : cells.codes;
      const target = viewOf(this.#bytes, this.#layout, c)!;
      for (let i = 0, to = this.#rows; i < rows; i++) target[to++] = source[i]!;
    });
    this.#rows += rows;
  }

  /** The rows in order, with the columns at the given positions, and their words. */
  *chunks(columns: readonly number[], lists: readonly WordList[], labels: WordList): Generator<RawChunk> {
    this.#flush();
    for (const { rows, position, layout } of this.#blocks) {
      if (this.#bytes.length < layout.bytes) this.#bytes = new Uint8Array(layout.bytes);
      const bytes = this.#bytes;
      this.#spill.read(position, bytes.subarray(0, layout.bytes));
      const cells = (column: number, { words }: { readonly words: WordCells['words'] }): ColumnCells | null => {
        const view = viewOf(bytes, layout, column);
        return view === null || view instanceof Float64Array ? view : { codes: view, words };
      };
      yield {
        rows,
        columns: columns.map((column, c) => cells(column, lists[c]!)),
        label: cells(layout.types.length - 1, labels) as WordCells,
      };
    }
  }

  close(): void {
    this.#spill.close();
  }

  #flush(): void {
    if (this.#rows === 0) return;
    const position = this.#spill.append(this.#bytes.subarray(0, this.#layout.bytes));
    this.#blocks.push({ rows: this.#rows, position, layout: this.#layout });
    this.#rows = 0;
  }
}

type CellArray = typeof Float64Array | typeof Uint8Array | typeof Uint16Array | typeof Uint32Array;

/** Where the columns of a block lie, the label behind the others, each at a multiple of eight bytes. */
interface Layout {
  /** In rows. */
  readonly capacity: number;
  /** Null: there is no such column. */
  readonly types: readonly (CellArray | null)[];
  readonly offsets: readonly number[];
  readonly bytes: number;
}

function typeOf(cells: ColumnCells | null): CellArray | null {
  if (cells === null) return null;
  if (cells instanceof Float64Array) return Float64Array;
  const { length } = cells.words;
  return length <= 0x100 ? Uint8Array : length <= 0x1_0000 ? Uint16Array : Uint32Array;
}

function layoutOf(capacity: number, types: readonly (CellArray | null)[]): Layout {
  let bytes = 0;
  const offsets = types.map((type) => {
    const offset = bytes;
    bytes += Math.ceil((capacity * (type?.BYTES_PER_ELEMENT ?? 0)) / 8) * 8;
    return offset;
  });
  return { capacity, types, offsets, bytes };
}

function viewOf({ buffer }: Uint8Array, { capacity, types, offsets }: Layout, column: number) {
  const type = types[column]!;
  return type === null ? null : new type(buffer as ArrayBuffer, offsets[column]!, capacity);
}
