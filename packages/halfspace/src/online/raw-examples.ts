import type { StoredBatch } from '../batch.ts';
import { type Label, labelValue } from '../data/label.ts';
import { openSource } from '../data/open-source.ts';
import type { ExampleSource, RawExample, Source } from '../data/source.ts';
import { HalfspaceError } from '../errors.ts';
import type { FeatureEncoding } from '../features/encoding.ts';
import { BatchView } from '../kernels/batch-view.ts';
import { loadKernels } from '../kernels/load-late.ts';

/**
 * Yields the rows of a source as `OnlineClassifier.learn` takes them.
 *
 * @param label name of the learner's label. @param encoding that the learner goes on with; null: its own.
 */
export async function* rawExamples(
  source: Source | ExampleSource,
  label: string,
  encoding: FeatureEncoding | null,
  signal?: AbortSignal,
): AsyncGenerator<RawExample> {
  if ('raw' in source && source.raw !== undefined) {
    yield* source.raw(label, signal);
    return;
  }
  const opened = await openSource(source, { kernels: await loadKernels(), signal });
  let first = 0;
  for await (const batch of opened.batches()) {
    const rowOf = rowReader(opened.encoding(), encoding, opened.name);
    const view = new BatchView(batch);
    for (let i = 0; i < batch.rows; i++) {
      const importance = batch.importance?.[i] ?? 1;
      const place = { source: opened.name, row: first + i + 1 };
      yield { row: rowOf(view.open(i)), label: labelOf(opened, batch, i), importance, place };
    }
    first += batch.rows;
  }
}

function labelOf({ classes, labelNames, labelType }: ExampleSource, { labels }: StoredBatch, i: number): Label {
  const label = labels[i]!;
  // Labels of text are text, as in models of `train`.
  if (classes === null) return Number.isNaN(label) ? label : (labelNames?.nameOf(label) ?? String(label));
  return labelValue(classes.length === 2 ? classes[label > 0 ? 1 : 0]! : classes[label]!, labelType);
}

/** Returns a function from a row of a batch to a raw row. */
function rowReader(
  given: FeatureEncoding,
  known: FeatureEncoding | null,
  source: string,
): (view: BatchView) => Readonly<Record<string, unknown>> {
  if (given.kind === 'named' && known?.kind === 'named') {
    const { names } = given;
    return (view) =>
      Object.fromEntries(Array.from({ length: view.count }, (_, k) => [names[view.feature(k)]!, view.value(k)]));
  }
  if (given.kind !== 'indexed')
    throw new HalfspaceError(
      'option-invalid',
      'expected a table or numbered features to learn row by row; got Vowpal Wabbit text: OnlineClassifier.from(model) takes it for a model of named features, and so does the command learn',
      { source },
    );
  const { far } = given;
  const indexOf = (j: number) => (far === undefined || j < far.direct ? j : far.indices[j - far.direct]!);
  return (view) => ({
    indices: Uint32Array.from({ length: view.count }, (_, k) => indexOf(view.feature(k))),
    values: Float64Array.from({ length: view.count }, (_, k) => view.value(k)),
  });
}
