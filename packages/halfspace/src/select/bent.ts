import type { StoredBatch } from '../batch.ts';
import type { ExampleSource } from '../data/source.ts';
import { ExampleStore } from '../data/store.ts';
import { wrappedSource } from '../data/wrapped-source.ts';
import type { FoldContext } from '../evaluate/candidate.ts';
import { Crossing } from '../features/cross/crossing.ts';
import type { FeatureEncoding } from '../features/encoding.ts';
import { Bend } from '../features/number/bend.ts';
import type { TableEncoding } from '../features/table-encoding.ts';
import type { RuleOptions } from '../rules/registry.ts';
import type { BentExamples, Shape } from './bent-folds.ts';
import type { AllExamples } from './read-all.ts';

/** Returns the largest number of edges that a search tries. */
export function usualEdges(rows: number): number {
  return rows < 5000 ? 48 : 128;
}

/** Returns the training examples with bent numbers; null if they have none. The caller frees the store. */
export function bentExamples(straight: ExampleStore, context: FoldContext, edges: number): BentExamples | null {
  const bend = bendOf(context.encoding(), straight, edges);
  return (
    bend && { bend, ...reshaped(straight, context, { encoding: bend.encoding, batch: (batch) => bend.batch(batch) }) }
  );
}

/** Returns a copy of examples in another shape. The caller frees the store. */
export function reshaped(
  from: ExampleStore,
  context: FoldContext,
  { encoding, batch: reshape }: Reshaping,
): { readonly store: ExampleStore; readonly context: FoldContext } {
  const store = new ExampleStore(context.kernels, { compact: true });
  for (const batch of from.batches()) store.append(reshape(batch));
  return { store, context: { ...context, encoding: () => encoding } };
}

/** Gives batches the shape that was chosen, and has its encoding. */
export interface Reshaping {
  readonly encoding: TableEncoding;
  readonly batch: (batch: StoredBatch) => StoredBatch;
}

/** Returns the chosen shape: bent, or with the crosses that all examples ask for. */
export async function finalShape(
  { bend, store, context }: BentExamples,
  shape: Shape,
  options: RuleOptions,
): Promise<Reshaping> {
  const bent: Reshaping = { encoding: bend.encoding, batch: (batch) => bend.batch(batch) };
  if (shape !== 'crossed') return bent;
  const { crossesOf } = await import('../pool/bent-fold.ts');
  const crosses = await crossesOf(() => store.batches(), bend.encoding, context, options.alpha as number);
  if (crosses.length === 0) return bent;
  const crossing = new Crossing(bend.encoding, crosses);
  return { encoding: crossing.encoding, batch: (batch) => crossing.batch(bend.batch(batch)) };
}

/** Returns the examples and their source with bent numbers; null if they have none. */
export function bentAll(source: ExampleSource, all: AllExamples, edges: number): ReturnType<typeof bendAll> | null {
  const bend = bendOf(source.encoding(), all.intake.store, edges);
  return bend && bendAll(source, all, { encoding: bend.encoding, batch: (batch) => bend.batch(batch) });
}

/** Gives all examples another shape, and their source its encoding. */
export function bendAll(
  source: ExampleSource,
  all: AllExamples,
  shape: Reshaping,
): { readonly source: ExampleSource; readonly all: AllExamples } {
  all.intake.encodeAgain(shape.batch);
  const encoding = () => shape.encoding;
  return { source: wrappedSource(source, { encoding }), all: { ...all, context: { ...all.context, encoding } } };
}

function bendOf(encoding: FeatureEncoding, store: ExampleStore, edges: number): Bend | null {
  return encoding.kind === 'table' ? Bend.of(encoding, store.batches(), store.rows, edges) : null;
}
