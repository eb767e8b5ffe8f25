import fc from 'fast-check';
import type { Batch } from '../../src/batch.ts';
import { arraySource, bytesSource } from '../../src/data/in-memory.ts';
import type { ExampleSource } from '../../src/data/source.ts';
import { HalfspaceError } from '../../src/errors.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { type ReadLedgerOptions, readLedger } from '../../src/ledger/reader.ts';
import { LedgerWriter } from '../../src/ledger/writer.ts';
import type { RunOptions } from '../../src/train/options.ts';
import type { TrainingResult } from '../../src/train/report.ts';
import { trainOnce } from '../../src/train/train-once.ts';
import type { Labelled } from '../oracles/classes.ts';
import type { Example } from '../oracles/oracle.ts';
import { dense, sparse } from './examples.ts';
import { denseSeveral, sparseSeveral } from './several.ts';

/** A ledger in memory. */
export function memoryTarget() {
  const pieces: Uint8Array[] = [];
  return { append: (bytes: Uint8Array) => void pieces.push(bytes), bytes: () => new Uint8Array(Buffer.concat(pieces)) };
}

export interface Recorded extends TrainingResult {
  readonly bytes: Uint8Array;
  readonly ledger: Ledger;
}

/** A run, and its ledger as read back. */
export async function recorded(source: ExampleSource, options: RunOptions = {}): Promise<Recorded> {
  const target = memoryTarget();
  const result = await trainOnce(source, { ...options, ledger: new LedgerWriter(target) });
  const bytes = target.bytes();
  return { ...result, bytes, ledger: await read(bytes) };
}

export function read(bytes: Uint8Array, options: ReadLedgerOptions = {}): Promise<Ledger> {
  return readLedger(bytesSource(bytes, 'run.ledger'), options);
}

/** Examples in two batches, of which importance is a part where it is given. */
export function inTwo(
  data: readonly Example[],
  importance: readonly number[] | null = null,
  layout: 'dense' | 'sparse' = 'dense',
): ExampleSource {
  const half = data.length >> 1;
  const make = layout === 'dense' ? dense : sparse;
  const weighed = (batch: Batch, from: number): Batch => ({
    ...batch,
    importance: importance === null ? null : Float64Array.from(importance.slice(from, from + batch.rows)),
  });
  return arraySource([weighed(make(data.slice(0, half)), 0), weighed(make(data.slice(half)), half)]);
}

export const threeNames = ['red', 'green', 'blue'];

export function severalSource(data: readonly Labelled[], layout: 'dense' | 'sparse' = 'dense'): ExampleSource {
  const make = layout === 'dense' ? denseSeveral : sparseSeveral;
  const half = data.length >> 1;
  return arraySource([make(data.slice(0, half)), make(data.slice(half))], threeNames);
}

/** Options of runs of two classes: every rule that can be recorded, every order, and all other options. */
export const runOptions: fc.Arbitrary<RunOptions> = fc
  .record({
    rule: fc.constantFrom<RunOptions>(
      { rule: 'perceptron' },
      { rule: 'perceptron', updateWhen: 'below-zero', start: 'example' },
      { rule: 'perceptron', updateWhen: 'sign-differs', tie: 1 },
      { rule: 'averaged' },
      { rule: 'averaged' },
      { rule: 'margin', margin: 2.5 },
      { rule: 'passive-aggressive', variant: 'pa' },
      { rule: 'passive-aggressive', variant: 'pa-1', aggressiveness: 0.25 },
      { rule: 'passive-aggressive', variant: 'pa-2' },
      { as: 'lecture-9' },
      { as: 'cs4780' },
      { as: 'foda' },
      { as: 'slides' },
    ),
    order: fc.constantFrom(
      undefined,
      undefined,
      'cyclic' as const,
      'shuffled' as const,
      'shuffled-once' as const,
      'random' as const,
      'auto' as const,
    ),
    start: fc.constantFrom(undefined, undefined, undefined, 'random' as const),
    seed: fc.nat(1000),
    holdout: fc.constantFrom(undefined, undefined, 0.2),
    classWeights: fc.constantFrom<RunOptions['classWeights']>(undefined, undefined, 'balanced', { '-1': 0.7 }),
    patience: fc.constantFrom(undefined, undefined, undefined, 2),
    scaling: fc.constantFrom(undefined, undefined, undefined, 'max-norm' as const),
    passes: fc.integer({ min: 1, max: 6 }),
  })
  .map(({ rule, order, start, patience, ...rest }) => {
    const all: RunOptions = { ...rule, order, ...rest, ...(start === undefined ? {} : { start }) };
    const takesPatience = order !== 'shuffled' && order !== 'random' && rule.as !== 'lecture-9';
    return takesPatience ? { ...all, patience } : all;
  });

/** Returns the result of a run; null if its options exclude each other, or leave a class without examples. */
export async function refusable<T>(act: () => Promise<T>): Promise<T | null> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof HalfspaceError && ['label-classes', 'option-invalid', 'source-empty'].includes(error.code))
      return null;
    throw error;
  }
}
