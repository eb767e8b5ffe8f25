import { findMaximumMargin, HalfspaceError, presets, type TreeModel, train } from 'halfspace';
import type { Algorithm } from '../algorithm/algorithm.ts';
import { trainOptions } from '../algorithm/train-options.ts';
import type { Dataset } from '../data/dataset.ts';
import { type ReadTable, readDataset, sourceOf } from '../data/read.ts';
import { encodeExamples } from './encode.ts';
import type { Engine, LearningPoint, RunProgress, SurfaceRequest } from './engine.ts';
import type { Examples } from './examples.ts';
import { Recorder } from './recorder.ts';
import type { Recording } from './recording.ts';
import type { Verdict } from './verdict.ts';

/** Computes where it is called: inside the worker, and in tests. */
export class LocalEngine implements Engine {
  #table: ReadTable | null = null;
  #examples: Examples | null = null;
  #running = new AbortController();

  async open(dataset: Dataset): Promise<Examples> {
    this.#running.abort();
    const table = readDataset(dataset);
    const examples = await encodeExamples(table);
    this.#table = table;
    this.#examples = examples;
    return examples;
  }

  async run(algorithm: Algorithm, onProgress: (progress: RunProgress) => void): Promise<Recording> {
    this.#running.abort();
    this.#running = new AbortController();
    const { signal } = this.#running;
    const [table, examples] = this.#opened();
    const recorder = new Recorder(examples.dimension);
    const options = trainOptions(algorithm);
    const result = await train(sourceOf(table), {
      ...options,
      signal,
      onProgress: ({ pass, updates, rows }) => onProgress({ pass, updates, rows }),
      ...(algorithm.rule === 'tree' ? {} : { onStep: recorder.step }),
    });
    return recorder.finish(result, { absorbed: algorithm.as !== null && presets[algorithm.as].bias === 'absorbed' });
  }

  async verdict(): Promise<Verdict> {
    const [table] = this.#opened();
    const own = await findMaximumMargin(sourceOf(table), { gap: 1e-6 });
    if (own.separable !== true) return { kind: 'undecided', upper: own.upper, why: 'not looked for yet' };
    const lifted = await findMaximumMargin(sourceOf(table), { gap: 1e-6, bias: 'absorbed' });
    return { kind: 'separable', weights: own.weights, bias: own.bias, lower: own.lower, upper: own.upper, lifted };
  }

  async surface(_: SurfaceRequest): Promise<Float64Array> {
    throw new HalfspaceError('option-invalid', 'surfaces are not computed yet');
  }

  async curve(_: Algorithm): Promise<LearningPoint[]> {
    return [];
  }

  async tree({ holdout, seed }: Algorithm): Promise<TreeModel> {
    const [table] = this.#opened();
    const { model } = await train(sourceOf(table), { rule: 'tree', seed, ...(holdout === 0 ? {} : { holdout }) });
    return model as TreeModel;
  }

  #opened(): [ReadTable, Examples] {
    if (this.#table === null || this.#examples === null)
      throw new HalfspaceError('source-empty', 'expected data to be opened first');
    return [this.#table, this.#examples];
  }
}
