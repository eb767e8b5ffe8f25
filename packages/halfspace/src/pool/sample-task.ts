import type { ExampleSource } from '../data/source.ts';
import { resampled } from '../evaluate/bootstrap.ts';
import type { FoldContext } from '../evaluate/candidate.ts';
import type { FoldParts } from '../evaluate/fold-parts.ts';
import type { LinearModel } from '../model/linear/model.ts';
import { weightReader } from '../model/linear/sparse-weights.ts';
import { functionsOf } from '../model/model.ts';
import type { MulticlassModel } from '../model/multiclass/model.ts';
import type { RunOptions } from '../train/options.ts';
import { trainOnce } from '../train/train-once.ts';

/** A run on a bootstrap sample of the examples, which are the only part: plain data, for any thread. */
export interface SampleTask {
  /** Seed of the sample. */
  readonly sample: number;
  readonly run: RunOptions;
  /** Name of the source, for messages. */
  readonly name: string;
  readonly classes: readonly string[];
  /** Features whose weights are asked for, of each function. */
  readonly features: readonly (readonly number[])[];
}

/** Weights that a run found for a function. */
export interface SampledWeights {
  /** The bias times its constant. */
  readonly bias: number;
  readonly weights: readonly number[];
}

/** Runs a task. Only reads the examples. */
export async function runSampleTask(
  { sample, run, name, classes, features }: SampleTask,
  { kernels, encoding, reading }: FoldContext,
  parts: FoldParts,
): Promise<readonly SampledWeights[]> {
  const source: ExampleSource = {
    name,
    classes,
    encoding,
    async *batches() {
      yield* resampled(parts.judgedOn(0), sample);
    },
  };
  const { model } = await trainOnce(source, { ...run, ...reading, kernels });
  return functionsOf(model as LinearModel | MulticlassModel).map((linear, k) => ({
    bias: linear.bias * linear.biasConstant,
    weights: features[k]!.map(weightReader(linear)),
  }));
}
