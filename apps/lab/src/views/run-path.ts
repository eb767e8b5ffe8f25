import { presets } from 'halfspace';
import { perceptronSteps } from '../algorithm/variant.ts';
import { type Examples, shownAt, vectorAt } from '../engine/examples.ts';
import { countUpTo, type Recording } from '../engine/recording.ts';
import { cacheOf } from './cache.ts';
import type { Scene } from './view.ts';

/** The weights that a run went through: those that its updates change. */
export interface RunPath {
  /** After which step each of them was had; the first 0. */
  readonly steps: Uint32Array;
  /** k: how many examples each is a sum of, where it is one. Updates, and the example that FODA starts from. */
  readonly counts: Uint32Array;
  /** Bias, then weights: `width` numbers each. */
  readonly numbers: Float64Array;
  readonly width: number;
}

/** The most numbers of a path that is added up here. */
const mostNumbers = 4_000_000;

/** Whether a run's present weights are the sum of y·x over its updates. */
export function isSum({ algorithm }: Scene): boolean {
  return perceptronSteps.includes(algorithm.rule);
}

/** 1 where the run starts from y·x of an example, as FODA does, which then counts as an update; else 0. */
export function startCount({ algorithm: { as } }: Scene): number {
  return as !== null && presets[as].start === 'example' ? 1 : 0;
}

const paths = cacheOf<Recording, RunPath | null>();

/**
 * The path of a run: as it was recorded, or, of the voted perceptron, whose answer is not one vector, added up from its updates. Null where there
 * are no weights, or where examples that are not drawn would be needed.
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
  const start = startCount(scene);
  let made = 0;
  const counts = steps.map((step) => {
    while (made < updates.length && updates[made]! <= step) made++;
    return start + made;
  });
  // The last of a run that was not watched to its end stands for all the updates that were not.
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

/** Adds h·y·(c, x/divisor) of an example to a sum, bias first. Returns false, and adds nothing, where the example is not drawn. */
export function addExample(
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

/** The index in the path of the weights at the scene's moment. */
export function pathIndex({ steps }: RunPath, { moment }: Scene): number {
  return countUpTo(steps, moment.step) - 1;
}

/** The weights at an index of the path, bias first; a view. */
export function weightsAt({ numbers, width }: RunPath, index: number): Float64Array {
  return numbers.subarray(index * width, (index + 1) * width);
}
