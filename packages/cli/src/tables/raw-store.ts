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

/**
 * The rows of a table, kept in a temporary file between learning its encoding and encoding them: reading doubles back takes a tenth of
 * the time of reading text again, and a query runs once only.
 */
export class RawStore {
  readonly #spill: Spill = temporarySpill();
  readonly #chunks: { readonly rows: number; readonly position: number; readonly layout: Layout }[] = [];
  #bytes = new Uint8Array(0);

  /** Keeps a copy of rows that have no fault. */
  append({ rows, columns, label }: RawChunk): void {
    const layout = layoutOf(rows, columns);
    const bytes = this.#room(layout.bytes);
    columns.forEach((cells, c) => {
      if (cells === null) return;
      const values = cells instanceof Float64Array ? cells : (cells.codes as Uint32Array);
      put(bytes, layout.offsets[c]!, values.subarray(0, rows));
    });
    put(bytes, layout.label, (label.codes as Uint32Array).subarray(0, rows));
    this.#chunks.push({ rows, position: this.#spill.append(bytes.subarray(0, layout.bytes)), layout });
  }

  /** The rows in order, with the columns at the given positions, and their words. */
  *chunks(columns: readonly number[], lists: readonly WordList[], labels: WordList): Generator<RawChunk> {
    for (const { rows, position, layout } of this.#chunks) {
      const bytes = this.#room(layout.bytes).subarray(0, layout.bytes);
      this.#spill.read(position, bytes);
      const codes = (offset: number) => new Uint32Array(bytes.buffer, offset, rows);
      yield {
        rows,
        columns: columns.map((column, c) => {
          const offset = layout.offsets[column]!;
          const kind = layout.kinds[column]!;
          if (kind === 'absent') return null;
          return kind === 'doubles'
            ? new Float64Array(bytes.buffer, offset, rows)
            : { codes: codes(offset), words: lists[c]!.words };
        }),
        label: { codes: codes(layout.label), words: labels.words },
      };
    }
  }

  close(): void {
    this.#spill.close();
  }

  #room(bytes: number): Uint8Array {
    if (this.#bytes.length < bytes) this.#bytes = new Uint8Array(bytes);
    return this.#bytes;
  }
}

/** Where the columns of a chunk lie, each at a multiple of eight bytes. */
interface Layout {
  readonly kinds: readonly ('doubles' | 'codes' | 'absent')[];
  readonly offsets: readonly number[];
  readonly label: number;
  readonly bytes: number;
}

function layoutOf(rows: number, columns: readonly (ColumnCells | null)[]): Layout {
  const kinds = columns.map((cells) =>
    cells === null ? 'absent' : cells instanceof Float64Array ? 'doubles' : 'codes',
  );
  let bytes = 0;
  const offsets = kinds.map((kind) => {
    const offset = bytes;
    bytes += kind === 'absent' ? 0 : Math.ceil((rows * (kind === 'doubles' ? 8 : 4)) / 8) * 8;
    return offset;
  });
  return { kinds, offsets, label: bytes, bytes: bytes + Math.ceil((rows * 4) / 8) * 8 };
}

function put(target: Uint8Array, offset: number, { buffer, byteOffset, byteLength }: Float64Array | Uint32Array): void {
  target.set(new Uint8Array(buffer, byteOffset, byteLength), offset);
}
