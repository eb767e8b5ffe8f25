import type { StoredBatch } from '../batch.ts';
import type { ExampleSource, Source } from '../data/source.ts';
import { selectRows } from '../data/split.ts';
import { HalfspaceError } from '../errors.ts';
import { forEachNonzero } from '../kernels/batch-view.ts';
import { createKernels } from '../kernels/load.ts';
import { scorerOf } from '../model/function-scorer.ts';
import type { LinearModel } from '../model/linear/model.ts';
import { functionsOf } from '../model/model.ts';
import type { MulticlassModel } from '../model/multiclass/model.ts';
import type { LearnedFunction } from '../rules/learner.ts';
import { answersBy } from '../rules/registry.ts';
import { noClass } from '../rules/update-log.ts';
import { checkClass, type ExplainOptions, productOf } from './explain-weight.ts';
import { LedgerGuide } from './follow.ts';
import { checkRow, type Ledger, signFor } from './ledger.ts';
import { openExamples } from './open-examples.ts';
import { checkStep, replayBy } from './replay.ts';

/** Contribution of one training row to the score of the explained row. */
export interface RowContribution {
  /** Number of the example in the data, from 0. */
  readonly row: number;
  /** Number of its updates to the explained function. */
  readonly updates: number;
  /** Position of its class; −1 if the ledger only tells that it is not the explained class. */
  readonly class: number;
  /**
   * Its dual coefficient α: Σ ±τ over its updates, for averaged weights each times the share of the run that follows.
   */
  readonly coefficient: number;
  /** x·x' + c², where x and x' are scaled as in training. */
  readonly similarity: number;
  /** coefficient · similarity. */
  readonly contribution: number;
}

/** The dual form w = Σ α x of the lectures, applied to one example. */
export interface ScoreExplanation {
  readonly row: number;
  readonly class: number;
  /** Score of the model, with the same bits as from `predict`. */
  readonly score: number;
  /** All rows that made updates, by descending absolute contribution. */
  readonly rows: readonly RowContribution[];
  /** Score of the weights before the first update. */
  readonly start: number;
  /** `score` minus `start` and all contributions: the rounding error. */
  readonly rounding: number;
}

/**
 * Explains the score of a row by the rows that made updates. Replays the run and reads the source up to three times, so
 * the source must be readable again.
 *
 * @param row number in the data, from 0.
 * @throws HalfspaceError as `explainWeight` does.
 */
export async function explainScore(
  ledger: Ledger,
  source: Source | ExampleSource,
  row: number,
  { step, class: given, ...options }: ExplainOptions = {},
): Promise<ScoreExplanation> {
  checkRow(ledger, row);
  const { rule, start } = ledger.opening.variant;
  const tally = new Tally();
  let first: LearnedFunction | undefined;
  const { returns } = ledger.opening.variant;
  const guide = new LedgerGuide(ledger, {
    keeps: returns === 'unit' && ledger.opening.patience !== null,
    until: checkStep(ledger, step),
    begin: (learner) => {
      if (start !== 'zero') [first] = learner.presentFunctions?.() ?? learner.functions();
    },
    visit: ({ row: from, pass, raised, lowered, size, clock }) =>
      tally.add(from, { pass, raised, lowered, size, clock }),
  });
  const kernels = options.kernels ?? createKernels();
  const { model, report } = await replayBy(guide, ledger, source, { ...options, kernels });
  const k = checkClass(model.classes.length, given);
  const functions = functionsOf(model as LinearModel | MulticlassModel);
  const position = functions.length === 1 ? 0 : k;
  const { biasConstant: c, divisor, weights } = functions[position]!;
  const { last, clock, functions: learned } = guide.endOf(report);
  const time = answersBy(rule, ledger.opening.ruleOptions) === 'mean' && clock > 0 ? clock : Infinity;
  const length = returns === 'unit' ? ratio(weights, learned[position]) : 1;

  // A source is opened for each reading.
  const example = await rowOf(await openExamples(ledger, source, kernels), row);
  const x = valuesOf(example);
  const product = (batch: StoredBatch, i: number) => productOf(batch, i, x) / divisor / divisor + c * c;
  const rows: RowContribution[] = [];
  let number = 0;
  for await (const batch of (await openExamples(ledger, source, kernels)).batches()) {
    for (let i = 0; i < batch.rows; i++, number++) {
      const own = tally.of(number, k, { last, time });
      if (own === null) continue;
      const similarity = product(batch, i);
      const coefficient = own.coefficient * length;
      const contribution = coefficient * similarity;
      rows.push({ row: number, updates: own.updates, class: own.class, coefficient, similarity, contribution });
    }
  }
  rows.sort((one, other) => Math.abs(other.contribution) - Math.abs(one.contribution) || one.row - other.row);
  const scorer = scorerOf(kernels, functions);
  const scores = new Float64Array(functions.length);
  scorer.scoreInto(example, scores);
  scorer.free();
  const score = scores[position]!;
  const before = first !== undefined && 'weights' in first ? first : null;
  const begun = before === null ? 0 : length * (dotOf(x, before.weights) / divisor + before.bias * c);
  const rounding = score - rows.reduce((sum, { contribution }) => sum + contribution, begun);
  return { row, class: k, score, rows, start: begun, rounding };
}

interface Made {
  readonly pass: number;
  readonly raised: number;
  readonly lowered: number;
  readonly size: number;
  readonly clock: number;
}

/** Groups the updates by row. */
class Tally {
  readonly #made = new Map<number, Made[]>();

  add(row: number, made: Made): void {
    const own = this.#made.get(row);
    if (own === undefined) this.#made.set(row, [made]);
    else own.push(made);
  }

  /** Sums up the updates that a row made to the function of class k; null if there are none. */
  of(row: number, k: number, { last, time }: { readonly last: number; readonly time: number }) {
    let [updates, coefficient, name] = [0, 0, noClass];
    for (const { pass, raised, lowered, size, clock } of this.#made.get(row) ?? []) {
      const sign = signFor(k, raised, lowered);
      if (sign === 0 || pass > last) continue;
      updates++;
      coefficient += sign * size * (1 - clock / time);
      name = raised;
    }
    return updates === 0 ? null : { updates, coefficient, class: name };
  }
}

/** Returns the factor between the model's weights and the learned ones. */
function ratio(weights: Float64Array, learned: LearnedFunction | undefined): number {
  if (learned === undefined || !('weights' in learned)) return 1;
  let largest = 0;
  learned.weights.forEach((w, j) => {
    if (Math.abs(w) > Math.abs(learned.weights[largest]!)) largest = j;
  });
  const w = learned.weights[largest] ?? 0;
  return w === 0 ? 1 : weights[largest]! / w;
}

async function rowOf(source: ExampleSource, row: number): Promise<StoredBatch> {
  let first = 0;
  for await (const batch of source.batches()) {
    if (row < first + batch.rows) return selectRows(batch, [row - first]);
    first += batch.rows;
  }
  throw new HalfspaceError('option-invalid', `row must be the number of an example, in [0, ${first}); got ${row}`);
}

function valuesOf(one: StoredBatch): Map<number, number> {
  const values = new Map<number, number>();
  forEachNonzero(one, 0, (j, x) => values.set(j, x));
  return values;
}

function dotOf(x: ReadonlyMap<number, number>, weights: Float64Array): number {
  let sum = 0;
  for (const [j, value] of x) sum += value * (weights[j] ?? 0);
  return sum;
}
