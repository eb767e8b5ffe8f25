import { HalfspaceError, type TreeModel } from 'halfspace';
import { type DenseBatch, loadKernels } from 'halfspace/rules';
import { trainOnce } from 'halfspace/runs';
import type { Algorithm } from '../algorithm/algorithm.ts';
import type { Dataset } from '../data/dataset.ts';
import type { Inspection, Question } from '../data/inspect.ts';
import { readDataset } from '../data/read.ts';
import type { ReadTable } from '../data/read-table.ts';
import type { Companion, CompanionRequest } from './companion.ts';
import { type Encoded, encodeExamples, examplesOf, sourceOf } from './encode.ts';
import type { Engine, RunProgress, SurfaceRequest, SurfaceScores } from './engine.ts';
import type { Examples } from './examples.ts';
import { judge } from './judge.ts';
import { recordRun } from './record-run.ts';
import type { LearningPoint, Recording } from './recording.ts';
import { type Scorer, scorerAt } from './scorer.ts';
import { superseding } from './superseded.ts';
import type { Verdict } from './verdict.ts';

/**
 * Computes in the present thread: in the worker, and in tests. Modules that the first picture does not need are
 * loaded on demand.
 */
export class LocalEngine implements Engine {
  #table: ReadTable | null = null;
  /** The examples in the encoding of the last run, or of `open`. */
  #encoded: Encoded | null = null;
  #last: { readonly algorithm: Algorithm; readonly encoded: Encoded; readonly recording: Recording } | null = null;
  /** The examples that are drawn, for surfaces. */
  #drawn: { readonly of: Encoded; readonly examples: Examples } | null = null;
  #opening = new AbortController();
  #running = new AbortController();
  #judging = new AbortController();
  #curving = new AbortController();
  #growing = new AbortController();
  #drawing = new AbortController();
  #accompanying = new AbortController();

  async open(dataset: Dataset, onProgress: (share: number) => void = () => {}): Promise<Examples> {
    this.stop();
    this.#opening.abort();
    this.#opening = new AbortController();
    const { signal } = this.#opening;
    const table = await superseding(signal, () => readDataset(dataset, { signal, onProgress }));
    const encoded = await encodeExamples(table, { scale: table.scale, holdout: 0, seed: 1 });
    this.#judging.abort();
    this.#growing.abort();
    [this.#table, this.#encoded, this.#last] = [table, encoded, null];
    return examplesOf(encoded, table);
  }

  async inspect(question: Question): Promise<Inspection> {
    const { inspectTable } = await import('../data/inspect.ts');
    return inspectTable(question);
  }

  async run(algorithm: Algorithm, onProgress: (progress: RunProgress) => void = () => {}): Promise<Recording> {
    this.stop();
    this.#running = new AbortController();
    const { signal } = this.#running;
    const [table, before] = this.#opened();
    const { recording, encoded } = await recordRun({ table, encoded: before }, algorithm, { signal, onProgress });
    if (encoded !== before) this.#judging.abort();
    this.#encoded = encoded;
    this.#last = { algorithm, encoded, recording };
    return encoded === before ? recording : { ...recording, examples: examplesOf(encoded, table) };
  }

  async verdict(onProgress: (text: string) => void = () => {}): Promise<Verdict> {
    this.#judging.abort();
    this.#judging = new AbortController();
    const { signal } = this.#judging;
    const [, encoded] = this.#opened();
    return superseding(signal, () => judge(encoded, { signal, onProgress }));
  }

  async surface(request: SurfaceRequest): Promise<SurfaceScores> {
    this.#drawing.abort();
    this.#drawing = new AbortController();
    const { signal } = this.#drawing;
    if (this.#last === null) throw new HalfspaceError('source-empty', 'There is no run yet.');
    const { recording, encoded } = this.#last;
    // The page has been given the arrays of the first copy.
    if (this.#drawn?.of !== encoded) this.#drawn = { of: encoded, examples: examplesOf(encoded, this.#opened()[0]) };
    const { examples } = this.#drawn;
    return superseding(signal, () => surfaceOf(recording, examples, request, () => !signal.aborted));
  }

  async curve(algorithm: Algorithm): Promise<LearningPoint[]> {
    this.#curving.abort();
    if (this.#last === null || JSON.stringify(this.#last.algorithm) !== JSON.stringify(algorithm))
      await this.run(algorithm);
    this.#curving = new AbortController();
    const { signal } = this.#curving;
    const { recording, encoded } = this.#last!;
    return superseding(signal, async () => {
      const { curveOf } = await import('./curve.ts');
      return curveOf(recording, encoded, algorithm, () => !signal.aborted);
    });
  }

  async tree({ holdout, seed }: Algorithm): Promise<TreeModel> {
    this.#growing.abort();
    this.#growing = new AbortController();
    const { signal } = this.#growing;
    const [table] = this.#opened();
    const encoded = await encodeExamples(table, { scale: 'none', holdout, seed });
    const { model } = await superseding(signal, () =>
      trainOnce(sourceOf(encoded), { rule: 'tree', seed, signal, ...(holdout === 0 ? {} : { holdout }) }),
    );
    return model as TreeModel;
  }

  async companion(request: CompanionRequest): Promise<Companion> {
    this.#accompanying.abort();
    this.#accompanying = new AbortController();
    const { signal } = this.#accompanying;
    const [table, encoded] = this.#opened();
    const { runCompanion } = await import('./companion-runs.ts');
    return runCompanion({ table, encoded }, request, signal);
  }

  /** Ends all that is in progress but verdicts and trees. */
  stop(): void {
    for (const each of [this.#running, this.#curving, this.#drawing, this.#accompanying]) each.abort();
  }

  #opened(): [ReadTable, Encoded] {
    if (this.#table === null || this.#encoded === null) throw new HalfspaceError('source-empty', 'Open data first.');
    return [this.#table, this.#encoded];
  }
}

/** Number of values in a batch. */
const mostNumbers = 1 << 18;

/** Returns the scores of a grid and of the drawn examples. It yields to other tasks between batches. */
async function surfaceOf(
  recording: Recording,
  { vectors, shown, dimension }: Pick<Examples, 'vectors' | 'shown' | 'dimension'>,
  request: SurfaceRequest,
  isWanted: () => boolean = () => true,
): Promise<SurfaceScores> {
  const { step, columns, rows } = request;
  const grid = new Float64Array(columns * rows);
  const own = new Float64Array(shown.length);
  const scorer = scorerAt(recording, step, await loadKernels());
  if (scorer === null) return { grid, shown: step === 0 ? own : new Float64Array(0) };
  try {
    await scoreAll(scorer, { out: grid, dimension: request.at.length, fill: cellsOf(request), isWanted });
    await scoreAll(scorer, {
      out: own,
      dimension,
      fill: (values, first, count) => values.set(vectors.subarray(first * dimension, (first + count) * dimension)),
      isWanted,
    });
  } finally {
    scorer.free();
  }
  return { grid, shown: own };
}

interface Work {
  /** One score per vector. */
  readonly out: Float64Array;
  readonly dimension: number;
  /** Writes the vectors first … first + count − 1 one after the other. */
  readonly fill: (values: Float64Array, first: number, count: number) => void;
  readonly isWanted: () => boolean;
}

async function scoreAll(scorer: Scorer, { out, dimension, fill, isWanted }: Work): Promise<void> {
  const size = Math.max(1, Math.min(out.length, 512, Math.floor(mostNumbers / Math.max(1, dimension))));
  for (let first = 0; first < out.length && isWanted(); first += size) {
    const count = Math.min(size, out.length - first);
    const values = new Float64Array(count * dimension);
    fill(values, first, count);
    const labels = new Float64Array(count).fill(1);
    const batch: DenseBatch = { kind: 'dense', rows: count, dimension, values, labels, importance: null };
    scorer.scoreInto(batch, out.subarray(first, first + count));
    await new Promise((resolve) => setTimeout(resolve));
  }
}

/** Returns a function that writes the vectors of cells, row by row from the bottom left. */
function cellsOf({ features: [h, v], at, from, to, columns, rows }: SurfaceRequest): Work['fill'] {
  const dimension = at.length;
  const along = (k: number, axis: 0 | 1, count: number) =>
    count === 1 ? (from[axis] + to[axis]) / 2 : from[axis] + ((to[axis] - from[axis]) * k) / (count - 1);
  return (values, first, count) => {
    for (let k = 0; k < count; k++) {
      const [column, row] = [(first + k) % columns, Math.floor((first + k) / columns)];
      values.set(at, k * dimension);
      if (h >= 0 && h < dimension) values[k * dimension + h] = along(column, 0, columns);
      if (v >= 0 && v < dimension && v !== h) values[k * dimension + v] = along(row, 1, rows);
    }
  };
}
