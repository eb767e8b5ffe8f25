import type { RuleWithOptions } from 'halfspace';
import { presets } from 'halfspace/rules';
import { trainOnce } from 'halfspace/runs';
import type { Algorithm } from '../algorithm/algorithm.ts';
import { ruleSpecs } from '../algorithm/rules.constant.ts';
import { trainOptions } from '../algorithm/train-options.ts';
import type { EncodingOptions } from '../data/read.ts';
import type { ReadTable } from '../data/read-table.ts';
import { type Encoded, encodeExamples, encodingKey, sourceOf, vectorOf } from './encode.ts';
import type { RunProgress } from './engine.ts';
import { hasAnswerWeights, Recorder } from './recorder.ts';
import type { Recording } from './recording.ts';
import { superseding } from './superseded.ts';

/** Data in the encoding that is at hand; a run that needs another encoding makes it. */
export interface RunData {
  readonly table: ReadTable;
  readonly encoded: Encoded;
}

interface RecordOptions {
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: RunProgress) => void;
}

/** Trains by an algorithm and records every step. Returns the encoding too, which may differ from the given one. */
export async function recordRun(
  { table, encoded: before }: RunData,
  algorithm: Algorithm,
  { signal, onProgress = () => {} }: RecordOptions,
): Promise<{ readonly recording: Recording; readonly encoded: Encoded }> {
  const options = encodingOptions(table, algorithm);
  const encoded = encodingKey(options) === before.key ? before : await encodeExamples(table, options);
  const recorder = new Recorder({ dimension: encoded.dimension, answers: hasAnswerWeights(algorithm) });
  const result = await superseding(signal, () =>
    // Not `train`, whose search the page would load and not use.
    trainOnce(sourceOf(encoded), {
      ...runOptions(algorithm),
      signal,
      onProgress: (progress) => {
        if (progress.phase !== 'training') return;
        const { pass, updates, rows } = progress;
        recorder.progress();
        onProgress({ pass, updates, rows });
      },
      ...(!ruleSpecs[algorithm.rule].hasPasses ? {} : { onStep: recorder.step }),
    }),
  );
  const variant = algorithm.as === null ? null : presets[algorithm.as];
  const recording = recorder.finish({
    result,
    absorbed: variant?.bias === 'absorbed',
    start: variant?.start === 'example' ? recorder.startOf((row) => vectorOf(encoded, row), result.model) : null,
  });
  return { recording, encoded };
}

/** Returns {@link trainOptions} with those of the rule beside it. */
function runOptions(algorithm: Algorithm): Parameters<typeof trainOnce>[1] {
  const { rule, ...options } = trainOptions(algorithm);
  if (typeof rule !== 'object') return { ...options, rule } as Parameters<typeof trainOnce>[1];
  const { name, ...own } = rule as RuleWithOptions;
  return { ...options, ...own, rule: name } as Parameters<typeof trainOnce>[1];
}

/** Returns the options of a run that determine how columns become features, as in the command. */
function encodingOptions(table: ReadTable, { rule, holdout, seed }: Algorithm): EncodingOptions {
  return { scale: !ruleSpecs[rule].hasHyperplanes ? 'none' : table.scale, holdout, seed };
}
