import { perceptronSteps } from '../algorithm/variant.ts';
import { type Examples, shownAt, vectorAt } from '../engine/examples.ts';
import { countUpTo, type Recording } from '../engine/recording.ts';
import { cacheOf } from './cache.ts';
import type { Scene } from './view.ts';

/** The weights of a run that its updates change, over the whole run. */
export interface RunPath {
  /** The step after which each vector of weights was reached; the first is 0. */
  readonly steps: Uint32Array;
  /** k, the number of updates up to each; FODA's start is a further term of the sum, but no update. */
  readonly counts: Uint32Array;
  /** Bias, then weights: `width` numbers each. */
  readonly numbers: Float64Array;
  readonly width: number;
}

/** The largest size of a path that is summed up here. */
const mostNumbers = 4_000_000;

/** Tests if the present weights of a run are the sum of y·x over its updates. */
export function isSum({ algorithm }: Scene): boolean {
  return perceptronSteps.includes(algorithm.rule);
}

const paths = cacheOf<Recording, RunPath | null>();

/**
 * Returns the path of a run, as recorded. The voted perceptron has no recorded weights, so its path is summed up from
 * its updates. Null if there are no weights, or where examples are needed that are not drawn.
 */
export function runPath(scene: Scene): RunPath | null {
  const { recording, algorithm } = scene;
  return paths(recording, () =>
    recording.present.length > 0 ? recorded(scene) : algorithm.rule === 'voted' ? summed(scene) : null,
  );
}

function recorded(scene: Scene): RunPath {
  const { changes, updates, present, width, skipped = null } = scene.recording;
  const steps = new Uint32Array(changes.length + 1);
  steps.set(changes, 1);
  let made = 0;
  const counts = steps.map((step) => {
    while (made < updates.length && updates[made]! <= step) made++;
    return made;
  });
  // In a run that is not fully recorded, the last step stands for all updates that are missing.
  if (skipped !== null) counts[counts.length - 1]! += skipped.updates;
  return { steps, counts, numbers: present, width };
}

function summed({ recording, examples }: Scene): RunPath | null {
  const { updates, rows, skipped = null } = recording;
  if (skipped !== null) return null;
  const width = examples.dimension + 1;
  if ((updates.length + 1) * width > mostNumbers) return null;
  const numbers = new Float64Array((updates.length + 1) * width);
  for (let k = 0; k < updates.length; k++) {
    numbers.copyWithin((k + 1) * width, k * width, (k + 1) * width);
    if (!addExample(examples, recording, rows[updates[k]! - 1]!, 1, numbers.subarray((k + 1) * width, (k + 2) * width)))
      return null;
  }
  const steps = new Uint32Array(updates.length + 1);
  steps.set(updates, 1);
  return { steps, counts: Uint32Array.from(steps, (_, k) => k), numbers, width };
}

/**
 * Adds h·y·(c, x/divisor) of an example to a sum, bias first. Returns false, and adds nothing, where the example is
 * not drawn.
 */
function addExample(
  examples: Examples,
  { divisor, biasConstant }: Recording,
  row: number,
  h: number,
  into: Float64Array,
): boolean {
  const position = shownAt(examples, row);
  if (position < 0) return false;
  const x = vectorAt(examples, position);
  const hy = h * examples.labels[row]!;
  into[0]! += hy * biasConstant;
  for (let j = 0; j < x.length; j++) into[j + 1]! += hy * (x[j]! / divisor);
  return true;
}

/** Returns the index in the path of the scene's moment. */
export function pathIndex({ steps }: RunPath, { moment }: Scene): number {
  return countUpTo(steps, moment.step) - 1;
}

/** Returns the weights at an index of the path, bias first, as a view. */
export function weightsAt({ numbers, width }: RunPath, index: number): Float64Array {
  return numbers.subarray(index * width, (index + 1) * width);
}
