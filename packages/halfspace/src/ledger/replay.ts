import { digested } from '../data/digest.ts';
import type { ExampleSource } from '../data/source.ts';
import { withoutRow } from '../data/without-row.ts';
import { HalfspaceError } from '../errors.ts';
import type { TrainOptions } from '../train/options.ts';
import type { TrainingResult } from '../train/report.ts';
import { trainFrom } from '../train/train.ts';
import { LedgerGuide, type MadeUpdate } from './follow.ts';
import { exampleOfRow, type Ledger, trainOptionsOf } from './ledger.ts';

/**
 * Options of a repeated run. `store` is that of the run, as the order `auto` depends on whether examples are kept
 * beyond memory.
 */
export type RunAgainOptions = Pick<TrainOptions, 'kernels' | 'store' | 'signal' | 'onProgress'>;

export interface ReplayOptions extends RunAgainOptions {
  /** The last update to make, from 1. Default: the run is made to its end. */
  readonly step?: number | undefined;
  /** Called after every update. */
  readonly onUpdate?: ((update: MadeUpdate) => void) | undefined;
}

/**
 * Repeats a ledger's run from its data, and looks only at the examples that made an update. To its end it gives the
 * model that the run gave, bit for bit; to a step, the model right after the example of that update, judged as at the
 * end of a run. A ledger that is cut ends at its last update.
 *
 * @param source the examples of the ledger, encoded as they were: by the ledger's `closing.features`, or from the same
 *   data with the same options.
 * @throws HalfspaceError `option-invalid` for a step that the ledger does not have; `ledger-invalid` for other data;
 *   and as `train` does.
 */
export async function replay(
  ledger: Ledger,
  source: ExampleSource,
  { step, onUpdate, ...options }: ReplayOptions = {},
): Promise<TrainingResult> {
  const guide = new LedgerGuide(ledger, { until: checkStep(ledger, step), visit: onUpdate });
  return replayBy(guide, ledger, source, options);
}

/** Repeats a ledger's run by a guide. @param omitted number in the data of a row to leave out; absent: none. */
export async function replayBy(
  guide: LedgerGuide,
  ledger: Ledger,
  source: ExampleSource,
  { kernels, store, signal, onProgress }: RunAgainOptions,
  omitted?: number,
): Promise<TrainingResult> {
  const data = digested(source);
  const options = { ...trainOptionsOf(ledger), kernels, store, signal, onProgress };
  const result = await (omitted === undefined
    ? trainFrom(data, options, undefined, { guide })
    : trainFrom(withoutRow(data, omitted), options, undefined, { guide, omitted: exampleOfRow(ledger, omitted) }));
  checkDigest(ledger, data.digest, source.name);
  return result;
}

/** @throws HalfspaceError `option-invalid`. */
export function checkStep({ updates: { count } }: Ledger, step: number | undefined): number | undefined {
  if (step === undefined || (Number.isInteger(step) && step >= 1 && step <= count)) return step;
  throw new HalfspaceError('option-invalid', `step must be a whole number in [1, ${count}]; got ${step}`);
}

/** @throws HalfspaceError `ledger-invalid` for examples that are not those of the ledger. */
function checkDigest(
  { closing }: Ledger,
  { rows, text }: { readonly rows: number; readonly text: string },
  source: string,
): void {
  if (closing === null || (closing.rows === rows && closing.digest === text)) return;
  const got = closing.rows === rows ? 'others (their digest differs)' : `${rows}`;
  throw new HalfspaceError(
    'ledger-invalid',
    `expected the ${closing.rows} examples that the ledger is of; got ${got}`,
    { source },
  );
}
