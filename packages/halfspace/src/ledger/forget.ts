import { digested } from '../data/digest.ts';
import type { ExampleSource } from '../data/source.ts';
import { withoutRow } from '../data/without-row.ts';
import { HalfspaceError } from '../errors.ts';
import { definitionOf } from '../rules/registry.ts';
import type { TrainingResult } from '../train/report.ts';
import { trainFrom } from '../train/train.ts';
import { LedgerGuide } from './follow.ts';
import { checkRow, exampleOfRow, type Ledger, placeOfRow, stepsOfRow, trainOptionsOf } from './ledger.ts';
import { checkDigest, type RunAgainOptions, runOptions } from './replay.ts';

/** What a ledger alone says of forgetting a row. */
export interface Forgettable {
  /** The updates that it made, as steps from 1. */
  readonly steps: readonly number[];
  /** Whether the model's weights are, without it, the same: proved without a look at the data. */
  readonly unchanged: boolean;
  /** Why, or why that is not known. */
  readonly why: 'held-out' | 'no-update' | 'updates' | 'mean' | 'order' | 'depends-on-all';
}

export interface ForgottenResult extends TrainingResult {
  readonly forgettable: Forgettable;
  /** Updates that were made as the ledger has them, without a look at other examples. */
  readonly followed: number;
}

/**
 * What a ledger says of forgetting a row: `held-out`, it was never learned from; `no-update`, it made no update, and nothing else in the run
 * depends on it; `updates`, it made some; `mean`, the present weights are the same, but their mean counts how long they stood; `order`, chance
 * orders other examples when one is missing; `depends-on-all`, a start, scaling, class weights or a stop depend on all examples.
 *
 * @param row number in the data, from 0.
 * @throws HalfspaceError `option-invalid` for a row that there is not, or where the ledger is cut.
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
  // With fewer numbers to visit there may be more passes; after a stop for another reason that changes nothing.
  const sameEnd = (quiet === null || quiet === 'pass') && (passes !== 'auto' || ledger.closing!.stop !== 'budget');
  if (!hasSamePath(ledger, place) || !sameEnd) return 'depends-on-all';
  return definitionOf(variant.rule).answersBy === 'mean' ? 'mean' : 'no-update';
}

/** Whether the run without an example that makes no update goes the way of the run with it, for as long as both go on. */
function hasSamePath({ opening, closing }: Ledger, place: number): boolean {
  const { variant, classWeights, patience } = opening;
  return (
    variant.order === 'cyclic' &&
    patience === null &&
    variant.scaling === 'none' &&
    (variant.start === 'zero' || (variant.start === 'example' && place > 0)) &&
    classWeights !== 'balanced' &&
    // Without the only example of a class there would be one class less.
    closing!.classExamples.every((count) => count > 1)
  );
}

/**
 * Trains without a row, as if it had never been seen: the result is that of training on the data without it, bit for bit; others stay
 * held out as they are. Passes before its first update, but the first pass and the last, are made as the ledger has them, where the run's
 * order allows. Only learning forgets: the encoding of the features is the source's, and where that was fitted to the data (tables)
 * the row has had its part in it.
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
  // In the first pass every example is judged, and the last may end where a row less would have it end elsewhere.
  const follows = (pass: number) => pass > 1 && pass < before && hasSamePath(ledger, place);
  const guide = new LedgerGuide(ledger, {
    follows,
    omitted: place === -1 ? Infinity : place,
  });
  const data = digested(source);
  const given = { ...trainOptionsOf(ledger), ...runOptions(options) };
  const result = await trainFrom(withoutRow(data, row), given, undefined, {
    guide,
    omitted: exampleOfRow(ledger, row),
  });
  checkDigest(ledger, data.digest, source.name);
  return { ...result, forgettable: what, followed: guide.followed };
}

function checkWhole({ closing }: Ledger): void {
  if (closing === null)
    throw new HalfspaceError('option-invalid', 'expected a whole ledger to forget a row by; got one that is cut short');
}
