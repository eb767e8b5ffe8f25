import { HalfspaceError } from '../errors.ts';
import { noClass } from '../rules/update-log.ts';
import type { LedgerClosing, LedgerOpening } from '../train/ledger-sink.ts';
import type { RunOptions } from '../train/options.ts';
import { fromShortFloat } from './short-float.ts';
import type { Updates } from './updates.ts';

/** The ledger of a run. Rows are numbered from 0, steps and passes from 1. */
export interface Ledger {
  readonly opening: LedgerOpening;
  readonly updates: Updates;
  /** Null if the file is truncated. */
  readonly closing: LedgerClosing | null;
  /** True if the run started over at the first row of a third class. Updates before that are not in `updates`. */
  readonly restarted: boolean;
  /** The error that ended reading early, or null. */
  readonly fault: HalfspaceError | null;
}

/** An update in a ledger. */
export interface LedgerUpdate {
  /** Number of the update in the run, from 1. */
  readonly step: number;
  /** From 1. */
  readonly pass: number;
  /** Number of the example in the data, from 0. */
  readonly row: number;
  /** Positions of the classes whose scores the update raised and lowered; −1 for all other classes. */
  readonly raised: number;
  readonly lowered: number;
  /** Lead of the raised class before the update, to two or three digits; at most 0 if the prediction was wrong. */
  readonly lead: number;
}

/** Returns update `step`, from 1. */
export function updateAt({ updates }: Ledger, step: number): LedgerUpdate {
  const u = step - 1;
  return {
    step,
    pass: updates.passOf(u),
    row: updates.rows[u]!,
    raised: updates.raised[u]!,
    lowered: updates.lowered[u]!,
    lead: fromShortFloat(updates.leads[u]!),
  };
}

/** Returns the steps, from 1, of the updates that a row made. */
export function stepsOfRow({ updates }: Ledger, row: number): number[] {
  const steps: number[] = [];
  for (let u = 0; u < updates.count; u++) if (updates.rows[u] === row) steps.push(u + 1);
  return steps;
}

/** Returns the index of the function that an update changed. It is 0 if one learner has all functions. */
export function functionOf(raised: number, lowered: number): number {
  return raised === noClass ? lowered : lowered === noClass ? raised : 0;
}

/** Returns +1, −1 or 0 if the update raised, lowered or kept the score of class k. Two classes share function 1. */
export function signFor(k: number, raised: number, lowered: number): -1 | 0 | 1 {
  return raised === k ? 1 : lowered === k ? -1 : 0;
}

/** Returns the training options of a ledger's run. */
export function trainOptionsOf({ opening }: Pick<Ledger, 'opening'>): RunOptions {
  const { as, variant, ruleOptions, multiclass, classWeights, patience, seed, holdout, positive } = opening;
  const { updateWhen: _, ...given } = variant;
  return {
    ...given,
    ...ruleOptions,
    as: as ?? undefined,
    multiclass,
    classWeights: classWeights ?? undefined,
    patience: patience ?? undefined,
    seed,
    holdout: holdout === 0 ? undefined : holdout,
    positive: positive ?? undefined,
  };
}

/** Returns the position, from 0, of a row among all examples; −1 for a row of importance 0. */
export function exampleOfRow({ closing }: Pick<Ledger, 'closing'>, row: number): number {
  const leftOut = closing?.leftOut ?? [];
  return leftOut.includes(row) ? -1 : row - leftOut.filter((each) => each < row).length;
}

/** Returns the position of a row among the examples to learn from; −1 if it is held out or has importance 0. */
export function placeOfRow(ledger: Pick<Ledger, 'opening' | 'closing'>, row: number): number {
  const example = exampleOfRow(ledger, row);
  const heldOut = heldOutExamples(ledger) ?? [];
  return heldOut.includes(example) ? -1 : example - heldOut.filter((each) => each < example).length;
}

/**
 * Returns the numbers of the held-out examples among those of importance above 0, from 0 and rising; null if a
 * truncated ledger does not have them.
 */
export function heldOutExamples(ledger: Pick<Ledger, 'opening' | 'closing'>): readonly number[] | null {
  const { opening, closing } = ledger;
  if (opening.holdout === 0) return [];
  if (closing === null) return null;
  return positionsAround(closing.leftOut ?? [], closing.heldOut!);
}

/** Returns the positions of rising numbers among 0, 1, 2, … without the rising numbers `leftOut`. */
function positionsAround(leftOut: readonly number[], numbers: readonly number[]): number[] {
  let before = 0;
  return numbers.map((number) => {
    while (before < leftOut.length && leftOut[before]! < number) before++;
    return number - before;
  });
}

/** @throws HalfspaceError `option-invalid` for a row out of range. */
export function checkRow({ closing }: Ledger, row: number): void {
  const rows = closing?.rows ?? Infinity;
  if (Number.isInteger(row) && row >= 0 && row < rows) return;
  throw new HalfspaceError('option-invalid', `row must be the number of an example, in [0, ${rows}); got ${row}`);
}
