import type { Clock } from './clock.ts';
import type { Frame } from './frame.ts';

/** What a run of the perceptron from zero, in cyclic order, has come to. */
export interface PerceptronRun {
  /** On the frame's features. */
  readonly u: Float64Array;
  bias: number;
  /** nᵢ: mistakes made on every example; (u, bias) = Σ nᵢyᵢ(x'ᵢ, 1). */
  readonly mistakes: Uint32Array;
  updates: number;
  /** Whether the last pass was clean. */
  separated: boolean;
}

export function startPerceptron({ examples }: Frame): PerceptronRun {
  return {
    u: new Float64Array(examples.dimension),
    bias: 0,
    mistakes: new Uint32Array(examples.rows),
    updates: 0,
    separated: false,
  };
}

/** One pass. @returns the updates made. */
export function runPass(frame: Frame, run: PerceptronRun): number {
  const { rows, labels } = frame.examples;
  let updates = 0;
  for (let i = 0; i < rows; i++) {
    if (frame.signedScore(i, run.u, run.bias) > 0) continue;
    frame.addTo(run.u, i, labels[i]!);
    run.bias += labels[i]!;
    run.mistakes[i]!++;
    updates++;
  }
  run.updates += updates;
  run.separated = updates === 0;
  return updates;
}

/** Values that may be read while a perceptron looks for a separator, before another search takes over. */
const affordable = 3e8;

/** Passes until one is clean, or the time or what may be read is over. */
export async function learn(frame: Frame, run: PerceptronRun, clock: Clock): Promise<void> {
  const size = frame.examples.values.length + 10 * frame.examples.rows;
  for (let pass = 1, read = 0; read < affordable && pass <= 300; pass++, read += size) {
    if (clock.left() === 0 || runPass(frame, run) === 0) return;
    if (pass % Math.max(1, Math.round(2e6 / size)) === 0) {
      clock.tell('learning', `pass ${pass}, ${run.updates} mistakes`);
      await clock.breathe();
    }
  }
}
