import type { SparseBatch, StoredBatch } from '../batch.ts';
import { HalfspaceError } from '../errors.ts';
import { BatchView } from './batch-view.ts';
import type { Block } from './block.ts';
import { decodeInto, splitReciprocal } from './decimal-places.ts';
import { freedMemory, type Kernels, type LearnerMemory, type MistakeDrivenMemory, type RowSources } from './kernels.ts';
import * as layout from './layout.ts';
import { dotRow, LoadedRow, squaredNormOf } from './plain-row.ts';
import { learnMultinomial } from './reference-multinomial.ts';
import { learnRow, rowSteps } from './row-steps.ts';

/** `RowSources` of the kernels in plain TypeScript. */
class BatchList implements RowSources {
  readonly batches: readonly StoredBatch[];

  constructor(batches: readonly StoredBatch[]) {
    this.batches = batches;
  }

  free(): void {}
}

/** `Kernels.countPicked` in plain TypeScript. */
function countPickedReference({ batches }: BatchList, picks: Uint32Array, count: number): number {
  let stored = 0;
  for (let k = 0; k < 2 * count; k += 2) stored += rowIn(batches[picks[k]!]!, picks[k + 1]!).size;
  return stored;
}

/** `Kernels.copyPicked` in plain TypeScript. */
function copyPickedReference({ batches }: BatchList, picks: Uint32Array, count: number, target: StoredBatch): void {
  const { values, labels, importance } = target;
  let at = 0;
  for (let k = 0; k < count; k++) {
    const source = batches[picks[2 * k]!]!;
    const i = picks[2 * k + 1]!;
    const { from, size } = rowIn(source, i);
    labels[k] = source.labels[i]!;
    if (importance !== null) importance[k] = source.importance?.[i] ?? 1;
    if (source.kind === 'compact' && target.kind === 'sparse')
      decodeInto(source.values, from, size, source.places, target.values, at);
    else values.set(source.values.subarray(from, from + size), at);
    if (source.kind !== 'dense' && target.kind !== 'dense') {
      target.offsets[k] = at;
      target.indices.set(source.indices.subarray(from, from + size), at);
    }
    at += size;
  }
  if (target.kind !== 'dense') target.offsets[count] = at;
}

/** Returns the place of row i's values. */
function rowIn(batch: StoredBatch, i: number): { from: number; size: number } {
  if (batch.kind === 'dense') return { from: i * batch.dimension, size: batch.dimension };
  return { from: batch.offsets[i]!, size: batch.offsets[i + 1]! - batch.offsets[i]! };
}

/**
 * The kernels in plain TypeScript, with the bits of the WebAssembly kernels, for runtimes without WebAssembly. They
 * read no text.
 */
export function createReferenceKernels(): Kernels {
  return new ReferenceKernels();
}

class ArrayBlock<A extends Float64Array | Uint32Array | Uint8Array> implements Block<A> {
  readonly #View: new (
    length: number,
  ) => A;
  /** Null after free(). */
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

export class ReferenceKernels implements Kernels {
  readonly name = 'reference';
  readonly memory = null;

  float64(length: number): Block<Float64Array> {
    return new ArrayBlock<Float64Array>(Float64Array, length);
  }

  uint32(length: number): Block<Uint32Array> {
    return new ArrayBlock<Uint32Array>(Uint32Array, length);
  }

  uint8(length: number): Block<Uint8Array> {
    return new ArrayBlock<Uint8Array>(Uint8Array, length);
  }

  learn(batch: StoredBatch, from: number, to: number, learner: LearnerMemory): number {
    return learnReference(batch, from, to, learner);
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
    const view = new BatchView(batch);
    const row = new LoadedRow();
    for (let i = 0; i < batch.rows; i++) out[i] = dotRow(row.load(view.open(i)), w) + offset;
  }

  squaredNormsInto(batch: StoredBatch, out: Float64Array): void {
    const view = new BatchView(batch);
    const row = new LoadedRow();
    for (let i = 0; i < batch.rows; i++) out[i] = squaredNormOf(row.load(view.open(i)));
  }

  rowSources(batches: readonly StoredBatch[]): RowSources {
    return new BatchList(batches);
  }

  countPicked(sources: RowSources, picks: Block<Uint32Array>, count: number): number {
    return countPickedReference(sources as BatchList, picks.array, count);
  }

  copyPicked(sources: RowSources, picks: Block<Uint32Array>, count: number, target: StoredBatch): void {
    copyPickedReference(sources as BatchList, picks.array, count, target);
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

  parseLibsvm(..._: Parameters<Kernels['parseLibsvm']>): number {
    throw textWithoutWasm();
  }

  parseVw(..._: Parameters<Kernels['parseVw']>): number {
    throw textWithoutWasm();
  }

  internNames(..._: Parameters<Kernels['internNames']>): void {
    throw textWithoutWasm();
  }

  renumber(indices: Uint32Array | Uint16Array, count: number, numbers: Block<Uint32Array>): void {
    const { array } = numbers;
    for (let k = 0; k < count; k++) indices[k] = array[indices[k]!]!;
  }
}

function textWithoutWasm(): HalfspaceError {
  return new HalfspaceError(
    'option-invalid',
    'expected WebAssembly, which reads libsvm and Vowpal Wabbit text; got a runtime without it: give tables, rows or arrays',
  );
}

/** `Kernels.learn` in plain TypeScript. */
function learnReference(batch: StoredBatch, from: number, to: number, memory: LearnerMemory): number {
  if (memory.kind === 'multinomial') return learnMultinomial(batch, from, to, memory);
  const view = new BatchView(batch);
  const row = new LoadedRow();
  const steps = rowSteps(memory);
  const { state } = steps;
  const order = (memory.kind === 'mistake-driven' && memory.order) || null;
  const log = (memory.kind === 'mistake-driven' && memory.log?.array) || null;
  let place = from;
  if (log !== null) log[0] = 0;
  while (place < to) {
    const i = order === null ? place : order[place]!;
    // The log is input here: entry k still holds the clock of example k, because at most k entries were written.
    if (log !== null && (memory as MistakeDrivenMemory).timed === true)
      state[layout.clock] = log[1 + layout.entrySize * (place - from) + layout.entryStep]!;
    row.load(view.open(i));
    const h = batch.importance === null ? 1 : batch.importance[i]!;
    const updated = learnRow(steps, row, steps.score(row), batch.labels[i]!, h);
    if (updated && log !== null) log.set([place, steps.scored, steps.step], 1 + layout.entrySize * log[0]!++);
    place++;
    const [reached, limit] = updated
      ? [layout.updates, layout.updateLimit]
      : [layout.cleanStreak, layout.cleanStreakLimit];
    if (state[reached]! >= state[limit]!) break;
  }
  state[layout.examples]! += place - from;
  return place - from;
}
