import type { ColumnCells, RowStore, StoredRows, WordCells, WordList } from 'halfspace/internal';
import { temporarySpill } from 'halfspace/node';
import { TextBuffer, textCells } from './text-buffer.ts';

type Spill = ReturnType<typeof temporarySpill>;

/** Number of cells of a block. Blocks are written in one call, and fit into a processor's cache. */
const blockCells = 32_768;
/** Size of the text in a block, in bytes, from which the block is written. */
const blockText = 2 * 1024 * 1024;

/**
 * Keeps the rows of a table in a temporary file until their encoding is fitted. Reading doubles back takes a tenth of
 * the time of reading text again, and a query runs once. Numbers of words take one, two or four bytes, as the length of
 * the list needs. Cells of text columns are UTF-8, column by column at the end of a block.
 */
export class RawStore implements RowStore {
  readonly #spill: Spill = temporarySpill();
  readonly #blocks: Block[] = [];
  /** Text of the current block; null for columns of other kinds. */
  readonly #texts: readonly (TextBuffer | null)[];
  /** The current block. */
  #layout: Layout = layoutOf(0, []);
  #rows = 0;
  #textBytes: Buffer = Buffer.alloc(0);
  #bytes = new Uint8Array(0);

  /** @param isText true for columns of text. */
  constructor(isText: readonly boolean[]) {
    this.#texts = isText.map((text) => (text ? new TextBuffer() : null));
  }

  /** Stores a copy of good rows. */
  append({ rows, columns, label }: StoredRows): void {
    const all = [...columns, label];
    const types = all.map((cells, c) => typeOf(cells, c < columns.length && this.#texts[c] !== null));
    const layout = this.#layout;
    if (this.#rows + rows > layout.capacity || types.some((type, c) => type !== layout.types[c])) {
      this.#flush();
      this.#layout = layoutOf(rows * Math.max(1, Math.floor(blockCells / (rows * all.length))), types);
      if (this.#bytes.length < this.#layout.bytes) this.#bytes = new Uint8Array(this.#layout.bytes);
    }
    all.forEach((cells, c) => {
      if (cells === null) return;
      const text = this.#texts[c] ?? null;
      if (text !== null) {
        const { codes, words } = cells as WordCells;
        const lengths = viewOf(this.#bytes, this.#layout, c)!;
        for (let i = 0, to = this.#rows; i < rows; i++) lengths[to++] = text.add(words[codes[i]!]!);
        return;
      }
      const source = cells instanceof Float64Array ? cells : cells.codes;
      const target = viewOf(this.#bytes, this.#layout, c)!;
      for (let i = 0, to = this.#rows; i < rows; i++) target[to++] = source[i]!;
    });
    this.#rows += rows;
    if (this.#texts.some((text) => text !== null && text.length > blockText)) this.#flush();
  }

  /** Yields the rows in order, with the columns at the given positions, and their words. */
  *chunks(columns: readonly number[], lists: readonly WordList[], labels: WordList): Generator<StoredRows> {
    this.#flush();
    for (const { rows, position, layout, texts } of this.#blocks) {
      if (this.#bytes.length < layout.bytes) this.#bytes = new Uint8Array(layout.bytes);
      const bytes = this.#bytes;
      this.#spill.read(position, bytes.subarray(0, layout.bytes));
      const cells = (column: number, { words }: { readonly words: WordCells['words'] }): ColumnCells | null => {
        const view = viewOf(bytes, layout, column);
        return view === null || view instanceof Float64Array ? view : { codes: view, words };
      };
      yield {
        rows,
        columns: columns.map((column, c) => {
          const text = texts[column]!;
          if (text === null || layout.types[column] === null) return cells(column, lists[c]!);
          return this.#readText(text, viewOf(bytes, layout, column)!, rows);
        }),
        label: cells(layout.types.length - 1, labels) as WordCells,
      };
    }
  }

  #readText({ position, length }: TextPlace, lengths: ArrayLike<number>, rows: number): WordCells {
    if (this.#textBytes.length < length) this.#textBytes = Buffer.alloc(length);
    const bytes = this.#textBytes;
    this.#spill.read(position, bytes.subarray(0, length));
    return textCells(bytes, lengths, rows);
  }

  close(): void {
    this.#spill.close();
  }

  #flush(): void {
    if (this.#rows === 0) return;
    const position = this.#spill.append(this.#bytes.subarray(0, this.#layout.bytes));
    const texts = this.#texts.map((text) => {
      if (text === null) return null;
      const place = { position: text.length === 0 ? 0 : this.#spill.append(text.bytes()), length: text.length };
      text.clear();
      return place;
    });
    this.#blocks.push({ rows: this.#rows, position, layout: this.#layout, texts });
    this.#rows = 0;
  }
}

interface Block {
  readonly rows: number;
  readonly position: number;
  readonly layout: Layout;
  /** Position of the text of each column; null for columns of other kinds. */
  readonly texts: readonly (TextPlace | null)[];
}

/** In bytes. */
interface TextPlace {
  readonly position: number;
  readonly length: number;
}

type CellArray = typeof Float64Array | typeof Uint8Array | typeof Uint16Array | typeof Uint32Array;

/** Positions of the columns in a block, the label last, each at a multiple of eight bytes. */
interface Layout {
  /** In rows. */
  readonly capacity: number;
  /** Null: there is no such column. */
  readonly types: readonly (CellArray | null)[];
  readonly offsets: readonly number[];
  readonly bytes: number;
}

function typeOf(cells: ColumnCells | null, isText: boolean): CellArray | null {
  if (cells === null) return null;
  // Lengths.
  if (isText) return Uint32Array;
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
