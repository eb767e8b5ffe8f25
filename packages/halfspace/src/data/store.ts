import type { StoredBatch } from '../batch.ts';
import type { Block } from '../kernels/block.ts';
import type { Kernels } from '../kernels/kernels.ts';
import type { Chunk } from './chunk.ts';
import { RowGatherer } from './gather-rows.ts';
import { type OwnedBatch, PackedBatch, pack, packCompactly, packedLayout } from './packed.ts';

/** Storage outside memory for packed batches, such as a temporary file. Its owner removes it. */
export interface Spill {
  /** Appends bytes. @returns their position. @throws HalfspaceError `write-failed`. */
  append(bytes: Uint8Array): number;
  /** Fills `target` from `position`. @throws HalfspaceError `source-corrupt` if bytes are missing. */
  read(position: number, target: Uint8Array): void;
  close(): void;
}

export interface StoreOptions {
  /**
   * Bytes of packed batches from which a store is `large`, and later batches go to `spill`. Default 96 MiB. Rows of the
   * spill that are gathered take up to a third more.
   */
  readonly memoryBudget?: number | undefined;
  /** Bytes kept in memory before `spill` is used, if more than the budget; only time depends on it. */
  readonly room?: number | undefined;
  /**
   * Store batches in half the bytes where no digit is lost: sparse ones compactly, dense ones as 32-bit floats. Their
   * values can then not be rewritten. Default false.
   */
  readonly compact?: boolean | undefined;
  /** Opens the storage outside memory. Absent: everything stays in memory. The results are the same. */
  readonly spill?: (() => Spill) | undefined;
}

const defaultMemoryBudget = 96 * 1024 * 1024;

/** Stored examples that can only be read, in the order of their chunks. */
export type ReadableStore = Pick<ExampleStore, 'chunks' | 'dimension' | 'load' | 'rows' | 'stored'>;

/** Changes values and labels in place, each number independently of the others. */
type Rewrite = (values: Float64Array | Float32Array, labels: Float64Array) => void;

/**
 * Stores packed examples for later passes: in kernel memory up to a budget, beyond it in a spill. Batches come back in
 * the order in which they were appended.
 */
export class ExampleStore {
  readonly #kernels: Kernels;
  readonly #budget: number;
  readonly #room: number;
  readonly #openSpill: (() => Spill) | undefined;
  readonly #chunks: Chunk[] = [];
  readonly #staging: Block<Uint8Array>;
  readonly #gathered: Block<Uint8Array>;
  /** Made when rows are gathered; null after the store has changed. */
  #gatherer: RowGatherer | null = null;
  #spill: Spill | null = null;
  /** `#takesCompact`: compact batches are kept as they are. `#compact`: sparse ones are made compact. */
  readonly #takesCompact: boolean;
  #compact: boolean;
  #likelyPlaces = 0;
  #inMemory = 0;
  /** Rewrites to apply when a spilled chunk with an index below `before` is read. */
  readonly #rewrites: { before: number; rewrite: Rewrite }[] = [];
  /** Number of examples stored. */
  rows = 0;
  /** Number of values stored. */
  stored = 0;
  /** The largest dimension of a batch. */
  dimension = 0;

  constructor(kernels: Kernels, options: StoreOptions = {}) {
    this.#kernels = kernels;
    this.#budget = options.memoryBudget ?? defaultMemoryBudget;
    this.#room = Math.max(this.#budget, options.room ?? 0);
    this.#openSpill = options.spill;
    this.#takesCompact = options.compact === true;
    this.#compact = this.#takesCompact;
    this.#staging = kernels.uint8(0);
    this.#gathered = kernels.uint8(0);
  }

  /** True if the memory budget is used up. */
  get full(): boolean {
    return this.#inMemory >= this.#budget;
  }

  get #hasRoom(): boolean {
    return this.#openSpill === undefined || this.#inMemory < this.#room;
  }

  /**
   * True if the batches exceed the memory budget, with or without a spill. Runs with large stores keep the order of the
   * data and search less. They do so on every runtime, because equal data must give equal models.
   */
  large = false;

  /** True if some batches are in the spill. */
  get spilled(): boolean {
    return this.#spill !== null;
  }

  /** Number of chunks for {@link load}. */
  get chunks(): number {
    return this.#chunks.length;
  }

  /** Returns the number, from 0, of the first example of a chunk. */
  firstRow(index: number): number {
    return this.#chunks[index]!.firstRow;
  }

  /** Stores a copy of `batch`. */
  append(batch: StoredBatch): void {
    if (batch.rows === 0) return;
    this.#forgetGatherer();
    const inMemory = this.#hasRoom;
    this.#push(this.#pack(batch, inMemory ? undefined : this.#staging), inMemory);
  }

  /** Stores a packed batch and takes over its memory, as if it were appended. */
  adopt(owned: OwnedBatch): void {
    const { packed, block } = owned;
    const { kind, rows, single } = packed.shape;
    const asItIs = this.#takesCompact ? !this.#compact || kind !== 'sparse' : kind !== 'compact' && single !== true;
    if (this.#hasRoom && asItIs && rows > 0) {
      this.#forgetGatherer();
      this.#push(owned, true);
      return;
    }
    this.append(packed.batch);
    block.free();
  }

  #push({ packed, block }: OwnedBatch, inMemory: boolean): void {
    const { shape } = packed;
    const { bytes } = packedLayout(shape);
    let position = 0;
    if (this.full) this.large = true;
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
    this.dimension = Math.max(this.dimension, packed.dimension);
  }

  /** Returns chunk `index`, in [0, chunks), as a batch that is valid until the next `load`. */
  load(index: number): StoredBatch {
    return this.#load(index, this.#staging);
  }

  #load(index: number, staging: Block<Uint8Array>): StoredBatch {
    const chunk = this.#chunks[index]!;
    if (chunk.packed !== null) return chunk.packed.batch;
    return this.#readWhole(chunk, staging).batch;
  }

  #readWhole(chunk: Chunk, staging: Block<Uint8Array>): PackedBatch {
    const { bytes } = packedLayout(chunk.shape);
    if (staging.length < bytes) staging.resize(bytes);
    this.#spill!.read(chunk.position, staging.array.subarray(0, bytes));
    const packed = new PackedBatch(staging, chunk.shape);
    this.#applyRewrites(chunk.index, packed.doubles, packed.labels);
    return packed;
  }

  /**
   * Yields all batches in order, each valid until the next one is requested. The batch of {@link load} stays valid.
   *
   * @param omits returns true for chunks to skip.
   */
  *batches(omits: (chunk: number) => boolean = () => false): Generator<StoredBatch> {
    let staging: Block<Uint8Array> | null = null;
    try {
      for (let c = 0; c < this.chunks; c++) {
        if (omits(c)) continue;
        // Memory of its own only for chunks that are read: runs on small data make thousands of passes.
        const { packed } = this.#chunks[c]!;
        if (packed === null) staging ??= this.#kernels.uint8(0);
        yield packed?.batch ?? this.#load(c, staging!);
      }
    } finally {
      staging?.free();
    }
  }

  /**
   * Yields the examples `ids` (in [0, rows), repeats allowed), in this order, in batches of at most `size`, each valid
   * until the next one is requested by any call. Stored batches must be all dense, or all sparse or compact.
   */
  *gather(ids: Uint32Array, size: number): Generator<StoredBatch> {
    const memory = this.#gathered;
    for (const { packed } of this.#rowGatherer().batches(ids, size, memory)) yield packed.batch;
  }

  /** Like {@link gather}, but each batch is in memory of its own, for {@link adopt}. The caller frees it. */
  gatherOwned(ids: Uint32Array, size: number): Generator<OwnedBatch> {
    return this.#rowGatherer().batches(ids, size);
  }

  /** Applies a rewrite to everything stored so far, for facts that were unknown before: the classes, the radius. */
  rewrite(rewrite: Rewrite): void {
    for (const { packed } of this.#chunks) if (packed !== null) rewrite(packed.doubles, packed.labels);
    if (this.#spill !== null) this.#rewrites.push({ before: this.#chunks.length, rewrite });
  }

  /**
   * Rewrites all indices. Their order must not change.
   *
   * @param numberOf returns the new index, which must not exceed the old one.
   * @param dimension the new dimension.
   */
  renumber(numberOf: (index: number) => number, dimension: number): void {
    this.#forgetGatherer();
    for (const { packed } of this.#chunks) {
      if (packed === null) throw new Error('expected examples in memory; got some in the spill');
      const { indices } = packed;
      for (let k = 0; k < indices.length; k++) indices[k] = numberOf(indices[k]!);
      packed.dimension = dimension;
    }
    this.dimension = dimension;
  }

  /** Frees memory and spill. The store must not be used again. */
  free(): void {
    for (const chunk of this.#chunks) chunk.block?.free();
    this.#chunks.length = 0;
    this.#staging.free();
    this.#gathered.free();
    this.#forgetGatherer();
    this.#spill?.close();
    this.#spill = null;
  }

  #pack(batch: StoredBatch, block?: Block<Uint8Array>) {
    if (this.#compact && batch.kind === 'sparse') {
      const compact = packCompactly(this.#kernels, batch, this.#likelyPlaces, block);
      // If one batch has values that are not short decimals, most others will too.
      if (compact === null) this.#compact = false;
      else this.#likelyPlaces = compact.packed.shape.places!;
      if (compact !== null) return compact;
    }
    return pack(this.#kernels, batch, block, !this.#takesCompact);
  }

  #applyRewrites(index: number, values: Float64Array | Float32Array, labels: Float64Array): void {
    for (const { before, rewrite } of this.#rewrites) if (index < before) rewrite(values, labels);
  }

  #rowGatherer(): RowGatherer {
    this.#gatherer ??= new RowGatherer(this.#kernels, {
      chunks: this.#chunks,
      rows: this.rows,
      dimension: this.dimension,
      room: this.#budget / 3,
      readWhole: (chunk, staging) => this.#readWhole(chunk, staging),
      read: (chunk, offset, target) => this.#read(chunk, offset, target),
      rewrite: (chunk, values, labels) => this.#applyRewrites(chunk.index, values, labels),
    });
    return this.#gatherer;
  }

  #forgetGatherer(): void {
    this.#gatherer?.free();
    this.#gatherer = null;
  }

  #read(chunk: Chunk, offset: number, target: ArrayBufferView): void {
    const bytes = new Uint8Array(target.buffer, target.byteOffset, target.byteLength);
    if (bytes.length > 0) this.#spill!.read(chunk.position + offset, bytes);
  }
}
