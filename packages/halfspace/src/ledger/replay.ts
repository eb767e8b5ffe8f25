import { digested } from '../data/digest.ts';
import type { ExampleSource, Source } from '../data/source.ts';
import { ListedSplit, selectRows } from '../data/split.ts';
import { wrappedSource } from '../data/wrapped-source.ts';
import { HalfspaceError } from '../errors.ts';
import { loadKernels } from '../kernels/load-late.ts';
import type { RunOptions } from '../train/options.ts';
import type { TrainingResult } from '../train/report.ts';
import { trainFrom } from '../train/train-once.ts';
import { LedgerGuide, type MadeUpdate } from './follow.ts';
import { exampleOfRow, heldOutExamples, type Ledger, trainOptionsOf } from './ledger.ts';
import { openExamples } from './open-examples.ts';

/** Options of a repeated run. `store` must be that of the run: the order `auto` depends on it. */
export type RunAgainOptions = Pick<RunOptions, 'kernels' | 'store' | 'signal' | 'onProgress'>;

export interface ReplayOptions extends RunAgainOptions {
  /** The last update to make, from 1. Default: the run goes on to its end. */
  readonly step?: number | undefined;
  /** Called after every update. */
  readonly onUpdate?: ((update: MadeUpdate) => void) | undefined;
}

/**
 * Repeats the run of a ledger from its data. Looks only at the examples that made an update. Without `step`, returns
 * the model of the run, bit for bit. With `step`, returns the model right after that update, evaluated as at the end of
 * a run. A truncated ledger ends at its last update.
 *
 * @param source the data of the run: a source as for `train`, or examples that are encoded by `closing.features`.
 * @throws HalfspaceError `option-invalid` for a step that does not exist; `ledger-invalid` for other data; and as
 *   `train` does.
 */
export async function replay(
  ledger: Ledger,
  source: Source | ExampleSource,
  { step, onUpdate, ...options }: ReplayOptions = {},
): Promise<TrainingResult> {
  const guide = new LedgerGuide(ledger, { until: checkStep(ledger, step), visit: onUpdate });
  return replayBy(guide, ledger, source, options);
}

/** Repeats the run of a ledger by a guide. @param omitted number in the data of a row to leave out. Default: none. */
export async function replayBy(
  guide: LedgerGuide,
  ledger: Ledger,
  source: Source | ExampleSource,
  { kernels: given, store, signal, onProgress }: RunAgainOptions,
  omitted?: number,
): Promise<TrainingResult> {
  const kernels = given ?? (await loadKernels());
  const data = digested(await openExamples(ledger, source, kernels, signal));
  const options = { ...trainOptionsOf(ledger), kernels, store, signal, onProgress };
  const row = omitted === undefined ? -1 : exampleOfRow(ledger, omitted);
  const heldOut = heldOutExamples(ledger);
  const following = { guide, split: heldOut === null ? undefined : new ListedSplit(withoutExample(heldOut, row)) };
  const examples = omitted === undefined ? data : withoutRow(data, omitted);
  const result = await trainFrom(examples, options, { following });
  checkDigest(ledger, data.digest, source.name);
  return result;
}

/** Returns the numbers of held-out examples if an example is missing. @param omitted its number; −1: none is. */
function withoutExample(heldOut: readonly number[], omitted: number): readonly number[] {
  if (omitted === -1) return heldOut;
  return heldOut.filter((i) => i !== omitted).map((i) => (i > omitted ? i - 1 : i));
}

/** @throws HalfspaceError `option-invalid`. */
export function checkStep({ updates: { count } }: Ledger, step: number | undefined): number | undefined {
  if (step === undefined || (Number.isInteger(step) && step >= 1 && step <= count)) return step;
  throw new HalfspaceError('option-invalid', `step must be a whole number in [1, ${count}]; got ${step}`);
}

/** @throws HalfspaceError `ledger-invalid` if the examples are not those of the ledger. */
function checkDigest(
  { closing }: Ledger,
  { rows, text }: { readonly rows: number; readonly text: string },
  source: string,
): void {
  if (closing === null || (closing.rows === rows && closing.digest === text)) return;
  const got = closing.rows === rows ? 'others (their digest differs)' : `${rows}`;
  throw new HalfspaceError('ledger-invalid', `expected the ${closing.rows} examples of the ledger; got ${got}`, {
    source,
  });
}

/** Returns a source without one example, with the features of all. @param row the example's number, from 0. */
function withoutRow(source: ExampleSource, row: number): ExampleSource {
  return wrappedSource(source, {
    async *batches() {
      let first = 0;
      for await (const batch of source.batches()) {
        const { rows } = batch;
        const at = row - first;
        first += rows;
        if (at < 0 || at >= rows) yield batch;
        else
          yield selectRows(
            batch,
            Array.from({ length: rows - 1 }, (_, i) => (i < at ? i : i + 1)),
          );
      }
    },
  });
}
