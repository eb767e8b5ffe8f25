import type { Batch } from 'halfspace/rules';
import { loadKernels } from 'halfspace/rules';
import { HoldoutSplit } from 'halfspace/runs';
import type { Algorithm } from '../algorithm/algorithm.ts';
import type { Encoded } from './encode.ts';
import type { LearningPoint, Recording } from './recording.ts';
import { classOf } from './recording.ts';
import { dropsMistakes, scorerAt } from './scorer.ts';

/** Maximum number of points on a curve. */
const mostPoints = 60;
/** Number of multiplications that a curve may take. */
const affordable = 4e8;

/**
 * Returns the accuracy at steps spread over a run, on training examples and on held-out examples. For large data it
 * evaluates only every k-th batch. A tree has no curve, because it exists only at the end.
 */
export async function curveOf(
  recording: Recording,
  encoded: Encoded,
  { holdout, seed }: Algorithm,
  isWanted: () => boolean = () => true,
): Promise<LearningPoint[]> {
  const { model, steps, tie } = recording;
  if (model.kind === 'tree' || dropsMistakes(model) || steps === 0) return [];
  const { rows, dimension } = encoded;
  const held = new Uint8Array(rows);
  if (holdout > 0) {
    const split = new HoldoutSplit(holdout, seed);
    let row = 0;
    for (const { labels } of encoded.batches) for (const label of labels) held[row++] = split.next(label) ? 1 : 0;
  }
  const support = model.kind === 'dual' ? model.functions[0]!.rows.length + 1 : 1;
  const points = Math.max(2, Math.min(mostPoints, Math.floor(affordable / (rows * support * Math.max(1, dimension)))));
  const every = Math.max(1, Math.ceil((points * rows * support * dimension) / affordable));
  const curve: LearningPoint[] = [];
  const kernels = await loadKernels();
  for (const step of spread(recording, points)) {
    if (!isWanted()) break;
    const scorer = scorerAt(recording, step, kernels);
    const right = [0, 0];
    const seen = [0, 0];
    let first = 0;
    for (let b = 0; b < encoded.batches.length; b++) {
      const batch = encoded.batches[b]!;
      if (b % every === 0) {
        const scores = new Float64Array(batch.rows);
        scorer?.scoreInto(batch as Batch, scores);
        for (let i = 0; i < batch.rows; i++) {
          const part = held[first + i]!;
          seen[part]!++;
          if (classOf(scores[i]!, tie) === batch.labels[i]) right[part]!++;
        }
      }
      first += batch.rows;
    }
    scorer?.free();
    curve.push({
      step,
      train: right[0]! / Math.max(1, seen[0]!),
      holdout: seen[1] === 0 ? null : right[1]! / seen[1]!,
    });
    await new Promise((resolve) => setTimeout(resolve));
  }
  return curve;
}

/** Returns steps from the start to the end, denser where many updates are. */
function spread({ steps, updates }: Recording, points: number): number[] {
  const chosen = new Set([0, steps]);
  const half = Math.max(1, Math.floor(points / 2));
  for (let k = 1; k < half; k++) chosen.add(Math.round((steps * k) / half));
  // Half of them are spread evenly over the updates, because between updates only a mean changes.
  for (let k = 0; k < points - half && updates.length > 0; k++)
    chosen.add(updates[Math.floor((updates.length * k) / (points - half))]!);
  return [...chosen].sort((a, b) => a - b);
}
