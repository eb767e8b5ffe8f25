import { PackedBatch, type PackedShape, pack, packedLayout, shapeOf } from '../data/packed.ts';
import { ExampleStore } from '../data/store.ts';
import { FoldParts } from '../evaluate/fold-parts.ts';
import type { Metric } from '../evaluate/metric.ts';
import type { FeatureEncoding } from '../features/encoding.ts';
import type { Block } from '../kernels/block.ts';
import type { Kernels } from '../kernels/kernels.ts';
import type { ResultOf, Task } from './task.ts';
import { type Memory, memoryOf } from './threads.ts';

/** The data that a thread starts with. */
export interface ThreadSetup {
  /** The kernels' `WebAssembly.Module`. (As `unknown`: not all users of these types have its type.) */
  readonly module: unknown;
  readonly classes: number;
  /** Factors of the class weights. */
  readonly factors: readonly number[] | null;
  /** The encoding of the examples, without names. */
  readonly encoding: FeatureEncoding;
  /** The metric of the goal; null for accuracy. */
  readonly metric: Metric | null;
}

/** Examples by fold, in shared memory where there is any. */
export interface SharedParts {
  readonly memory: Memory;
  /** Batches of each fold, one after the other in `memory`. */
  readonly shapes: readonly (readonly PackedShape[])[];
  readonly joins: boolean;
}

/** Tasks of a round. Each thread takes the next one by counting `next`, or asks for it. */
export interface TasksMessage {
  readonly round: number;
  readonly tasks: readonly Task[];
  /** Null without shared memory. */
  readonly next: SharedArrayBuffer | null;
  /** Present if the examples are not those of the message before. */
  readonly examples?: SharedParts | undefined;
}

/** A task for a thread that asked for one. */
export interface DealtTask {
  readonly round: number;
  readonly dealt: number;
}

/** The result of a task; null if the thread could not run it. */
export interface ResultMessage {
  readonly round: number;
  /** Null: the thread only asks for a task. */
  readonly task: number | null;
  readonly result: ResultOf<Task> | null;
}

/** Copies examples to memory for threads. */
export function shareParts(kernels: Kernels, parts: FoldParts): SharedParts {
  // Folds are in memory, so their batches stay valid.
  const folds = Array.from({ length: parts.folds }, (_, fold) => [...parts.judgedOn(fold)]);
  const shapes = folds.map((batches) => batches.map(shapeOf));
  const bytes = shapes.flat().reduce((sum, shape) => sum + roomOf(shape), 0);
  const memory = memoryOf(bytes);
  let at = 0;
  for (const [fold, batches] of folds.entries())
    for (const [k, batch] of batches.entries()) {
      const shape = shapes[fold]![k]!;
      pack(kernels, batch, blockAt(memory, at, shape));
      at += roomOf(shape);
    }
  return { memory, shapes, joins: parts.joins };
}

/** Copies examples from there to the memory of kernels. */
export function openParts(kernels: Kernels, { memory, shapes, joins }: SharedParts): FoldParts {
  let at = 0;
  const parts = shapes.map((own) => {
    const part = new ExampleStore(kernels, { compact: true, memoryBudget: Infinity });
    for (const shape of own) {
      part.append(new PackedBatch(blockAt(memory, at, shape), shape).batch);
      at += roomOf(shape);
    }
    return part;
  });
  return new FoldParts(kernels, parts, joins);
}

/** Bytes of a batch, whole doubles. */
function roomOf(shape: PackedShape): number {
  return Math.ceil(packedLayout(shape).bytes / 8) * 8;
}

function blockAt(memory: Memory, at: number, shape: PackedShape): Block<Uint8Array> {
  const array = new Uint8Array(memory, at, packedLayout(shape).bytes);
  return { array, length: array.length, resize() {}, free() {} };
}
