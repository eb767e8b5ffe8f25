import type { SparseBatch, StoredBatch } from '../batch.ts';
import { HalfspaceError } from '../errors.ts';
import type { ArowMemory } from './arow.ts';
import type { Block } from './block.ts';
import { splitReciprocal, valueReader } from './decimal-places.ts';
import {
  freedMemory,
  type Kernels,
  type LearnerMemory,
  logEntry,
  type NameTableMemory,
  type RowBlocks,
  slot,
  stepKind,
  updateCondition,
} from './kernels.ts';
import { fourLanes } from './lanes.ts';
import { learnArowReference } from './reference-arow.ts';
import { parseLibsvmReference } from './reference-libsvm.ts';
import { ReferenceNames } from './reference-names.ts';
import { learnSgdReference } from './reference-sgd.ts';
import { parseVwReference } from './reference-vw.ts';
import type { SgdMemory } from './sgd.ts';

/** The kernels in plain TypeScript: the same bits as WebAssembly, where that cannot be compiled. */
export function createReferenceKernels(): Kernels {
  return new ReferenceKernels();
}

class ArrayBlock<A extends Float64Array | Uint32Array | Uint8Array> implements Block<A> {
  readonly #View: new (
    length: number,
  ) => A;
  /** Null: freed. */
  #array: A | null;

  constructor(View: new (length: number) => A, length: number) {
    this.#View = View;
    this.#array = allocate(View, length);
  }

  get array(): A {
    if (this.#array === null) throw freedMemory();
    return this.#array;
  }

  get length(): number {
    return this.#array?.length ?? 0;
  }

  resize(length: number): void {
    const moved = allocate(this.#View, length);
    moved.set((this.array.length > length ? this.array.subarray(0, length) : this.array) as never);
    this.#array = moved;
  }

  free(): void {
    this.#array = null;
  }
}

function allocate<A>(View: new (length: number) => A, length: number): A {
  try {
    return new View(length);
  } catch {
    throw new HalfspaceError('memory-exhausted', `expected memory for ${length} numbers; got none`);
  }
}

class ReferenceKernels implements Kernels {
  readonly name = 'reference';

  float64(length: number): Block<Float64Array> {
    return new ArrayBlock<Float64Array>(Float64Array, length);
  }

  uint32(length: number): Block<Uint32Array> {
    return new ArrayBlock<Uint32Array>(Uint32Array, length);
  }

  uint8(length: number): Block<Uint8Array> {
    return new ArrayBlock<Uint8Array>(Uint8Array, length);
  }

  learn(batch: StoredBatch, order: Uint32Array | null, from: number, to: number, learner: LearnerMemory): number {
    const { labels, importance } = batch;
    const weights = learner.weights.array;
    const sums = learner.sums?.array ?? null;
    const state = learner.state.array;
    const c = state[slot.biasConstant]!;
    const condition = state[slot.condition]!;
    const threshold = state[slot.threshold]!;
    const kind = state[slot.stepKind]!;
    const log = learner.log?.array ?? null;
    let logged = 0;

    let k = from;
    while (k < to) {
      const i = order === null ? k : order[k]!;
      // Behind the entries written, of which there are not more than examples before this one.
      if (log !== null && learner.timed === true) state[slot.clock] = log[logEntry * (k - from + 1)]!;
      k++;
      const y = labels[i]!;
      const h = importance === null ? 1 : importance[i]!;
      const a = dot(batch, i, weights) + state[slot.bias]! * c;

      const predicted = a > 0 ? 1 : a < 0 ? -1 : state[slot.tie]!;
      if (predicted !== y) state[slot.mistakes]! += 1;
      const m = y * a;
      let update =
        h > 0 &&
        (condition === updateCondition.atMost
          ? !(m > threshold)
          : condition === updateCondition.below
            ? !(m >= threshold)
            : (a >= 0 ? 1 : -1) !== y);
      let g = h * y;
      if (kind !== stepKind.perceptron && update) {
        const n = squaredNorm(batch, i) + c * c;
        const step = n > 0 || hasValue(batch, i) ? stepSize(kind, m, n, h, state[slot.aggressiveness]!) : 0;
        update = step !== 0;
        g = step * y;
      }
      if (update) {
        state[slot.bias]! += g * c;
        add(batch, i, g, weights);
        if (sums !== null) {
          const s = state[slot.clock]! * g;
          state[slot.biasSum]! += s * c;
          add(batch, i, s, sums);
        }
        if (log !== null) log.set([k - 1, a, g], 1 + logEntry * logged++);
        state[slot.updates]! += 1;
        state[slot.quiet] = 0;
        state[slot.clock]! += h;
        if (state[slot.updates]! >= state[slot.updateLimit]!) break;
      } else {
        state[slot.clock]! += h;
        state[slot.quiet]! += 1;
        if (state[slot.quiet]! >= state[slot.quietLimit]!) break;
      }
    }
    if (log !== null) log[0] = logged;
    state[slot.examples]! += k - from;
    return k - from;
  }

  learnSgd(batch: StoredBatch, from: number, to: number, memory: SgdMemory): number {
    return learnSgdReference(batch, from, to, memory);
  }

  learnArow(batch: StoredBatch, from: number, to: number, memory: ArowMemory): number {
    return learnArowReference(batch, from, to, memory);
  }

  scoreInto(
    batch: StoredBatch,
    weights: Block<Float64Array>,
    bias: number,
    biasConstant: number,
    out: Float64Array,
  ): void {
    const w = weights.array;
    const offset = bias * biasConstant;
    for (let i = 0; i < batch.rows; i++) out[i] = dot(batch, i, w) + offset;
  }

  squaredNormsInto(batch: StoredBatch, out: Float64Array): void {
    for (let i = 0; i < batch.rows; i++) out[i] = squaredNorm(batch, i);
  }

  compactInto(batch: SparseBatch, places: number, indices: Uint16Array, values: Int32Array): boolean {
    const ten = 10 ** places;
    const { high, low } = splitReciprocal(places);
    const first = batch.offsets[0]!;
    for (let k = 0; k < values.length; k++) {
      const x = batch.values[first + k]!;
      const m = Math.round(x * ten) | 0; // what does not fit 32 bits, and −0, does not come back
      if (!Object.is(m * high + m * low, x)) return false;
      values[k] = m;
      indices[k] = batch.indices[first + k]!;
    }
    return true;
  }

  parseLibsvm(text: Block<Uint8Array>, rows: RowBlocks, report: Block<Float64Array>, compactly = false): number {
    return parseLibsvmReference(text.array, rows, report.array, compactly);
  }

  parseVw(
    text: Block<Uint8Array>,
    rows: RowBlocks,
    names: NameTableMemory | null,
    bits: number,
    report: Block<Float64Array>,
  ): number {
    return parseVwReference(text.array, rows, names, bits, report.array);
  }

  internName(name: Block<Uint8Array>, length: number, names: NameTableMemory): number {
    return new ReferenceNames(names).intern(name.array.subarray(0, length));
  }
}

function rowRange(batch: StoredBatch, i: number): [from: number, to: number] {
  return batch.kind === 'dense'
    ? [i * batch.dimension, (i + 1) * batch.dimension]
    : [batch.offsets[i]!, batch.offsets[i + 1]!];
}

function dot(batch: StoredBatch, i: number, weights: Float64Array): number {
  const [from, to] = rowRange(batch, i);
  const value = valueReader(batch);
  if (batch.kind === 'dense') return fourLanes(to - from, (k) => weights[k]! * value(from + k));
  const { indices } = batch;
  return fourLanes(to - from, (k) => weights[indices[from + k]!]! * value(from + k));
}

function squaredNorm(batch: StoredBatch, i: number): number {
  const [from, to] = rowRange(batch, i);
  const value = valueReader(batch);
  return fourLanes(to - from, (k) => value(from + k) * value(from + k));
}

/**
 * τ of the passive-aggressive step kinds, for the loss 1 − m and the squared norm n ≥ 0 of x and the constant. NaN where n is beyond the range
 * of doubles: a step of 0 would hide that.
 */
function stepSize(kind: number, m: number, n: number, h: number, aggressiveness: number): number {
  if (n === Infinity) return Number.NaN;
  const loss = 1 - m;
  if (kind === stepKind.softened) return loss / (n + 0.5 / (h * aggressiveness));
  const whole = loss / n;
  return kind === stepKind.capped ? Math.min(h * aggressiveness, whole) : whole;
}

function hasValue(batch: StoredBatch, i: number): boolean {
  const [from, to] = rowRange(batch, i);
  const value = valueReader(batch);
  for (let k = from; k < to; k++) if (value(k) !== 0) return true;
  return false;
}

function add(batch: StoredBatch, i: number, g: number, weights: Float64Array): void {
  const [from, to] = rowRange(batch, i);
  const value = valueReader(batch);
  for (let k = from; k < to; k++) {
    const j = batch.kind === 'dense' ? k - from : batch.indices[k]!;
    weights[j]! += g * value(k);
  }
}
