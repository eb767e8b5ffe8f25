import type { ColumnCells, WordCells } from '../../features/table-chunk.ts';
import type { RowStore, StoredRows } from '../../table/fit.ts';
import type { WordList } from '../../table/words.ts';
import { temporarySpill } from '../spill.ts';

type Spill = ReturnType<typeof temporarySpill>;
type CodeArray = typeof Uint8Array | typeof Uint16Array | typeof Uint32Array;
type NumberArray = typeof Int16Array | typeof Int32Array | typeof Float64Array;

/** Number of cells of a block. Blocks are written in one call, and fit into a processor's cache. */
const blockCells = 32_768;
/** Size of the text in a block, in bytes, from which the block is written. */
const blockText = 2 * 1024 * 1024;
/** Bytes of blocks that stay in memory. The others are written to a file. */
const memoryBytes = 48 * 1024 * 1024;

/**
 * Keeps the rows of a table until their encoding is fitted: the first ones in memory, the others in a temporary file.
 * Reading doubles back takes a tenth of the time of reading text again, and a query runs once. Numbers of words take
 * one, two or four bytes, as the length of the list needs; numbers of a column that are all whole and small take two or
 * four. Cells of text columns are UTF-8, column by column at the end of a block.
 */
export class RawStore implements RowStore {
  /** Null: every block is in memory. */
  #spill: Spill | null = null;
  readonly #blocks: Block[] = [];
  /** Bytes of the blocks in memory. */
  #held = 0;
  /** By column: the type that its numbers so far fit into; null: none were read. */
  readonly #numbers: (NumberArray | null)[];
  /** By column: numbers of a block as doubles. */
  readonly #doubles: Float64Array[] = [];
  /** Text of the current block; null for columns of other kinds. */
  readonly #texts: readonly (TextBuffer | null)[];
  /** The current block. */
  #layout: Layout = layoutOf(0, []);
  #rows = 0;
  #textBytes: Buffer = Buffer.alloc(0);
  #bytes = new Uint8Array(0);

  readonly #memoryBytes: number;

  /**
   * @param isText true for columns of text.
   * @param memory bytes of blocks that stay in memory. Default: 48 MiB.
   */
  constructor(isText: readonly boolean[], memory = memoryBytes) {
    this.#memoryBytes = memory;
    this.#texts = isText.map((text) => (text ? new TextBuffer() : null));
    this.#numbers = isText.map(() => null);
  }

  /** Stores a copy of good rows. */
  append({ rows, columns, label }: StoredRows): void {
    const all = [...columns, label];
    const types = all.map((cells, c) => {
      if (c < columns.length && this.#texts[c] !== null) return cells === null ? null : Uint32Array; // Lengths.
      return cells instanceof Float64Array ? this.#typeOfNumbers(c, cells, rows) : typeOfCodes(cells);
    });
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
      viewOf(this.#bytes, this.#layout, c)!.set(source.subarray(0, rows), this.#rows);
    });
    this.#rows += rows;
    if (this.#texts.some((text) => text !== null && text.length > blockText)) this.#flush();
  }

  /** Yields the rows in order, with the columns at the given positions, and their words. */
  *chunks(columns: readonly number[], lists: readonly WordList[], labels: WordList): Generator<StoredRows> {
    this.#flush();
    for (const { rows, place, layout, texts } of this.#blocks) {
      const bytes = this.#bytesAt(place, layout.bytes);
      const cells = (column: number, { words }: { readonly words: WordCells['words'] }): ColumnCells | null => {
        const view = viewOf(bytes, layout, column);
        if (view === null || view instanceof Float64Array) return view;
        if (view instanceof Int16Array || view instanceof Int32Array) return this.#doublesOf(column, view, rows);
        return { codes: view, words };
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

  #bytesAt(place: Place, length: number): Uint8Array {
    if (typeof place !== 'number') return place;
    if (this.#bytes.length < length) this.#bytes = new Uint8Array(length);
    this.#spill!.read(place, this.#bytes.subarray(0, length));
    return this.#bytes;
  }

  #doublesOf(column: number, view: Int16Array | Int32Array, rows: number): Float64Array {
    let doubles = this.#doubles[column];
    if (doubles === undefined || doubles.length < rows) doubles = this.#doubles[column] = new Float64Array(view.length);
    doubles.set(view.subarray(0, rows));
    return doubles;
  }

  #readText({ position, length }: TextPlace, lengths: ArrayLike<number>, rows: number): WordCells {
    if (this.#textBytes.length < length) this.#textBytes = Buffer.alloc(length);
    const bytes = this.#textBytes;
    this.#spill!.read(position, bytes.subarray(0, length));
    return textCells(bytes, lengths, rows);
  }

  close(): void {
    this.#spill?.close();
    this.#blocks.length = 0;
  }

  #flush(): void {
    if (this.#rows === 0) return;
    const layout = this.#layout;
    let place: Place;
    if (this.#held + layout.bytes <= this.#memoryBytes) {
      place = this.#bytes;
      this.#held += place.length;
      this.#bytes = new Uint8Array(layout.bytes);
    } else place = this.#spilled(this.#bytes.subarray(0, layout.bytes));
    const texts = this.#texts.map((text) => {
      if (text === null) return null;
      const stored = { position: text.length === 0 ? 0 : this.#spilled(text.bytes()), length: text.length };
      text.clear();
      return stored;
    });
    this.#blocks.push({ rows: this.#rows, place, layout, texts });
    this.#rows = 0;
  }

  #spilled(bytes: Uint8Array): number {
    this.#spill ??= temporarySpill();
    return this.#spill.append(bytes);
  }

  /** Returns the type for the numbers of a column so far: it never becomes narrower, so that blocks stay long. */
  #typeOfNumbers(column: number, numbers: Float64Array, rows: number): NumberArray {
    const before = this.#numbers[column] ?? Int16Array;
    if (before === Float64Array) return before;
    const size = wholeSize(numbers, rows);
    const type = size > 0x7fff_ffff ? Float64Array : size > 0x7fff ? Int32Array : before;
    this.#numbers[column] = type;
    return type;
  }
}

/** Returns the largest absolute value of whole numbers; Infinity if others are among them, −0 included. */
function wholeSize(numbers: Float64Array, rows: number): number {
  let size = 0;
  for (let i = 0; i < rows; i++) {
    const number = numbers[i]!;
    if ((number | 0) !== number || (number === 0 && 1 / number < 0)) return Infinity;
    size = Math.max(size, Math.abs(number));
  }
  return size;
}

/** The bytes of a block in memory, or their position in the file. */
type Place = Uint8Array | number;

interface Block {
  readonly rows: number;
  readonly place: Place;
  readonly layout: Layout;
  /** Position of the text of each column; null for columns of other kinds. */
  readonly texts: readonly (TextPlace | null)[];
}

/** In bytes. */
interface TextPlace {
  readonly position: number;
  readonly length: number;
}

/** Positions of the columns in a block, the label last, each at a multiple of eight bytes. */
interface Layout {
  /** In rows. */
  readonly capacity: number;
  /** Null: there is no such column. */
  readonly types: readonly (CodeArray | NumberArray | null)[];
  readonly offsets: readonly number[];
  readonly bytes: number;
}

function typeOfCodes(cells: WordCells | null): CodeArray | null {
  if (cells === null) return null;
  const { length } = cells.words;
  return length <= 0x100 ? Uint8Array : length <= 0x1_0000 ? Uint16Array : Uint32Array;
}

function layoutOf(capacity: number, types: readonly (CodeArray | NumberArray | null)[]): Layout {
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

/** Concatenates cells of text as UTF-8. */
class TextBuffer {
  #bytes: Buffer = Buffer.alloc(4096);
  length = 0;

  /** Adds a cell, and returns its length in bytes plus one; 0 for null. */
  add(text: string | null): number {
    if (text === null) return 0;
    // A UTF-16 unit takes at most three bytes.
    const most = this.length + text.length * 3;
    if (most > this.#bytes.length) {
      const grown = Buffer.alloc(most * 2);
      grown.set(this.#bytes.subarray(0, this.length));
      this.#bytes = grown;
    }
    const written = this.#bytes.write(text, this.length, 'utf8');
    this.length += written;
    return written + 1;
  }

  bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.length);
  }

  clear(): void {
    this.length = 0;
  }
}

/** Splits the bytes of a {@link TextBuffer} into cells. @param lengths the results of `add`. */
function textCells(bytes: Buffer, lengths: ArrayLike<number>, rows: number): WordCells {
  let at = 0;
  const words = Array.from({ length: rows }, (_, i) => {
    if (lengths[i] === 0) return null;
    const from = at;
    at += lengths[i]! - 1;
    return bytes.toString('utf8', from, at);
  });
  return { codes: Uint32Array.from(words, (_, i) => i), words };
}
