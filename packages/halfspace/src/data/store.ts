import type { Batch, StoredBatch } from '../batch.ts';
import type { Block } from '../kernels/block.ts';
import { splitReciprocal } from '../kernels/decimal-places.ts';
import type { Kernels } from '../kernels/kernels.ts';
import { PackedBatch, type PackedShape, pack, packCompactly, packedLayout } from './packed.ts';

/** Room beyond memory for packed batches, given by the runtime (a temporary file in Node); its owner removes it. */
export interface Spill {
  /** Appends and returns the position written at. @throws HalfspaceError `write-failed`. */
  append(bytes: Uint8Array): number;
  /** Fills `target` from `position`. @throws HalfspaceError `source-corrupt` when the bytes are not there. */
  read(position: number, target: Uint8Array): void;
  close(): void;
}

export interface StoreOptions {
  /** Bytes of packed batches kept in memory before `spill` takes over. Default 96 MiB. */
  readonly memoryBudget?: number | undefined;
  /**
   * Keep batches in half the bytes where that loses nothing: sparse ones compactly, dense ones of 32-bit floats as they are. Their values
   * can then not be rewritten. Default false.
   */
  readonly compact?: boolean | undefined;
  /** Opens the room beyond memory; without it everything stays in memory. */
  readonly spill?: (() => Spill) | undefined;
}

const defaultMemoryBudget = 96 * 1024 * 1024;

/** Changes values and labels in place, each number on its own. */
export type Rewrite = (values: Float64Array | Float32Array, labels: Float64Array) => void;

/** A stored batch: in kernel memory (`packed`) or in the spill (`position`). */
interface Chunk {
  readonly index: number;
  readonly firstRow: number;
  readonly shape: PackedShape;
  readonly packed: PackedBatch | null;
  readonly block: Block<Uint8Array> | null;
  readonly position: number;
}

/**
 * The examples seen so far, packed, for passes after the first: in kernel memory up to a budget, beyond it in a spill. Batches
 * come back in the order in which they were appended.
 */
export class ExampleStore {
  readonly #kernels: Kernels;
  readonly #budget: number;
  readonly #openSpill: (() => Spill) | undefined;
  readonly #chunks: Chunk[] = [];
  readonly #staging: Block<Uint8Array>;
  readonly #gathered: Block<Uint8Array>;
  #spill: Spill | null = null;
  /** Whether compact batches may be kept, and whether sparse ones are made compact. */
  readonly #takesCompact: boolean;
  #compact: boolean;
  #likelyPlaces = 0;
  #inMemory = 0;
  /** What spilled chunks before `before` go through whenever they are read. */
  readonly #rewrites: { before: number; rewrite: Rewrite }[] = [];
  /** Examples stored. */
  rows = 0;
  /** Numbers stored. */
  stored = 0;
  /** Largest dimension of the batches. */
  dimension = 0;

  constructor(kernels: Kernels, options: StoreOptions = {}) {
    this.#kernels = kernels;
    this.#budget = options.memoryBudget ?? defaultMemoryBudget;
    this.#openSpill = options.spill;
    this.#takesCompact = options.compact === true;
    this.#compact = this.#takesCompact;
    this.#staging = kernels.uint8(0);
    this.#gathered = kernels.uint8(0);
  }

  /** Whether the memory budget is spent. */
  get full(): boolean {
    return this.#inMemory >= this.#budget;
  }

  /** Whether some of it lies beyond memory. */
  get spilled(): boolean {
    return this.#spill !== null;
  }

  /** Number of chunks for {@link load}. */
  get chunks(): number {
    return this.#chunks.length;
  }

  /** The number, from 0, of the first example of chunk `index`. */
  firstRow(index: number): number {
    return this.#chunks[index]!.firstRow;
  }

  /** Keeps a copy of `batch`. */
  append(batch: StoredBatch): void {
    if (batch.rows === 0) return;
    const inMemory = this.#openSpill === undefined || !this.full;
    const { packed, block } = this.#pack(batch, inMemory ? undefined : this.#staging);
    const { shape } = packed;
    const { bytes } = packedLayout(shape);
    let position = 0;
    if (inMemory) {
      this.#inMemory += bytes;
    } else {
      this.#spill ??= this.#openSpill!();
      position = this.#spill.append(block.array.subarray(0, bytes));
    }
    this.#chunks.push({
      index: this.#chunks.length,
      firstRow: this.rows,
      shape,
      packed: inMemory ? packed : null,
      block: inMemory ? block : null,
      position,
    });
    this.rows += shape.rows;
    this.stored += shape.stored;
    this.dimension = Math.max(this.dimension, shape.dimension);
  }

  /** Chunk `index` in [0, chunks) as a batch, valid until the next `load`. */
  load(index: number): StoredBatch {
    return this.#load(index, this.#staging);
  }

  #load(index: number, staging: Block<Uint8Array>): StoredBatch {
    const chunk = this.#chunks[index]!;
    if (chunk.packed !== null) return chunk.packed.batch;
    const { bytes } = packedLayout(chunk.shape);
    if (staging.length < bytes) staging.resize(bytes);
    this.#spill!.read(chunk.position, staging.array.subarray(0, bytes));
    const packed = new PackedBatch(staging, chunk.shape);
    this.#applyRewrites(index, packed.values, packed.labels);
    return packed.batch;
  }

  /**
   * All batches in order, each valid until the next is asked for; what {@link load} gave stays as it is meanwhile.
   *
   * @param omits which chunks to pass over.
   */
  *batches(omits: (chunk: number) => boolean = () => false): Generator<StoredBatch> {
    const staging = this.#kernels.uint8(0);
    try {
      for (let c = 0; c < this.chunks; c++) if (!omits(c)) yield this.#load(c, staging);
    } finally {
      staging.free();
    }
  }

  /**
   * The examples with the numbers `ids` (in [0, rows), repeats allowed), in that order, as sparse or dense rows of doubles whatever they are
   * kept as; valid until the next `gather`. All batches stored must be sparse or compact, or all dense.
   */
  gather(ids: Uint32Array): Batch {
    const places = Array.from(ids, (id) => this.#locate(id));
    let stored = 0;
    for (const place of places) stored += place.size;
    const shape: PackedShape = {
      kind: this.#chunks[0]!.shape.kind === 'dense' ? 'dense' : 'sparse',
      rows: ids.length,
      dimension: this.dimension,
      stored,
      weighted: this.#chunks.some((chunk) => chunk.shape.weighted),
    };
    const { bytes } = packedLayout(shape);
    if (this.#gathered.length < bytes) this.#gathered.resize(bytes + (bytes >> 2));
    const gathered = new PackedBatch(this.#gathered, shape);
    const { values, indices, offsets, labels, importance } = gathered;
    importance?.fill(1);
    if (shape.kind === 'sparse') offsets[0] = 0;

    let at = 0;
    for (let k = 0; k < places.length; k++) {
      const { chunk, row, from, size } = places[k]!;
      if (chunk.packed !== null) {
        const source = chunk.packed;
        labels[k] = source.labels[row]!;
        if (source.importance !== null) importance![k] = source.importance[row]!;
        if (source.kind === 'compact') {
          decodeInto(source.compactValues, from, size, chunk.shape.places!, values, at);
          indices.set(source.compactIndices.subarray(from, from + size), at);
        } else {
          values.set(source.values.subarray(from, from + size), at);
          if (shape.kind === 'sparse') indices.set(source.indices.subarray(from, from + size), at);
        }
      } else {
        const layout = packedLayout(chunk.shape);
        const value = values.subarray(at, at + size);
        const label = labels.subarray(k, k + 1);
        if (chunk.shape.kind === 'compact') {
          const [whole, narrow] = [new Int32Array(size), new Uint16Array(size)];
          this.#read(chunk, layout.values + from * 4, whole);
          this.#read(chunk, layout.indices + from * 2, narrow);
          decodeInto(whole, 0, size, chunk.shape.places!, value, 0);
          indices.set(narrow, at);
        } else if (chunk.shape.single === true) {
          const single = new Float32Array(size);
          this.#read(chunk, layout.values + from * 4, single);
          value.set(single);
        } else this.#read(chunk, from * 8, value);
        this.#read(chunk, layout.labels + row * 8, label);
        this.#applyRewrites(chunk.index, value, label);
        if (chunk.shape.weighted) this.#read(chunk, layout.importance + row * 8, importance!.subarray(k, k + 1));
        if (chunk.shape.kind === 'sparse')
          this.#read(chunk, layout.indices + from * 4, indices.subarray(at, at + size));
      }
      at += size;
      if (shape.kind === 'sparse') offsets[k + 1] = at;
    }
    return gathered.batch as Batch;
  }

  /** Rewrites, number by number, everything stored so far: for what was not known when it came (classes, the radius). */
  rewrite(rewrite: Rewrite): void {
    for (const { packed } of this.#chunks) if (packed !== null) rewrite(packed.values, packed.labels);
    if (this.#spill !== null) this.#rewrites.push({ before: this.#chunks.length, rewrite });
  }

  /**
   * Rewrites all indices, which stay in order.
   *
   * @param numberOf the new index of each, not above the old one.
   * @param dimension the new one.
   */
  renumber(numberOf: (index: number) => number, dimension: number): void {
    for (const { packed } of this.#chunks) {
      if (packed === null) throw new Error('expected examples in memory; got some in the spill');
      const indices = packed.kind === 'compact' ? packed.compactIndices : packed.indices;
      for (let k = 0; k < indices.length; k++) indices[k] = numberOf(indices[k]!);
      packed.dimension = dimension;
    }
    this.dimension = dimension;
  }

  /** Gives back memory and spill. The store must not be used again. */
  free(): void {
    for (const chunk of this.#chunks) chunk.block?.free();
    this.#chunks.length = 0;
    this.#staging.free();
    this.#gathered.free();
    this.#spill?.close();
    this.#spill = null;
  }

  #pack(batch: StoredBatch, block?: Block<Uint8Array>) {
    if (this.#compact && batch.kind === 'sparse') {
      const compact = packCompactly(this.#kernels, batch, this.#likelyPlaces, block);
      // One batch of values that are no short decimals: the others will hardly be.
      if (compact === null) this.#compact = false;
      else this.#likelyPlaces = compact.packed.shape.places!;
      if (compact !== null) return compact;
    }
    return pack(this.#kernels, batch, block, !this.#takesCompact);
  }

  #applyRewrites(index: number, values: Float64Array | Float32Array, labels: Float64Array): void {
    for (const { before, rewrite } of this.#rewrites) if (index < before) rewrite(values, labels);
  }

  #locate(id: number): { chunk: Chunk; row: number; from: number; size: number } {
    let low = 0;
    let high = this.#chunks.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#chunks[middle]!.firstRow <= id) low = middle;
      else high = middle - 1;
    }
    const chunk = this.#chunks[low]!;
    const row = id - chunk.firstRow;
    const { shape } = chunk;
    if (shape.kind === 'dense') return { chunk, row, from: row * shape.dimension, size: shape.dimension };
    let ends: Uint32Array;
    if (chunk.packed !== null) {
      ends = chunk.packed.offsets.subarray(row, row + 2);
    } else {
      ends = new Uint32Array(2);
      this.#read(chunk, packedLayout(shape).offsets + row * 4, ends);
    }
    return { chunk, row, from: ends[0]!, size: ends[1]! - ends[0]! };
  }

  #read(chunk: Chunk, offset: number, target: ArrayBufferView): void {
    const bytes = new Uint8Array(target.buffer, target.byteOffset, target.byteLength);
    if (bytes.length > 0) this.#spill!.read(chunk.position + offset, bytes);
  }
}

/** Compact values as the doubles they stand for. */
function decodeInto(
  from: Int32Array,
  start: number,
  count: number,
  places: number,
  target: Float64Array | Float32Array,
  at: number,
): void {
  const { high, low } = splitReciprocal(places);
  for (let k = 0; k < count; k++) target[at + k] = from[start + k]! * high + from[start + k]! * low;
}
