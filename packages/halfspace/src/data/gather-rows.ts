import type { StoredBatch } from '../batch.ts';
import type { Block } from '../kernels/block.ts';
import type { Kernels, RowSources } from '../kernels/kernels.ts';
import type { Chunk } from './chunk.ts';
import { type OwnedBatch, PackedBatch, type PackedShape, packedLayout } from './packed.ts';

/** The chunks of a store: those in memory first. */
interface StoredChunks {
  readonly chunks: readonly Chunk[];
  /** Number of rows in all chunks. */
  readonly rows: number;
  readonly dimension: number;
  /** Bytes of spilled rows that may be in memory at a time, besides the chunks in memory. */
  readonly room: number;
  /** Reads a spilled chunk whole into `staging`, rewritten. */
  readWhole(chunk: Chunk, staging: Block<Uint8Array>): PackedBatch;
  /** Reads bytes of a spilled chunk from `offset` on, as they were spilled. */
  read(chunk: Chunk, offset: number, target: ArrayBufferView): void;
  /** Rewrites values and labels read by `read`. */
  rewrite(chunk: Chunk, values: Float64Array | Float32Array, labels: Float64Array): void;
}

/** Reading one row of a spilled chunk takes about as long as reading this number of bytes in one piece. */
const rowReadBytes = 16 * 1024;

/** Batches to copy rows from, while a window of rows is gathered. */
interface Sources {
  readonly table: RowSources;
  /** The source that has a chunk's rows. */
  readonly numberOf: Uint32Array;
  /** For a spilled chunk the next row of its source: they come in the order in which they are gathered. */
  readonly next: Uint32Array;
  readonly blocks: readonly Block<Uint8Array>[];
}

/** Copies rows of stored chunks, in any order, into batches. */
export class RowGatherer {
  readonly #kernels: Kernels;
  readonly #store: StoredChunks;
  readonly #picks: Block<Uint32Array>;
  /** The chunk of each row. */
  readonly #chunkOf: Uint32Array;
  /** The form of gathered batches, without the numbers of rows and values. */
  readonly #form: Omit<PackedShape, 'rows' | 'stored'>;
  readonly #inMemory: Sources | null;

  /** @param store must not change until this is freed, but for rewrites. */
  constructor(kernels: Kernels, store: StoredChunks) {
    this.#kernels = kernels;
    this.#store = store;
    this.#picks = kernels.uint32(0);
    this.#chunkOf = new Uint32Array(store.rows);
    for (const { index, firstRow, shape } of store.chunks) this.#chunkOf.fill(index, firstRow, firstRow + shape.rows);
    this.#form = { ...commonForm(store.chunks), dimension: store.dimension };
    this.#inMemory = store.chunks.every(({ packed }) => packed !== null) ? this.#sources(new Uint32Array(0)) : null;
  }

  /**
   * Yields the rows `ids`, in this order, repeats allowed, in batches of at most `size`.
   *
   * @param memory for every batch, which is valid until the next one is requested; grows if needed. Default: memory of
   *   their own, which the caller frees.
   */
  *batches(ids: Uint32Array, size: number, memory?: Block<Uint8Array>): Generator<OwnedBatch> {
    const window = this.#inMemory === null ? this.#windowOf(size) : ids.length;
    for (let first = 0; first < ids.length; first += window) {
      const here = ids.subarray(first, first + window);
      const sources = this.#inMemory ?? this.#sources(here);
      try {
        for (let k = 0; k < here.length; k += size) yield this.#gather(sources, here.subarray(k, k + size), memory);
      } finally {
        if (sources !== this.#inMemory) freeSources(sources);
      }
    }
  }

  free(): void {
    this.#picks.free();
    if (this.#inMemory !== null) freeSources(this.#inMemory);
  }

  /** Returns the number of rows to gather together if some are spilled: a multiple of `size`. */
  #windowOf(size: number): number {
    const { chunks, rows, room } = this.#store;
    const bytes = chunks.reduce((sum, { shape }) => sum + packedLayout(shape).bytes, 0);
    return size * Math.max(1, Math.floor((room * rows) / bytes / size));
  }

  #gather({ table, numberOf, next }: Sources, ids: Uint32Array, memory?: Block<Uint8Array>): OwnedBatch {
    const { chunks } = this.#store;
    const chunkOf = this.#chunkOf;
    if (this.#picks.length < 2 * ids.length) this.#picks.resize(2 * ids.length);
    const picks = this.#picks.array;
    for (let k = 0; k < ids.length; k++) {
      const id = ids[k]!;
      const c = chunkOf[id]!;
      const { packed, firstRow } = chunks[c]!;
      picks[2 * k] = numberOf[c]!;
      picks[2 * k + 1] = packed === null ? next[c]!++ : id - firstRow;
    }
    return this.#copy(table, ids.length, this.#form, memory);
  }

  /** Copies the picked rows into `block`, which grows if needed, or into new memory. */
  #copy(
    table: RowSources,
    rows: number,
    form: Omit<PackedShape, 'rows' | 'stored'>,
    block?: Block<Uint8Array>,
  ): OwnedBatch {
    const shape = { ...form, rows, stored: this.#kernels.countPicked(table, this.#picks, rows) };
    const { bytes } = packedLayout(shape);
    const target = block ?? this.#kernels.uint8(bytes, false);
    if (target.length < bytes) target.resize(bytes + (bytes >> 2));
    const packed = new PackedBatch(target, shape);
    this.#kernels.copyPicked(table, this.#picks, rows, packed.batch);
    return { packed, block: target };
  }

  /** Returns the chunks in memory, and the rows among `ids` of each spilled chunk. */
  #sources(ids: Uint32Array): Sources {
    const { chunks } = this.#store;
    const batches: StoredBatch[] = [];
    const numberOf = new Uint32Array(chunks.length);
    const blocks: Block<Uint8Array>[] = [];
    const rows: number[][] = chunks.map(() => []);
    for (const id of ids) {
      const { index, firstRow, packed } = chunks[this.#chunkOf[id]!]!;
      if (packed === null) rows[index]!.push(id - firstRow);
    }
    const staging = this.#kernels.uint8(0);
    for (const chunk of chunks) {
      numberOf[chunk.index] = batches.length;
      if (chunk.packed !== null) batches.push(chunk.packed.batch);
      else if (rows[chunk.index]!.length > 0) {
        const { packed, block } = this.#fetch(chunk, rows[chunk.index]!, staging);
        batches.push(packed.batch);
        blocks.push(block);
      }
    }
    staging.free();
    return { table: this.#kernels.rowSources(batches), numberOf, next: new Uint32Array(chunks.length), blocks };
  }

  /** Reads rows of a spilled chunk. */
  #fetch(chunk: Chunk, rows: readonly number[], staging: Block<Uint8Array>): OwnedBatch {
    if (rows.length * rowReadBytes < packedLayout(chunk.shape).bytes) return this.#fetchEach(chunk, rows);
    const table = this.#kernels.rowSources([this.#store.readWhole(chunk, staging).batch]);
    if (this.#picks.length < 2 * rows.length) this.#picks.resize(2 * rows.length);
    const picks = this.#picks.array;
    rows.forEach((row, k) => {
      picks[2 * k] = 0;
      picks[2 * k + 1] = row;
    });
    const owned = this.#copy(table, rows.length, chunk.shape);
    table.free();
    return owned;
  }

  #fetchEach(chunk: Chunk, rows: readonly number[]): OwnedBatch {
    const store = this.#store;
    const { shape } = chunk;
    const layout = packedLayout(shape);
    const isDense = shape.kind === 'dense';
    // The places of the values of each row: from, to.
    const ends = Uint32Array.from(rows.flatMap((row) => [row * shape.dimension, (row + 1) * shape.dimension]));
    if (!isDense)
      rows.forEach((row, k) => {
        store.read(chunk, layout.offsets + row * 4, ends.subarray(2 * k, 2 * k + 2));
      });
    const stored = rows.reduce((sum, _, k) => sum + ends[2 * k + 1]! - ends[2 * k]!, 0);
    const own = { ...shape, rows: rows.length, stored };
    const block = this.#kernels.uint8(packedLayout(own).bytes, false);
    const packed = new PackedBatch(block, own);
    const { values, indices, offsets, labels, importance } = packed;
    let at = 0;
    rows.forEach((row, k) => {
      const from = ends[2 * k]!;
      const end = at + ends[2 * k + 1]! - from;
      store.read(chunk, layout.values + from * values.BYTES_PER_ELEMENT, values.subarray(at, end));
      store.read(chunk, layout.labels + row * 8, labels.subarray(k, k + 1));
      if (importance !== null) store.read(chunk, layout.importance + row * 8, importance.subarray(k, k + 1));
      if (!isDense) {
        store.read(chunk, layout.indices + from * indices.BYTES_PER_ELEMENT, indices.subarray(at, end));
        offsets[k] = at;
      }
      at = end;
    });
    if (!isDense) offsets[rows.length] = at;
    store.rewrite(chunk, packed.doubles, labels);
    return { packed, block };
  }
}

function freeSources({ table, blocks }: Sources): void {
  table.free();
  for (const block of blocks) block.free();
}

/** Returns the form that holds rows of all chunks: theirs if it is one, else doubles. */
function commonForm(chunks: readonly Chunk[]): Pick<PackedShape, 'kind' | 'weighted' | 'places' | 'single'> {
  const [first] = chunks;
  const weighted = chunks.some(({ shape }) => shape.weighted);
  const { kind = 'sparse', places, single } = first?.shape ?? {};
  const isOne = chunks.every(({ shape }) => shape.kind === kind && shape.places === places && shape.single === single);
  if (isOne) return { kind, weighted, ...(places === undefined ? {} : { places }), ...(single ? { single } : {}) };
  return { kind: kind === 'dense' ? 'dense' : 'sparse', weighted };
}
