import type { SparseBatch, StoredBatch } from '../batch.ts';
import { HalfspaceError } from '../errors.ts';
import type { ArowMemory } from './arow.ts';
import type { Block } from './block.ts';
import { parseDecimal } from './decimal.ts';
import { splitReciprocal } from './decimal-places.ts';
import {
  freedMemory,
  type Kernels,
  type LearnerMemory,
  type NameTableMemory,
  parsedPlaces,
  type RowBlocks,
  slot,
  stepKind,
} from './kernels.ts';
import type { SgdMemory } from './sgd.ts';
import type { WasmExports } from './wasm-exports.ts';
import { wasmModule } from './wasm-module.ts';

type Numbers = Float64Array | Uint32Array | Uint8Array;
/** What batches are made of. */
type Pinned = Float64Array | Float32Array | Uint32Array | Int32Array | Uint16Array;
type View = typeof Float64Array | typeof Uint32Array;

let compiled: WebAssembly.Module | null = null;

/** The kernels' module, compiled once; other threads can be given it. @throws where WebAssembly is not compiled. */
export function compiledModule(): WebAssembly.Module {
  if (compiled === null) {
    const bytes = new Uint8Array(wasmModule.length);
    for (let i = 0; i < bytes.length; i++) bytes[i] = wasmModule.charCodeAt(i);
    compiled = new WebAssembly.Module(bytes);
  }
  return compiled;
}

/**
 * The WebAssembly kernels, or null where the runtime does not compile WebAssembly from bytes, or has no SIMD.
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

/** WebAssembly addresses four gigabytes; allocations near that are refused before they are tried. */
const largestAllocation = 0xf000_0000;

/** Text kernels read up to 64 bytes at a time, also where fewer are left. */
const readBeyond = 64;

function allocate(exports: WasmExports, bytes: number, clear: boolean): number {
  let pointer = 0;
  try {
    if (bytes <= largestAllocation) pointer = exports.allocate(bytes + readBeyond, clear ? 1 : 0) >>> 0;
  } catch {
    // The module traps where the runtime cannot grow its memory.
  }
  if (pointer === 0)
    throw new HalfspaceError('memory-exhausted', `expected ${bytes} bytes of memory for the kernels; got none`);
  return pointer;
}

class WasmKernels implements Kernels {
  readonly name = 'wasm';
  readonly #exports: WasmExports;
  readonly #staging = new Map<string, WasmBlock<Numbers>>();

  constructor(exports: WasmExports) {
    this.#exports = exports;
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

  learn(batch: StoredBatch, order: Uint32Array | null, from: number, to: number, learner: LearnerMemory): number {
    const pins = this.#pinned(batch, { order });
    const which = [pins.order, from, to] as const;
    const { weights, sums, state, log, timed } = learner;
    const rest = [
      pins.labels,
      pins.importance,
      pointerOf(weights),
      sums === null ? 0 : pointerOf(sums),
      pointerOf(state),
    ] as const;
    const sized = state.array[slot.stepKind] !== stepKind.perceptron;
    const exports = this.#exports;
    if (log) {
      const { high, low } = batch.kind === 'compact' ? splitReciprocal(batch.places) : { high: 1, low: 0 };
      const data = [pins.offsets, pins.indices, pins.values, batch.dimension, high, low] as const;
      return exports.learnLogged(layoutOf(batch), pointerOf(log), timed === true ? 1 : 0, ...which, ...data, ...rest);
    }
    if (batch.kind === 'compact') {
      const { high, low } = splitReciprocal(batch.places);
      const learnCompact = sized ? exports.learnCompactSized : exports.learnCompact;
      return learnCompact(...which, pins.offsets, pins.indices, pins.values, high, low, ...rest);
    }
    if (batch.kind === 'sparse')
      return (sized ? exports.learnSparseSized : exports.learnSparse)(
        ...which,
        pins.offsets,
        pins.indices,
        pins.values,
        ...rest,
      );
    const learnSingle = sized ? exports.learnSingleSized : exports.learnSingle;
    const learnDense = sized ? exports.learnDenseSized : exports.learnDense;
    return (isSingle(batch) ? learnSingle : learnDense)(...which, pins.values, batch.dimension, ...rest);
  }

  learnSgd(batch: StoredBatch, from: number, to: number, { records, state }: SgdMemory): number {
    const rows = this.#listed(batch, from, to);
    return this.#exports.learnSgd(...rows, pointerOf(records), pointerOf(state));
  }

  learnArow(batch: StoredBatch, from: number, to: number, { weights, variances, sums, state }: ArowMemory): number {
    const rows = this.#listed(batch, from, to);
    const summed = sums === null ? 0 : pointerOf(sums);
    return this.#exports.learnArow(...rows, pointerOf(weights), pointerOf(variances), summed, pointerOf(state));
  }

  scoreInto(
    batch: StoredBatch,
    weights: Block<Float64Array>,
    bias: number,
    biasConstant: number,
    out: Float64Array,
  ): void {
    const { rows, dimension } = batch;
    const { offsets, indices, values } = this.#pinned(batch, {});
    const scores = this.#room('out', rows);
    const rest = [pointerOf(weights), bias * biasConstant, scores.pointer] as const;
    if (batch.kind === 'compact') {
      const { high, low } = splitReciprocal(batch.places);
      this.#exports.scoreCompact(rows, offsets, indices, values, high, low, ...rest);
    } else if (batch.kind === 'sparse') this.#exports.scoreSparse(rows, offsets, indices, values, ...rest);
    else if (isSingle(batch)) this.#exports.scoreSingle(rows, values, dimension, ...rest);
    else this.#exports.scoreDense(rows, values, dimension, ...rest);
    out.set(scores.array.subarray(0, rows));
  }

  squaredNormsInto(batch: StoredBatch, out: Float64Array): void {
    const { rows, dimension } = batch;
    const { offsets, values } = this.#pinned(batch, {});
    const norms = this.#room('out', rows);
    if (batch.kind === 'compact') {
      const { high, low } = splitReciprocal(batch.places);
      this.#exports.squaredNormsCompact(rows, offsets, values, high, low, norms.pointer);
    } else if (batch.kind === 'sparse') this.#exports.squaredNormsSparse(rows, offsets, values, norms.pointer);
    else if (isSingle(batch)) this.#exports.squaredNormsSingle(rows, values, dimension, norms.pointer);
    else this.#exports.squaredNormsDense(rows, values, dimension, norms.pointer);
    out.set(norms.array.subarray(0, rows));
  }

  compactInto(batch: SparseBatch, places: number, indices: Uint16Array, values: Int32Array): boolean {
    // Where to write is asked before memory may grow, which would detach these views; addresses stay.
    const { byteOffset: outIndices } = indices;
    const { byteOffset: outValues, length } = values;
    const first = batch.offsets[0]!;
    const pins = this.#pinned(batch, {});
    const from = [pins.indices + 4 * first, pins.values + 8 * first] as const;
    const { high, low } = splitReciprocal(places);
    return this.#exports.compact(...from, length, 10 ** places, high, low, outIndices, outValues) === 1;
  }

  parseLibsvm(text: Block<Uint8Array>, rows: RowBlocks, report: Block<Float64Array>, compactly = false): number {
    const places = [
      pointerOf(text),
      pointerOf(rows.offsets),
      rows.labels.length,
      pointerOf(rows.indices),
      pointerOf(rows.values),
      rows.values.length,
      pointerOf(rows.labels),
      pointerOf(report),
    ] as const;
    if (!compactly) return this.#exports.parseLibsvm(...places);
    const { high, low } = splitReciprocal(parsedPlaces);
    return this.#exports.parseLibsvmCompact(high, low, ...places);
  }

  parseVw(
    text: Block<Uint8Array>,
    rows: RowBlocks,
    names: NameTableMemory | null,
    bits: number,
    report: Block<Float64Array>,
  ): number {
    // For features that come twice: 2^18 words, and for the longest row at least twice as many as it has values.
    const capacity = rows.values.length;
    const words = Math.max(2 ** 18, 2 ** Math.ceil(Math.log2(2 * capacity + 2)));
    const places = this.#room('places', words, Uint32Array).pointer;
    const head = [
      pointerOf(text),
      pointerOf(rows.offsets),
      rows.labels.length,
      pointerOf(rows.indices),
      pointerOf(rows.values),
      capacity,
      pointerOf(rows.labels),
      pointerOf(rows.importance),
      places,
    ] as const;
    return names === null
      ? this.#exports.parseVwHashed(...head, bits, pointerOf(report))
      : this.#exports.parseVwNamed(...head, ...tableOf(names), pointerOf(report));
  }

  internName(name: Block<Uint8Array>, length: number, names: NameTableMemory): number {
    return this.#exports.intern(pointerOf(name), length, ...tableOf(names));
  }

  /** What the kernels take that list each row's nonzeros: examples [from, to), and room for the longest list. */
  #listed(batch: StoredBatch, from: number, to: number) {
    let longest = 1;
    if (batch.kind === 'dense') longest += batch.dimension;
    else {
      // Nothing is allocated here, so the offsets need not be asked for at every row, which of packed rows takes longer than learning from them.
      const { offsets } = batch;
      for (let i = from; i < to; i++) longest = Math.max(longest, offsets[i + 1]! - offsets[i]!);
    }
    // Twenty bytes a place and 32 more, see assembly/nonzeros.ts; once there is room, this allocates nothing.
    const capacity = (longest + 7) & ~3;
    const list = this.#room('list', capacity * 2.5 + 4);
    const pins = this.#pinned(batch, {});
    const { high, low } = batch.kind === 'compact' ? splitReciprocal(batch.places) : { high: 1, low: 0 };
    const layout = layoutOf(batch);
    const data = [pins.offsets, pins.indices, pins.values, batch.dimension, high, low] as const;
    return [layout, from, to, ...data, pins.labels, pins.importance, list.pointer, capacity] as const;
  }

  /** Addresses of a batch's arrays; those outside kernel memory are copied into it first. */
  #pinned(batch: StoredBatch, { order = null }: { order?: Uint32Array | null }) {
    const { rows } = batch;
    const stored = batch.kind === 'dense' ? rows * batch.dimension : batch.offsets[rows]!;
    return {
      order: order === null ? 0 : this.#pin('order', order, order.length),
      offsets: batch.kind === 'dense' ? 0 : this.#pin('offsets', batch.offsets, rows + 1),
      indices: batch.kind === 'dense' ? 0 : this.#pin('indices', batch.indices, stored),
      values: this.#pin('values', batch.values, stored),
      labels: this.#pin('labels', batch.labels, rows),
      importance: batch.importance === null ? 0 : this.#pin('importance', batch.importance, rows),
    };
  }

  #pin(name: string, array: Pinned, length: number): number {
    if (array.buffer === this.#exports.memory.buffer) return array.byteOffset;
    const copy = this.#room(name, length, array.constructor as typeof Float64Array);
    copy.array.set(array.length === length ? array : array.subarray(0, length));
    return copy.pointer;
  }

  /** A reused block of at least `length` elements. */
  #room(name: string, length: number, View: View = Float64Array): WasmBlock<Numbers> {
    const key = `${name} ${View.name}`;
    let block = this.#staging.get(key);
    if (block === undefined || block.length < length) {
      block?.free();
      block = new WasmBlock<Numbers>(this.#exports, View as never, Math.max(1024, length + (length >> 1)));
      this.#staging.set(key, block);
    }
    return block;
  }
}

/** As assembly/nonzeros.ts and assembly/learn.ts number them. */
const layouts = { sparse: 0, dense: 1, compact: 2, single: 3 } as const;

function layoutOf(batch: StoredBatch): number {
  return isSingle(batch) ? layouts.single : layouts[batch.kind];
}

/** Whether values are 32-bit floats. */
function isSingle(batch: StoredBatch): boolean {
  return batch.values instanceof Float32Array;
}

function pointerOf(block: Block<Numbers>): number {
  const { pointer } = block as WasmBlock<Numbers>;
  if (pointer === 0) throw freedMemory();
  return pointer;
}

function tableOf(names: NameTableMemory) {
  const { slots, arena, state, frozen } = names;
  return [
    pointerOf(slots),
    slots.length >>> 1,
    pointerOf(arena),
    arena.length,
    pointerOf(state),
    frozen ? 1 : 0,
  ] as const;
}
