import { longestRow, type SparseBatch, type StoredBatch } from '../batch.ts';
import { HalfspaceError } from '../errors.ts';
import type { Block } from './block.ts';
import { parseDecimal } from './decimal.ts';
import { mostPlaces, splitReciprocal } from './decimal-places.ts';
import {
  freedMemory,
  type Kernels,
  type LearnerMemory,
  type NameEntries,
  type NameTableMemory,
  type RowBlocks,
  type RowSources,
  strideOf,
} from './kernels.ts';
import * as layout from './layout.ts';
import type { NameTablePlaces, WasmExports } from './wasm-exports.ts';
import { wasmModule } from './wasm-module.ts';

type Numbers = Float64Array | Uint32Array | Uint8Array;
/** Arrays of batches. */
type Pinned = Float64Array | Float32Array | Uint32Array | Int32Array | Uint16Array;
type View = typeof Float64Array | typeof Uint32Array;

let compiled: WebAssembly.Module | null = null;

/** Returns the module, compiled once; it can be sent to other threads. @throws if WebAssembly is not available. */
export function compiledModule(): WebAssembly.Module {
  if (compiled === null) {
    compiled = moduleOf(wasmModule);
  }
  return compiled;
}

/** Compiles letters. One from # to } is 0 to 90, with ! for the backslash; a ~ before it adds 91, a blank 182. */
export function moduleOf(letters: string): WebAssembly.Module {
  const bytes = new Uint8Array(letters.length);
  let length = 0;
  let more = 0;
  for (let i = 0; i < letters.length; i++) {
    const code = letters.charCodeAt(i);
    if (code === 126) more = 91;
    else if (code === 32) more = 182;
    else {
      bytes[length++] = more + (code === 33 ? 92 : code) - 35;
      more = 0;
    }
  }
  return new WebAssembly.Module(bytes.slice(0, length));
}

/**
 * Returns the WebAssembly kernels; null if the runtime cannot compile WebAssembly from bytes, or has no SIMD.
 *
 * @param module {@link compiledModule} of another thread. Default: this thread's.
 */
export function createWasmKernels(module?: WebAssembly.Module): Kernels | null {
  let instance: WebAssembly.Instance;
  try {
    const host = {
      parseDecimal: (from: number, to: number): number =>
        parseDecimal(new Uint8Array((instance.exports as unknown as WasmExports).memory.buffer), from, to),
    };
    instance = new WebAssembly.Instance(module ?? compiledModule(), { host });
  } catch {
    return null;
  }
  return new WasmKernels(instance.exports as unknown as WasmExports);
}

class WasmBlock<A extends Numbers> implements Block<A> {
  readonly #exports: WasmExports;
  readonly #View: new (
    buffer: ArrayBuffer,
    byteOffset: number,
    length: number,
  ) => A;
  readonly #elementBytes: number;
  #array: A;
  pointer = 0;
  length = 0;
  #freed = false;

  constructor(
    exports: WasmExports,
    View: (new (buffer: ArrayBuffer, byteOffset: number, length: number) => A) & { BYTES_PER_ELEMENT: number },
    length: number,
    clear = true,
  ) {
    this.#exports = exports;
    this.#View = View;
    this.#elementBytes = View.BYTES_PER_ELEMENT;
    this.#array = new View(exports.memory.buffer, 0, 0);
    this.resize(length, clear);
  }

  get array(): A {
    if (this.#freed) throw freedMemory();
    // Growing detaches every view of the old buffer.
    if (this.#array.buffer !== this.#exports.memory.buffer)
      this.#array = new this.#View(this.#exports.memory.buffer, this.pointer, this.length);
    return this.#array;
  }

  resize(length: number, clear = true): void {
    if (this.#freed) throw freedMemory();
    const pointer = allocate(this.#exports, length * this.#elementBytes, clear);
    const moved = new this.#View(this.#exports.memory.buffer, pointer, length);
    if (this.pointer !== 0) {
      const kept = this.array;
      moved.set((kept.length > length ? kept.subarray(0, length) : kept) as never);
      this.#exports.release(this.pointer);
    }
    this.pointer = pointer;
    this.length = length;
    this.#array = moved;
  }

  free(): void {
    if (this.#freed) return;
    this.#freed = true;
    this.#exports.release(this.pointer);
    this.pointer = 0;
    this.length = 0;
    this.#array = new this.#View(this.#exports.memory.buffer, 0, 0);
  }
}

/** WebAssembly addresses four gigabytes; larger allocations are refused at once. */
const largestAllocation = 0xf000_0000;

/** Text kernels read up to 64 bytes at a time, also near the end. */
const readBeyond = 64;

function allocate(exports: WasmExports, bytes: number, clear: boolean): number {
  let pointer = 0;
  try {
    if (bytes <= largestAllocation) pointer = exports.allocate(bytes + readBeyond, clear ? 1 : 0) >>> 0;
  } catch {
    // The module traps if the runtime cannot grow its memory.
  }
  if (pointer === 0)
    throw new HalfspaceError('memory-exhausted', `expected ${bytes} bytes of memory for the kernels; got none`);
  return pointer;
}

class WasmKernels implements Kernels {
  readonly name = 'wasm';
  readonly memory: WebAssembly.Memory;
  readonly #exports: WasmExports;
  readonly #staging = new Map<View, Map<string, WasmBlock<Numbers>>>();
  /** The batch of the current call, described as in layout.ts. */
  readonly #batch: WasmBlock<Uint32Array>;
  /** `high` and `low` of compact values, by decimal places. */
  readonly #scales: WasmBlock<Float64Array>;

  constructor(exports: WasmExports) {
    this.#exports = exports;
    this.memory = exports.memory;
    this.#batch = new WasmBlock<Uint32Array>(exports, Uint32Array, layout.batchSize);
    this.#scales = new WasmBlock<Float64Array>(exports, Float64Array, 2 * (mostPlaces + 1));
    for (let places = 0; places <= mostPlaces; places++) {
      const { high, low } = splitReciprocal(places);
      this.#scales.array.set([high, low], 2 * places);
    }
  }

  float64(length: number, clear = true): Block<Float64Array> {
    return new WasmBlock<Float64Array>(this.#exports, Float64Array, length, clear);
  }

  uint32(length: number, clear = true): Block<Uint32Array> {
    return new WasmBlock<Uint32Array>(this.#exports, Uint32Array, length, clear);
  }

  uint8(length: number, clear = true): Block<Uint8Array> {
    return new WasmBlock<Uint8Array>(this.#exports, Uint8Array, length, clear);
  }

  learn(batch: StoredBatch, from: number, to: number, learner: LearnerMemory): number {
    const exports = this.#exports;
    const state = pointerOf(learner.state);
    if (learner.kind === 'mistake-driven') {
      const { weights, sums, order, log, timed } = learner;
      const shown = order === undefined ? 0 : this.#pin('order', order, order.length);
      const [w, u, entries] = [pointerOf(weights), pointerOrNone(sums), pointerOrNone(log)];
      return exports.learn(this.#described(batch), shown, from, to, w, u, state, entries, timed === true ? 1 : 0);
    }
    // A multiple of 4 places, at least 4 more than the longest row has values. Allocates only if the list is too short.
    const capacity = (longestRow(batch, from, to) + 8) & ~3;
    const list = this.#room('list', (capacity * layout.listPlaceBytes + layout.listEndBytes) / 8).pointer;
    const described = this.#described(batch);
    if (learner.kind === 'sgd')
      return exports.learnSgd(described, from, to, list, capacity, pointerOf(learner.records), state);
    if (learner.kind === 'multinomial') {
      const { classes, records, biases } = learner;
      // A number for each class, of each nonzero, of four lanes and of the gradient.
      const scratch = this.#room('scratch', (capacity + 5) * strideOf(classes)).pointer;
      const [all, constants] = [pointerOf(records), pointerOf(biases)];
      return exports.learnMultinomial(described, from, to, list, capacity, scratch, classes, all, constants, state);
    }
    const { weights, variances, sums } = learner;
    const [w, v, u] = [pointerOf(weights), pointerOf(variances), pointerOrNone(sums)];
    return exports.learnArow(described, from, to, list, capacity, w, v, u, state);
  }

  scoreInto(
    batch: StoredBatch,
    weights: Block<Float64Array>,
    bias: number,
    biasConstant: number,
    out: Float64Array,
  ): void {
    const scores = this.#room('out', batch.rows);
    this.#exports.score(this.#described(batch), pointerOf(weights), bias * biasConstant, scores.pointer);
    out.set(scores.array.subarray(0, batch.rows));
  }

  rowSources(batches: readonly StoredBatch[]): RowSources {
    const sources = new WasmBlock<Uint32Array>(this.#exports, Uint32Array, batches.length * layout.batchSize, false);
    for (const [k, batch] of batches.entries()) {
      this.#described(batch);
      sources.array.set(this.#batch.array, k * layout.batchSize);
    }
    return sources;
  }

  countPicked(sources: RowSources, picks: Block<Uint32Array>, count: number): number {
    return this.#exports.countPicked(pointerOf(sources as WasmBlock<Uint32Array>), pointerOf(picks), count);
  }

  copyPicked(sources: RowSources, picks: Block<Uint32Array>, count: number, target: StoredBatch): void {
    const from = pointerOf(sources as WasmBlock<Uint32Array>);
    this.#exports.copyPicked(from, pointerOf(picks), count, this.#described(target));
  }

  squaredNormsInto(batch: StoredBatch, out: Float64Array): void {
    const norms = this.#room('out', batch.rows);
    this.#exports.squaredNorms(this.#described(batch), norms.pointer);
    out.set(norms.array.subarray(0, batch.rows));
  }

  compactInto(batch: SparseBatch, places: number, indices: Uint16Array, values: Int32Array): boolean {
    // Get the address before memory grows, which would detach these views; addresses stay valid.
    const { byteOffset: outIndices } = indices;
    const { byteOffset: outValues, length } = values;
    const first = batch.offsets[0]!;
    const stored = batch.offsets[batch.rows]!;
    const from = [
      this.#pin('indices', batch.indices, stored) + 4 * first,
      this.#pin('values', batch.values, stored) + 8 * first,
    ] as const;
    const { high, low } = splitReciprocal(places);
    return this.#exports.compact(...from, length, 10 ** places, high, low, outIndices, outValues) === 1;
  }

  parseLibsvm(text: Block<Uint8Array>, rows: RowBlocks, report: Block<Float64Array>, compactly = false): number {
    const kind = compactly ? layout.compactRows : layout.sparseRows;
    return this.#exports.parseLibsvm(pointerOf(text), this.#describedRoom(rows, kind), pointerOf(report));
  }

  parseVw(
    text: Block<Uint8Array>,
    rows: RowBlocks,
    names: NameTableMemory | null,
    bits: number,
    report: Block<Float64Array>,
    compactly = false,
  ): number {
    // For repeated features: 2^16 words, at least twice as many as the longest row has values, and one for each name.
    const most = names === null ? 0 : names.slots.length / 4;
    const words = Math.max(2 ** 16, 2 ** Math.ceil(Math.log2(2 * rows.values.length + 2)), most);
    const places = this.#room('places', words, Uint32Array).pointer;
    const kind = compactly ? layout.compactRows : layout.sparseRows;
    const given = [pointerOf(text), this.#describedRoom(rows, kind), places, pointerOf(report)] as const;
    return names === null
      ? this.#exports.parseVwHashed(...given, bits)
      : this.#exports.parseVwNamed(...given, ...placesOf(names));
  }

  internNames(
    { block, from, count }: NameEntries,
    names: NameTableMemory,
    numbers: Block<Uint32Array>,
    at: number,
  ): void {
    this.#exports.internNames(pointerOf(block) + from, count, pointerOf(numbers) + 4 * at, ...placesOf(names));
  }

  renumber(indices: Uint32Array | Uint16Array, count: number, numbers: Block<Uint32Array>): void {
    this.#exports.renumber(indices.byteOffset, count, indices.BYTES_PER_ELEMENT === 2 ? 1 : 0, pointerOf(numbers));
  }

  /** Describes a batch in kernel memory and returns the address. Copies arrays outside kernel memory into it first. */
  #described(batch: StoredBatch): number {
    const { rows, dimension } = batch;
    const isDense = batch.kind === 'dense';
    const stored = isDense ? rows * dimension : batch.offsets[rows]!;
    return this.#describe({
      kind: isDense && batch.values instanceof Float32Array ? layout.singleRows : layouts[batch.kind],
      rows,
      dimension,
      offsets: isDense ? 0 : this.#pin('offsets', batch.offsets, rows + 1),
      indices: isDense ? 0 : this.#pin('indices', batch.indices, stored),
      values: this.#pin('values', batch.values, stored),
      labels: this.#pin('labels', batch.labels, rows),
      importance: batch.importance === null ? 0 : this.#pin('importance', batch.importance, rows),
      places: batch.kind === 'compact' ? batch.places : 0,
      stored,
    });
  }

  /** Describes room for the rows of a text kernel, and returns the address. */
  #describedRoom({ offsets, indices, values, labels, importance }: RowBlocks, kind: number): number {
    return this.#describe({
      kind,
      rows: labels.length,
      dimension: 0,
      offsets: pointerOf(offsets),
      indices: pointerOf(indices),
      values: pointerOf(values),
      labels: pointerOf(labels),
      importance: pointerOf(importance),
      places: layout.parsedPlaces,
      stored: values.length,
    });
  }

  #describe(batch: Record<BatchFact, number>): number {
    const facts = this.#batch.array;
    facts[layout.batchLayout] = batch.kind;
    facts[layout.batchRows] = batch.rows;
    facts[layout.batchDimension] = batch.dimension;
    facts[layout.batchOffsets] = batch.offsets;
    facts[layout.batchIndices] = batch.indices;
    facts[layout.batchValues] = batch.values;
    facts[layout.batchLabels] = batch.labels;
    facts[layout.batchImportance] = batch.importance;
    facts[layout.batchScale] = this.#scales.pointer + 16 * batch.places;
    facts[layout.batchStored] = batch.stored;
    return this.#batch.pointer;
  }

  #pin(name: string, array: Pinned, length: number): number {
    if (array.buffer === this.#exports.memory.buffer) return array.byteOffset;
    const copy = this.#room(name, length, array.constructor as typeof Float64Array);
    copy.array.set(array.length === length ? array : array.subarray(0, length));
    return copy.pointer;
  }

  /** Returns a reused block of at least `length` elements. */
  #room(name: string, length: number, View: View = Float64Array): WasmBlock<Numbers> {
    let rooms = this.#staging.get(View);
    if (rooms === undefined) {
      rooms = new Map();
      this.#staging.set(View, rooms);
    }
    let block = rooms.get(name);
    if (block === undefined || block.length < length) {
      block?.free();
      block = new WasmBlock<Numbers>(this.#exports, View as never, Math.max(1024, length + (length >> 1)));
      rooms.set(name, block);
    }
    return block;
  }
}

type BatchFact =
  | 'kind'
  | 'rows'
  | 'dimension'
  | 'offsets'
  | 'indices'
  | 'values'
  | 'labels'
  | 'importance'
  | 'places'
  | 'stored';

/** Layouts of rows by kind; dense rows of 32-bit floats are `singleRows`. */
const layouts = { sparse: layout.sparseRows, dense: layout.denseRows, compact: layout.compactRows } as const;

function pointerOf(block: Block<Numbers>): number {
  const { pointer } = block as WasmBlock<Numbers>;
  if (pointer === 0) throw freedMemory();
  return pointer;
}

function pointerOrNone(block: Block<Numbers> | null | undefined): number {
  return block ? pointerOf(block) : 0;
}

function placesOf({ slots, arena, decimals, state }: NameTableMemory): NameTablePlaces {
  const table = [pointerOf(slots), slots.length >>> 1, pointerOf(arena), arena.length] as const;
  return [...table, pointerOf(decimals), pointerOf(state)];
}
