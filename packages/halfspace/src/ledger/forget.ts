import type { ExampleSource, Source } from '../data/source.ts';
import { HalfspaceError } from '../errors.ts';
import { answersBy } from '../rules/registry.ts';
import type { TrainingResult } from '../train/report.ts';
import { LedgerGuide } from './follow.ts';
import { checkRow, exampleOfRow, type Ledger, placeOfRow, stepsOfRow } from './ledger.ts';
import { type RunAgainOptions, replayBy } from './replay.ts';

/** Result of {@link forgettable}. */
export interface Forgettable {
  /** Numbers, from 1, of the updates that the row made. */
  readonly steps: readonly number[];
  /** True if the ledger proves that training without the row gives the same weights. */
  readonly unchanged: boolean;
  /** The reason; see {@link forgettable}. */
  readonly why: 'held-out' | 'no-update' | 'updates' | 'mean' | 'order' | 'depends-on-all';
}

export interface ForgottenResult extends TrainingResult {
  readonly forgettable: Forgettable;
  /** Number of updates repeated from the ledger without looking at other examples. */
  readonly followed: number;
}

/**
 * Returns what a ledger proves about forgetting a row. `held-out`: the row was not learned from. `no-update`: it made
 * no update, and nothing else in the run depends on it. `updates`: it made updates. `mean`: the current weights stay
 * the same, but their mean also counts how long they stayed. `order`: without the row, the other examples are shuffled
 * differently. `depends-on-all`: the start, scaling, class weights or the stop depend on all examples.
 *
 * @param row number in the data, from 0.
 * @throws HalfspaceError `option-invalid` for a row out of range or a truncated ledger.
 */
export function forgettable(ledger: Ledger, row: number): Forgettable {
  checkWhole(ledger);
  checkRow(ledger, row);
  const steps = stepsOfRow(ledger, row);
  const why = reason(ledger, row, steps);
  return { steps, unchanged: why === 'held-out' || why === 'no-update', why };
}

function reason(ledger: Ledger, row: number, steps: readonly number[]): Forgettable['why'] {
  const { variant } = ledger.opening;
  const place = placeOfRow(ledger, row);
  if (exampleOfRow(ledger, row) === -1) return 'no-update';
  if (place === -1) return 'held-out';
  if (steps.length > 0) return 'updates';
  if (variant.order !== 'cyclic' || ledger.opening.patience !== null) return 'order';
  const { quiet, passes } = variant.stop;
  // With fewer stored values `auto` may allow more passes; that matters only if the passes ended the run.
  const sameEnd = (quiet === null || quiet === 'pass') && (passes !== 'auto' || ledger.closing!.stop !== 'budget');
  if (!hasSamePath(ledger, place) || !sameEnd) return 'depends-on-all';
  return answersBy(variant.rule, ledger.opening.ruleOptions) === 'mean' ? 'mean' : 'no-update';
}

/** Returns true if leaving out an example without updates does not change the updates of the run. */
function hasSamePath({ opening, closing }: Ledger, place: number): boolean {
  const { variant, classWeights, patience } = opening;
  return (
    variant.order === 'cyclic' &&
    patience === null &&
    variant.scaling === 'none' &&
    (variant.start === 'zero' || (variant.start === 'example' && place > 0)) &&
    classWeights !== 'balanced' &&
    // Without the only example of a class, there is one class fewer.
    closing!.classExamples.every((count) => count > 1)
  );
}

/**
 * Trains without a row. The model has the same bits as one trained on the data without the row; held-out rows stay held
 * out. Passes before the row's first update repeat the ledger if the order allows, except the first pass and the last
 * one. Only learning forgets: an encoding that was fitted to a table stays as it is.
 *
 * @param row number in the data, from 0.
 * @param source as for `replay`.
 * @throws HalfspaceError as {@link forgettable} and `replay` do.
 */
export async function forget(
  ledger: Ledger,
  source: Source | ExampleSource,
  row: number,
  options: RunAgainOptions = {},
): Promise<ForgottenResult> {
  const what = forgettable(ledger, row);
  const { updates } = ledger;
  const place = placeOfRow(ledger, row);
  const firstPass = what.steps.length === 0 ? Infinity : updates.passOf(what.steps[0]! - 1);
  const before = Math.min(firstPass, updates.passes.length);
  // The first pass predicts every example; the last one may end elsewhere without the row.
  const follows = (pass: number) => pass > 1 && pass < before && hasSamePath(ledger, place);
  const guide = new LedgerGuide(ledger, { follows, omitted: place === -1 ? Infinity : place });
  const result = await replayBy(guide, ledger, source, options, row);
  return { ...result, forgettable: what, followed: guide.followed };
}

function checkWhole({ closing }: Ledger): void {
  if (closing === null)
    throw new HalfspaceError('option-invalid', 'expected a whole ledger to forget a row; got one that is cut short');
}
