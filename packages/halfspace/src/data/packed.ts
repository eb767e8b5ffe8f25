import { type SparseBatch, type StoredBatch, storedValues } from '../batch.ts';
import type { Block } from '../kernels/block.ts';
import { decodeInto, mostPlaces } from '../kernels/decimal-places.ts';
import type { Kernels } from '../kernels/kernels.ts';

/** The form of a packed batch: with its bytes, this is all of it. */
export interface PackedShape {
  readonly kind: StoredBatch['kind'];
  readonly rows: number;
  readonly dimension: number;
  /** Number of entries in `values`. */
  readonly stored: number;
  /** True if there are importance weights. */
  readonly weighted: boolean;
  /** Decimal places, for a compact batch only. */
  readonly places?: number;
  /** For a dense batch: its values are 32-bit floats. */
  readonly single?: boolean;
}

/**
 * Byte offsets of the arrays of a packed batch, in memory as on disk, so a batch is written or read in one step. The
 * order is values, labels, importance (8 bytes each), offsets, indices (4 bytes each). Compact batches: labels,
 * importance, offsets, values (4 bytes), indices (2 bytes). Dense batches of 32-bit floats: labels, importance, values
 * (4 bytes).
 */
interface Layout {
  readonly values: number;
  readonly labels: number;
  readonly importance: number;
  readonly offsets: number;
  readonly indices: number;
  readonly bytes: number;
}

export function packedLayout({ kind, rows, stored, weighted, single }: PackedShape): Layout {
  const compact = kind === 'compact';
  const short = compact || single === true;
  const labels = short ? 0 : stored * 8;
  const importance = labels + rows * 8;
  const offsets = importance + (weighted ? rows * 8 : 0);
  const behind = offsets + (kind === 'dense' ? 0 : (rows + 1) * 4);
  const indices = behind + (short ? stored * 4 : 0);
  const bytes = indices + (kind === 'dense' ? 0 : stored * (compact ? 2 : 4));
  return { values: short ? behind : 0, labels, importance, offsets, indices, bytes };
}

export function shapeOf(batch: StoredBatch): PackedShape {
  return {
    kind: batch.kind,
    rows: batch.rows,
    dimension: batch.dimension,
    stored: storedValues(batch),
    weighted: batch.importance !== null,
    ...(batch.kind === 'compact' ? { places: batch.places } : {}),
    ...(batch.kind === 'dense' && batch.values instanceof Float32Array ? { single: true } : {}),
  };
}

/**
 * A batch whose arrays lie in one block of kernel memory, so that kernels need no copy. If memory has grown, the views
 * are made again at the next access.
 */
export class PackedBatch {
  readonly kind: StoredBatch['kind'];
  readonly rows: number;
  /** A text format may change it when it rewrites indices. */
  dimension: number;
  /** Decimal places of compact values, else 0. */
  readonly places: number;
  readonly shape: PackedShape;
  readonly #block: Block<Uint8Array>;
  readonly #layout: Layout;
  #buffer: ArrayBufferLike | null = null;
  #values!: StoredBatch['values'];
  #labels!: Float64Array;
  #importance: Float64Array | null = null;
  #offsets!: Uint32Array;
  #indices!: Uint32Array | Uint16Array;

  /** @param block at least `packedLayout(shape).bytes` long; owned by the caller. */
  constructor(block: Block<Uint8Array>, shape: PackedShape) {
    this.kind = shape.kind;
    this.rows = shape.rows;
    this.dimension = shape.dimension;
    this.places = shape.places ?? 0;
    this.shape = shape;
    this.#block = block;
    this.#layout = packedLayout(shape);
  }

  get values(): StoredBatch['values'] {
    this.#refresh();
    return this.#values;
  }

  /** The values as doubles that may be rewritten; empty for a compact batch. */
  get doubles(): Float64Array | Float32Array {
    const { values } = this;
    return values instanceof Int32Array ? new Float64Array(0) : values;
  }

  get labels(): Float64Array {
    this.#refresh();
    return this.#labels;
  }

  get importance(): Float64Array | null {
    this.#refresh();
    return this.#importance;
  }

  get offsets(): Uint32Array {
    this.#refresh();
    return this.#offsets;
  }

  /** Empty for a dense batch. */
  get indices(): Uint32Array | Uint16Array {
    this.#refresh();
    return this.#indices;
  }

  /** This batch with the type {@link StoredBatch}. */
  get batch(): StoredBatch & { dimension: number } {
    return this as unknown as StoredBatch;
  }

  #refresh(): void {
    const { array } = this.#block;
    if (array.buffer === this.#buffer) return;
    const { rows, stored, weighted, single } = this.shape;
    const { buffer, byteOffset } = array;
    const { values, labels, importance, offsets, indices } = this.#layout;
    const compact = this.kind === 'compact';
    const Values = compact ? Int32Array : single === true ? Float32Array : Float64Array;
    this.#buffer = buffer;
    this.#values = new Values(buffer as ArrayBuffer, byteOffset + values, stored);
    this.#labels = new Float64Array(buffer, byteOffset + labels, rows);
    this.#importance = weighted ? new Float64Array(buffer, byteOffset + importance, rows) : null;
    this.#offsets = new Uint32Array(buffer, byteOffset + offsets, this.kind === 'dense' ? 0 : rows + 1);
    const Indices = compact ? Uint16Array : Uint32Array;
    this.#indices = new Indices(buffer as ArrayBuffer, byteOffset + indices, this.kind === 'dense' ? 0 : stored);
  }
}

/** A packed batch with the memory that it lies in, which the holder frees. */
export interface OwnedBatch {
  readonly packed: PackedBatch;
  readonly block: Block<Uint8Array>;
}

/**
 * Packs a sparse batch compactly into `block`, which grows if needed. Returns null if that would lose digits.
 *
 * @param likely the number of decimal places to try first: that of the previous batch.
 */
export function packCompactly(
  kernels: Kernels,
  batch: SparseBatch,
  likely: number,
  block?: Block<Uint8Array>,
): OwnedBatch | null {
  if (batch.dimension > 0x1_0000) return null;
  const shape = { ...shapeOf(batch), kind: 'compact' as const };
  const { bytes } = packedLayout(shape);
  const target = block ?? kernels.uint8(bytes, false);
  if (target.length < bytes) target.resize(bytes);
  for (let k = -1; k <= mostPlaces; k++) {
    const places = k === -1 ? likely : k;
    if (k === likely) continue;
    const packed = new PackedBatch(target, { ...shape, places });
    if (!kernels.compactInto(batch, places, packed.indices as Uint16Array, packed.values as Int32Array)) continue;
    copyFrameInto(batch, packed);
    return { packed, block: target };
  }
  if (block === undefined) target.free();
  return null;
}

/**
 * Copies `batch` into `block`, which grows if needed.
 *
 * @param plainly true: store all values as doubles, a compact batch as a sparse one.
 */
export function pack(kernels: Kernels, batch: StoredBatch, block?: Block<Uint8Array>, plainly = false): OwnedBatch {
  const asItIs = shapeOf(batch);
  const shape: PackedShape = plainly
    ? { ...asItIs, kind: batch.kind === 'compact' ? 'sparse' : batch.kind, single: false }
    : asItIs;
  const { bytes } = packedLayout(shape);
  const target = block ?? kernels.uint8(bytes, false);
  if (target.length < bytes) target.resize(bytes);
  const packed = new PackedBatch(target, shape);
  copyRowsInto(batch, packed);
  return { packed, block: target };
}

function copyRowsInto(batch: StoredBatch, packed: PackedBatch): void {
  const { stored } = packed.shape;
  const first = batch.kind === 'dense' ? 0 : batch.offsets[0]!;
  if (batch.kind !== 'dense') packed.indices.set(batch.indices.subarray(first, first + stored));
  if (batch.kind === 'compact' && packed.kind !== 'compact')
    decodeInto(batch.values, first, stored, batch.places, packed.doubles, 0);
  else packed.values.set(batch.values.subarray(first, first + stored));
  copyFrameInto(batch, packed);
}

/** Copies everything but indices and values. */
function copyFrameInto(batch: StoredBatch, packed: PackedBatch): void {
  const { rows } = packed.shape;
  if (batch.kind !== 'dense') {
    const first = batch.offsets[0]!;
    const { offsets } = packed;
    if (first === 0) offsets.set(batch.offsets.subarray(0, rows + 1));
    else for (let i = 0; i <= rows; i++) offsets[i] = batch.offsets[i]! - first;
  }
  packed.labels.set(batch.labels.subarray(0, rows));
  if (batch.importance !== null) packed.importance!.set(batch.importance.subarray(0, rows));
}
