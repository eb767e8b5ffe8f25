import { type Batch, storedValues } from '../batch.ts';
import type { Block, Kernels } from '../kernels/kernels.ts';

/** What must be known of a packed batch besides its bytes. */
export interface PackedShape {
  readonly kind: Batch['kind'];
  readonly rows: number;
  readonly dimension: number;
  /** Numbers in `values`. */
  readonly stored: number;
  /** Whether importance weights are there. */
  readonly weighted: boolean;
}

/**
 * The bytes of one batch in one piece: values, labels, importance (8 bytes each), then offsets and indices (4 bytes each).
 * The same layout in kernel memory and on disk, so a batch is written and read back in one step.
 */
interface Layout {
  readonly labels: number;
  readonly importance: number;
  readonly offsets: number;
  readonly indices: number;
  readonly bytes: number;
}

export function packedLayout(shape: PackedShape): Layout {
  const labels = shape.stored * 8;
  const importance = labels + shape.rows * 8;
  const offsets = importance + (shape.weighted ? shape.rows * 8 : 0);
  const indices = offsets + (shape.kind === 'sparse' ? (shape.rows + 1) * 4 : 0);
  const bytes = indices + (shape.kind === 'sparse' ? shape.stored * 4 : 0);
  return { labels, importance, offsets, indices, bytes };
}

export function shapeOf(batch: Batch): PackedShape {
  return {
    kind: batch.kind,
    rows: batch.rows,
    dimension: batch.dimension,
    stored: storedValues(batch),
    weighted: batch.importance !== null,
  };
}

/**
 * A batch whose arrays lie in one block of kernel memory, so kernels work on it without copying. The arrays are looked up
 * afresh after memory has grown.
 */
export class PackedBatch {
  readonly kind: 'sparse' | 'dense';
  readonly rows: number;
  readonly dimension: number;
  readonly shape: PackedShape;
  readonly #block: Block<Uint8Array>;
  readonly #layout: Layout;
  #buffer: ArrayBufferLike | null = null;
  #values!: Float64Array;
  #labels!: Float64Array;
  #importance: Float64Array | null = null;
  #offsets!: Uint32Array;
  #indices!: Uint32Array;

  /** @param block at least `packedLayout(shape).bytes` long; not owned. */
  constructor(block: Block<Uint8Array>, shape: PackedShape) {
    this.kind = shape.kind;
    this.rows = shape.rows;
    this.dimension = shape.dimension;
    this.shape = shape;
    this.#block = block;
    this.#layout = packedLayout(shape);
  }

  get values(): Float64Array {
    this.#refresh();
    return this.#values;
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

  get indices(): Uint32Array {
    this.#refresh();
    return this.#indices;
  }

  /** The same object as a batch. */
  get batch(): Batch {
    return this as unknown as Batch;
  }

  #refresh(): void {
    const { array } = this.#block;
    if (array.buffer === this.#buffer) return;
    const { rows, stored, weighted } = this.shape;
    const { buffer, byteOffset } = array;
    this.#buffer = buffer;
    this.#values = new Float64Array(buffer, byteOffset, stored);
    this.#labels = new Float64Array(buffer, byteOffset + this.#layout.labels, rows);
    this.#importance = weighted ? new Float64Array(buffer, byteOffset + this.#layout.importance, rows) : null;
    const sparse = this.kind === 'sparse';
    this.#offsets = new Uint32Array(buffer, byteOffset + this.#layout.offsets, sparse ? rows + 1 : 0);
    this.#indices = new Uint32Array(buffer, byteOffset + this.#layout.indices, sparse ? stored : 0);
  }
}

/** Copies `batch` into `block`, which is enlarged when it is too small. */
export function pack(
  kernels: Kernels,
  batch: Batch,
  block?: Block<Uint8Array>,
): { packed: PackedBatch; block: Block<Uint8Array> } {
  const shape = shapeOf(batch);
  const { bytes } = packedLayout(shape);
  const target = block ?? kernels.uint8(bytes, false);
  if (target.length < bytes) target.resize(bytes);
  const packed = new PackedBatch(target, shape);
  copyRowsInto(batch, packed);
  return { packed, block: target };
}

function copyRowsInto(batch: Batch, packed: PackedBatch): void {
  const { rows, stored } = packed.shape;
  if (batch.kind === 'sparse') {
    const first = batch.offsets[0]!;
    packed.values.set(batch.values.subarray(first, first + stored));
    packed.indices.set(batch.indices.subarray(first, first + stored));
    if (first === 0) packed.offsets.set(batch.offsets.subarray(0, rows + 1));
    else for (let i = 0; i <= rows; i++) packed.offsets[i] = batch.offsets[i]! - first;
  } else {
    packed.values.set(batch.values.subarray(0, stored));
  }
  packed.labels.set(batch.labels.subarray(0, rows));
  if (batch.importance !== null) packed.importance!.set(batch.importance.subarray(0, rows));
}
