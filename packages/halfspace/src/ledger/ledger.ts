import { HalfspaceError } from '../errors.ts';
import { noClass } from '../rules/update-log.ts';
import type { LedgerClosing, LedgerOpening } from '../train/ledger-sink.ts';
import type { TrainOptions } from '../train/options.ts';
import { RowNumbers } from '../train/row-numbers.ts';
import { fromShortFloat } from './short-float.ts';
import type { Updates } from './updates.ts';

/** The ledger of a run. Rows are numbered from 0, steps and passes from 1. */
export interface Ledger {
  readonly opening: LedgerOpening;
  readonly updates: Updates;
  /** Null where the file ends before the run did. */
  readonly closing: LedgerClosing | null;
  /** Whether the run started over when a third class came. Updates before that are not in `updates`. */
  readonly restarted: boolean;
  /** The error that ended the reading early; null: none. */
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
  /** Positions of the class whose score the update raised, and of the class whose score it lowered; −1: the rest. */
  readonly raised: number;
  readonly lowered: number;
  /** Lead of the raised class before, to two or three digits: not above 0 where it was a mistake. */
  readonly lead: number;
}

/** Returns update number `step`, from 1. */
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

/** Returns the function that an update changed, from 0, where each class has a learner; 0 where one learner has all. */
export function functionOf(raised: number, lowered: number): number {
  return raised === noClass ? lowered : lowered === noClass ? raised : 0;
}

/**
 * Returns +1, −1 or 0: the update raised, lowered or kept the score of class k. Two classes have the function of class
 * 1.
 */
export function signFor(k: number, raised: number, lowered: number): -1 | 0 | 1 {
  return raised === k ? 1 : lowered === k ? -1 : 0;
}

/** Returns the options of the run of a ledger. */
export function trainOptionsOf({ opening }: Pick<Ledger, 'opening'>): TrainOptions {
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

/** Returns the position, from 0, of a row among all examples; −1: it is of importance 0. */
export function exampleOfRow({ closing }: Pick<Ledger, 'closing'>, row: number): number {
  const leftOut = closing?.leftOut ?? [];
  return leftOut.includes(row) ? -1 : row - leftOut.filter((each) => each < row).length;
}

/**
 * Returns the position of a row among the examples to learn from, in the order of the data; −1: held out, or of
 * importance 0.
 */
export function placeOfRow(ledger: Pick<Ledger, 'opening' | 'closing'>, row: number): number {
  const example = exampleOfRow(ledger, row);
  if (ledger.opening.holdout === 0 || example === -1) return example;
  const numbers = new RowNumbers(ledger.opening, ledger.closing?.leftOut ?? []);
  let place = 0;
  while (numbers.of(place) < row) place++;
  return numbers.of(place) === row ? place : -1;
}

/** @throws HalfspaceError `option-invalid` for a row out of range. */
export function checkRow({ closing }: Ledger, row: number): void {
  const rows = closing?.rows ?? Infinity;
  if (Number.isInteger(row) && row >= 0 && row < rows) return;
  throw new HalfspaceError('option-invalid', `row must be the number of an example, in [0, ${rows}); got ${row}`);
}
