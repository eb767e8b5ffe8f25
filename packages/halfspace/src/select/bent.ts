import type { StoredBatch } from '../batch.ts';
import type { ExampleSource } from '../data/source.ts';
import { ExampleStore } from '../data/store.ts';
import { wrappedSource } from '../data/wrapped-source.ts';
import type { FoldContext } from '../evaluate/candidate.ts';
import { Crossing } from '../features/cross/crossing.ts';
import type { Pairs } from '../features/cross/pair-gains.ts';
import { Bend } from '../features/number/bend.ts';
import type { TableEncoding } from '../features/table-encoding.ts';
import type { BentExamples, Shape } from './bent-folds.ts';
import type { AllExamples } from './read-all.ts';

/** Returns the largest number of edges that a search tries. */
export function usualEdges(rows: number): number {
  return rows < 5000 ? 48 : 128;
}

/**
 * Returns the training examples with bent numbers; null if they have none and no pairs are named. The caller frees the
 * store.
 *
 * @throws HalfspaceError `option-invalid` for pairs of other columns than bent numbers and categories.
 */
export async function bentExamples(
  straight: ExampleStore,
  context: FoldContext,
  { edges, pairs }: { readonly edges: number; readonly pairs: Pairs },
): Promise<BentExamples | null> {
  const encoding = context.encoding();
  const bend =
    encoding.kind === 'table'
      ? Bend.of(encoding, straight.batches(), straight.rows, { edges, evenNone: typeof pairs !== 'number' })
      : null;
  // Loaded on demand: few users name pairs.
  if (typeof pairs !== 'number') (await import('../pool/bent-fold.ts')).checkPairs(bend?.encoding ?? encoding, pairs);
  return (
    bend && {
      bend,
      pairs,
      ...reshaped(straight, context, { encoding: bend.encoding, batch: (batch) => bend.batch(batch) }),
    }
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
  { bend, store, context, pairs }: BentExamples,
  shape: Shape,
  options: { readonly alpha?: unknown },
): Promise<Reshaping> {
  const bent: Reshaping = { encoding: bend.encoding, batch: (batch) => bend.batch(batch) };
  if (shape !== 'crossed') return bent;
  const { crossesOf } = await import('../pool/bent-fold.ts');
  const crosses = await crossesOf(() => store.batches(), bend.encoding, context, {
    alpha: options.alpha as number | undefined,
    pairs,
  });
  if (crosses.length === 0) return bent;
  const crossing = new Crossing(bend.encoding, crosses);
  return { encoding: crossing.encoding, batch: (batch) => crossing.batch(bend.batch(batch)) };
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
