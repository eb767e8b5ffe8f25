import type { Clock } from '../clock.ts';
import type { Frame } from './frame.ts';

/** The state of a perceptron that starts at zero and visits the examples in cyclic order. */
export interface PerceptronRun {
  /** Weights of the frame's features. */
  readonly u: Float64Array;
  bias: number;
  /** Number of mistakes nᵢ on each example; (u, bias) = Σ nᵢyᵢ(x'ᵢ, 1). */
  readonly mistakes: Uint32Array;
  /** True if the last pass was clean (made no update). */
  separated: boolean;
}

/** Number of values that a perceptron may read before another search takes over. */
const affordable = 3e8;

/**
 * Runs passes until one is clean, until time is over, or until `most` passes or the affordable number of values are
 * done.
 */
export async function learn(frame: Frame, clock: Clock, most = 300): Promise<PerceptronRun> {
  const { rows, dimension, labels, values } = frame.examples;
  const run = { u: new Float64Array(dimension), bias: 0, mistakes: new Uint32Array(rows), separated: false };
  const size = values.length + 10 * rows;
  let updates = 0;
  for (let pass = 1, read = 0; read < affordable && pass <= most && clock.left() > 0; pass++, read += size) {
    const before = updates;
    for (let i = 0; i < rows; i++) {
      if (frame.signedScore(i, run.u, run.bias) > 0) continue;
      frame.addTo(run.u, i, labels[i]!);
      run.bias += labels[i]!;
      run.mistakes[i]!++;
      updates++;
    }
    run.separated = updates === before;
    if (run.separated) break;
    if (pass % Math.max(1, Math.round(2e6 / size)) === 0) {
      clock.tell('learning', `pass ${pass}, ${updates} mistakes`);
      await clock.breathe();
    }
  }
  return run;
}
