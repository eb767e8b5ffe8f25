import { ImportantRows } from '../data/important-rows.ts';
import { type Label, labelValue } from '../data/label.ts';
import { KnownLabels } from '../data/labels.ts';
import { openSource } from '../data/open-source.ts';
import type { ExampleSource, Source } from '../data/source.ts';
import { UnknownClasses } from '../data/unknown-classes.ts';
import { HalfspaceError, quote } from '../errors.ts';
import { checkOptionNames, optionNames } from '../features/option-names.ts';
import type { Kernels } from '../kernels/kernels.ts';
import { loadKernels } from '../kernels/load-late.ts';
import { readable } from '../readable.ts';
import { listed, listedClasses } from '../table/listed.ts';
import { type Evaluation, type LabelledEvaluation, ScoreJudge } from './evaluation.ts';
import { loadScorer } from './load-scorer.ts';
import { qualityOf, ScoreTally } from './metrics.ts';
import { type Model, tieOf } from './model.ts';
import type { ScoredRows } from './scored-rows.ts';
import { checkScores } from './scorer.ts';

/** Options of {@link evaluate}. */
export interface EvaluateOptions {
  /**
   * Called with the scores and labels of each batch, in order; both are valid until it returns. Two classes: labels −1
   * or +1, one score per row. More classes: labels are class positions, one score per class, row by row. Rows of
   * classes that the model does not have come too: of two classes their labels are −3, −5, …, else the positions after
   * its classes. An error that it throws ends the evaluation.
   */
  readonly onScores?: ((scored: BatchScores) => void) | undefined;
  /** Ends the evaluation with the error `interrupted`. */
  readonly signal?: AbortSignal | undefined;
}

/** Scores and labels of a batch; valid until the callback returns. */
export interface BatchScores {
  readonly scores: Float64Array;
  readonly labels: Float64Array;
}

const evaluateOptionNames = optionNames<EvaluateOptions>()('onScores signal');

/**
 * Compares the classes that a model predicts with the labels of a source, which is opened with the model's encoding and
 * classes. Skips rows of importance 0; all others count once: those of a class that the model does not have are errors,
 * and `unknownClasses` names the class. The result has the measures of each class, the ranking of two classes, and the
 * losses of probabilities. Memory does not grow with the source beyond 2²⁰ scores.
 *
 * @example
 * const { model } = await train(libsvm('data.svm'));
 * const { accuracy, confusion } = await evaluate(model, libsvm('data.svm'));
 * console.log(accuracy, confusion); // 1 [ [ 2, 0 ], [ 0, 2 ] ]
 *
 * @param source rows as for `train`, or a source of examples that is encoded for the model.
 * @throws HalfspaceError `source-empty`; `label-missing`; `label-classes` if no row has a class of the model, or for
 *   another number of classes; `number-invalid` for rows whose score is not finite; any error of the source.
 */
export async function evaluate<L extends Label = Label>(
  model: Model<L>,
  source: Source | ExampleSource,
  options: EvaluateOptions = {},
): Promise<LabelledEvaluation<L>> {
  const evaluation = await evaluateWith(await loadKernels(), model, source, options);
  return { ...evaluation, labels: model.classes.map((name) => labelValue(name, model.labelType) as L) };
}

/** {@link evaluate} with given kernels. @param kept keeps the scores for the caller. */
export async function evaluateWith(
  kernels: Kernels,
  model: Model,
  given: Source | ExampleSource,
  options: EvaluateOptions = {},
  kept?: ScoredRows,
): Promise<Evaluation> {
  checkOptionNames(options, evaluateOptionNames, 'evaluate');
  const isModel = () => typeof (model as Partial<Model> | null)?.kind === 'string' && !('format' in model);
  if (!readable('a model', isModel, 'option-invalid'))
    throw new HalfspaceError(
      'option-invalid',
      `expected a model and then a source, as in evaluate(model, source); got ${quote(model)} first`,
    );
  const { features: encoding, classes } = model;
  const source = await openSource(given, { kernels, encoding, classes, keepsUnknown: true, signal: options.signal });
  const scorer = await loadScorer(kernels, model);
  const { outputs } = scorer;
  const tally = new ScoreTally(outputs, tieOf(model));
  const judge = new ScoreJudge(model, kept);
  if (source.classes !== null && source.classes.length !== model.classes.length)
    throw new HalfspaceError(
      'label-classes',
      `expected examples of the model's ${model.classes.length} classes; got a source of ${source.classes.length}`,
      { source: source.name },
    );
  const unknown = new UnknownClasses(classes.length, source.name);
  const known = source.classes === null ? new KnownLabels(source, classes, outputs > 1, unknown) : null;
  const important = new ImportantRows();
  let scores = new Float64Array(0);
  let row = 0;
  try {
    for await (const given of source.batches()) {
      const batch = important.of(given);
      const rowOf = (i: number) => important.numberOf(row + i) + 1;
      if (scores.length < batch.rows * outputs) scores = new Float64Array(batch.rows * outputs);
      scorer.scoreInto(batch, scores);
      checkScores(scores, batch.rows, outputs, { source: source.name, row });
      const labels = batch.labels.subarray(0, batch.rows);
      const missing = labels.findIndex(Number.isNaN);
      if (missing !== -1)
        throw new HalfspaceError('label-missing', 'expected a label; got none', {
          source: source.name,
          row: rowOf(missing),
        });
      known?.map(labels, rowOf);
      tally.add(batch, scores);
      const own = scores.subarray(0, batch.rows * outputs);
      judge.add(own, labels);
      options.onScores?.({ scores: own, labels });
      row += batch.rows;
    }
  } finally {
    scorer.free();
  }
  if (row === 0)
    throw new HalfspaceError(
      'source-empty',
      important.leftOut.length === 0
        ? 'expected examples; got none'
        : 'expected examples of importance above 0; got none',
      { source: source.name },
    );
  const judgement = tally.judgementWith(known === null ? (source.unknownClasses ?? []) : unknown.names);
  const { unknownClasses = [], confusion } = judgement;
  if (confusion.every((row, k) => k >= classes.length || row.every((count) => count === 0)))
    throw new HalfspaceError(
      'label-classes',
      `expected labels of the model's classes, ${listed(classes, 10)}; got only ${listed(unknownClasses, 10)}`,
      { source: source.name },
    );
  const rows = unknownClasses.map((name, u) => [name, sum(confusion[classes.length + u]!)] as const);
  const few = listedClasses(rows);
  const all = sum(rows.map(([, count]) => count));
  return {
    ...judgement,
    ...qualityOf(judgement, classes),
    ...judge.result,
    unknown: source.unknown ?? null,
    notes: [
      ...(source.notes ?? []),
      ...(few === null
        ? []
        : [
            `${all} ${all === 1 ? 'row counts as an error' : 'rows count as errors'}: the model does not have the ${few}; train with such rows, too`,
          ]),
      ...judge.notes,
    ],
  };
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}
