import type { Model, WeightIntervals } from 'halfspace';
import { withKernels } from 'halfspace/runs';
import { type CommandOptions, flagOf } from '../options.ts';
import { interruptSignal } from '../signals.ts';
import { usage } from '../usage.ts';
import { withInput } from './with-input.ts';

/** Options that only intervals have. */
const ownOptions = ['runs', 'confidence', 'seed', 'passes', 'patience', 'classWeight', 'label'] as const;

/** Refuses DATA and options that only `--intervals` uses, and `--intervals` without DATA. */
export function checkIntervals(data: readonly string[], options: CommandOptions<'inspect'>): void {
  const ofData = (['column', 'features', 'missing', 'positive', 'joinLabels'] as const).find((name) => options[name]);
  if (ofData !== undefined) throw usage(`${flagOf(ofData)} is for DATA; got a model`);
  const hasData = data.length > 0 || options.sql !== undefined;
  if (options.intervals === true) {
    if (!hasData) throw usage('--intervals needs DATA: the files that the model was trained on; got none');
    return;
  }
  if (hasData) throw usage('DATA is for --intervals; got no --intervals');
  const other = ownOptions.find((name) => options[name] !== undefined);
  if (other !== undefined) throw usage(`${flagOf(other)} is for --intervals; got no --intervals`);
}

/** The intervals, and notes about how DATA was read. */
export interface FoundIntervals {
  readonly intervals: WeightIntervals;
  readonly notes: readonly string[];
}

/** Trains again on samples of DATA. @throws HalfspaceError as `weightIntervals` does. */
export async function intervalsOf(
  model: Model,
  data: readonly string[],
  options: CommandOptions<'inspect'>,
): Promise<FoundIntervals> {
  return withInput(data, { ...options, encodedFor: model }, async ({ input, kernels, progress }) => {
    const intervals = await withKernels(kernels).weightIntervals(model, input.source, {
      runs: options.runs,
      confidence: options.confidence,
      seed: options.seed,
      most: options.top,
      passes: options.passes,
      patience: options.patience,
      classWeights: options.classWeight,
      threads: options.threads,
      signal: interruptSignal(),
      onProgress: ({ done, of }) => progress.stage(done / of, `run ${done}/${of} on a sample`),
    });
    progress.stop();
    input.finish();
    return { intervals, notes: input.notes };
  });
}
