import { digested } from '../data/digest.ts';
import type { ExampleSource } from '../data/source.ts';
import type { StoreOptions } from '../data/store.ts';
import { HalfspaceError } from '../errors.ts';
import type { Kernels } from '../kernels/kernels.ts';
import type { TrainOptions } from '../train/options.ts';
import type { TrainingResult } from '../train/report.ts';
import { trainFrom } from '../train/train.ts';
import { LedgerGuide, type MadeUpdate } from './follow.ts';
import { type Ledger, trainOptionsOf } from './ledger.ts';

/** How a ledger's run is made again. */
export interface RunAgainOptions {
  /** Default: kernels made for this run. */
  readonly kernels?: Kernels | undefined;
  /** As the run had it: the order `auto` depends on whether examples are kept beyond memory. */
  readonly store?: StoreOptions | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: TrainOptions['onProgress'];
}

export interface ReplayOptions extends RunAgainOptions {
  /** The last update to be made, from 1. Default: the run is made to its end. */
  readonly step?: number | undefined;
  /** Told every update as it is made again. */
  readonly onUpdate?: ((update: MadeUpdate) => void) | undefined;
}

/**
 * Makes a ledger's run again from its data, looking only at the examples that made an update. To its end it gives the model that the run
 * gave, bit for bit; to a step, the model of the weights (or their mean) right after the example of that update, judged as at the end of a
 * run. Of a ledger that is cut the end is its last update.
 *
 * @param source the examples that the ledger is of, encoded as they were: by the ledger's `closing.features`, or from the same data with
 *   the same options.
 * @throws HalfspaceError `option-invalid` for a step that the ledger does not have; `ledger-invalid` for other data; and as `train` does.
 */
export async function replay(
  ledger: Ledger,
  source: ExampleSource,
  { step, onUpdate, ...options }: ReplayOptions = {},
): Promise<TrainingResult> {
  const guide = new LedgerGuide(ledger, { until: checkStep(ledger, step), visit: onUpdate });
  return replayBy(guide, ledger, source, options);
}

/** {@link replay} as a guide has it. */
export async function replayBy(
  guide: LedgerGuide,
  ledger: Ledger,
  source: ExampleSource,
  options: RunAgainOptions,
): Promise<TrainingResult> {
  const data = digested(source);
  const given = { ...trainOptionsOf(ledger), ...runOptions(options) };
  const result = await trainFrom(data, given, undefined, { guide });
  checkDigest(ledger, data.digest, source.name);
  return result;
}

export function runOptions({ kernels, store, signal, onProgress }: RunAgainOptions): TrainOptions {
  return { kernels, store, signal, onProgress };
}

/** @throws HalfspaceError `option-invalid`. */
export function checkStep({ updates: { count } }: Ledger, step: number | undefined): number | undefined {
  if (step === undefined || (Number.isInteger(step) && step >= 1 && step <= count)) return step;
  throw new HalfspaceError('option-invalid', `step must be a whole number in [1, ${count}]; got ${step}`);
}

/** @throws HalfspaceError `ledger-invalid` for examples that are not those of the ledger. */
export function checkDigest(
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
