import type { ExampleSource } from '../data/source.ts';
import { HalfspaceError } from '../errors.ts';
import { definitionOf } from '../rules/registry.ts';
import type { TrainingResult } from '../train/report.ts';
import { LedgerGuide } from './follow.ts';
import { checkRow, exampleOfRow, type Ledger, placeOfRow, stepsOfRow } from './ledger.ts';
import { type RunAgainOptions, replayBy } from './replay.ts';

/** The answer of a ledger alone about forgetting a row. */
export interface Forgettable {
  /** The updates that the row made, as steps from 1. */
  readonly steps: readonly number[];
  /** Whether the model's weights are the same without the row, as far as the ledger proves it. */
  readonly unchanged: boolean;
  /** Reason for either. */
  readonly why: 'held-out' | 'no-update' | 'updates' | 'mean' | 'order' | 'depends-on-all';
}

export interface ForgottenResult extends TrainingResult {
  readonly forgettable: Forgettable;
  /** Number of updates made as in the ledger, without a look at other examples. */
  readonly followed: number;
}

/**
 * Returns what a ledger says about forgetting a row. `held-out`: it was never learned from. `no-update`: it made no
 * update, and nothing else in the run depends on it. `updates`: it made some. `mean`: the present weights are the same,
 * but their mean counts how long they stood. `order`: without it, other examples are shuffled otherwise.
 * `depends-on-all`: a start, scaling, class weights or a stop depend on all examples.
 *
 * @param row number in the data, from 0.
 * @throws HalfspaceError `option-invalid` for a row out of range, and for a ledger that is cut.
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
  // With fewer stored values `auto` may allow more passes; after a stop for another reason that changes nothing.
  const sameEnd = (quiet === null || quiet === 'pass') && (passes !== 'auto' || ledger.closing!.stop !== 'budget');
  if (!hasSamePath(ledger, place) || !sameEnd) return 'depends-on-all';
  return definitionOf(variant.rule).answersBy === 'mean' ? 'mean' : 'no-update';
}

/**
 * Returns whether the run without an example that makes no update equals the run with it, for as long as both go on.
 */
function hasSamePath({ opening, closing }: Ledger, place: number): boolean {
  const { variant, classWeights, patience } = opening;
  return (
    variant.order === 'cyclic' &&
    patience === null &&
    variant.scaling === 'none' &&
    (variant.start === 'zero' || (variant.start === 'example' && place > 0)) &&
    classWeights !== 'balanced' &&
    // Without the only example of a class there is one class less.
    closing!.classExamples.every((count) => count > 1)
  );
}

/**
 * Trains without a row: the result is that of training on the data without it, bit for bit; others stay held out as
 * they are. Passes before its first update, but the first pass and the last, repeat the ledger where the run's order
 * allows. Only learning forgets: an encoding that was fitted to the data (tables) stays as it is.
 *
 * @param row number in the data, from 0.
 * @param source as for `replay`.
 * @throws HalfspaceError as {@link forgettable} and `replay` do.
 */
export async function forget(
  ledger: Ledger,
  source: ExampleSource,
  row: number,
  options: RunAgainOptions = {},
): Promise<ForgottenResult> {
  const what = forgettable(ledger, row);
  const { updates } = ledger;
  const place = placeOfRow(ledger, row);
  const firstPass = what.steps.length === 0 ? Infinity : updates.passOf(what.steps[0]! - 1);
  const before = Math.min(firstPass, updates.passes.length);
  // In the first pass every example is judged, and the last may end elsewhere with a row less.
  const follows = (pass: number) => pass > 1 && pass < before && hasSamePath(ledger, place);
  const guide = new LedgerGuide(ledger, { follows, omitted: place === -1 ? Infinity : place });
  const result = await replayBy(guide, ledger, source, options, row);
  return { ...result, forgettable: what, followed: guide.followed };
}

function checkWhole({ closing }: Ledger): void {
  if (closing === null)
    throw new HalfspaceError('option-invalid', 'expected a whole ledger to forget a row by; got one that is cut short');
}
