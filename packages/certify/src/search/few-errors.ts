import type { SparseBatch } from 'halfspace/rules';
import { arraySource, Random, trainOnce } from 'halfspace/runs';
import { type Clock, within } from '../clock.ts';
import { fewestWrong, type WholeExamples, wholeWeights } from '../exact/separator.ts';
import { CoordinateDescent, type FewErrorsLine } from './coordinate-descent.ts';
import { linesOfFewErrors } from './few-errors-lines.ts';
import { fewerErrorsNear } from './few-errors-nearby.ts';
import type { Frame } from './frame.ts';
import { loadHighs } from './hull-programme.ts';

/** Maximum number of rows times features for the descent. */
const mostCells = 2_000_000;

/** Maximum number of nonzeros for the mixed-integer programmes. */
const mostValues = 100_000;

/** Steps of the descent per example, and its work in scores of one feature, without a better line before it ends. */
const [mostSteps, mostWork] = [200, 4e8];

/** Steps of the descent from each line that it begins at. */
const stepsPerLine = 300;

/** Numbers of examples on each side of the line that have a variable in the programmes, one after the other. */
const sizes = Array.from({ length: 24 }, (_, k) => Math.round(8 * 1.15 ** k));

/** A line in whole numbers, and the examples that it misclassifies, counted exactly. */
export interface FewErrors extends ReturnType<typeof fewestWrong> {
  /** A line near it in floating point; null for large data. */
  readonly near: FewErrorsLine | null;
}

/**
 * Returns a line with few errors: the best of one that has all examples on one side, that of the pocket algorithm
 * (Gallant 1990), and for small data those of some linear programmes and of a coordinate descent from there.
 *
 * @param enough no line has fewer errors.
 */
export async function fewErrors(frame: Frame, whole: WholeExamples, enough: number, clock: Clock): Promise<FewErrors> {
  const { rows, dimension } = frame.examples;
  // A line with all examples on one side can be the best.
  const oneSided = Float64Array.from({ length: dimension }, (_, j) => (j === 0 ? 1 : 0));
  let best: FewErrors = { ...fewestWrong(whole, wholeWeights(frame.factors, oneSided, 28)!), near: null };
  const pocket = await pocketLine(frame, clock);
  if (pocket !== null) best = await better(frame, whole, pocket, best, clock);
  const lines = await linesOfFewErrors(await loadHighs(), frame, clock);
  for (const { u } of lines) best = await better(frame, whole, u, best, clock);
  if (rows * (frame.used + 1) > mostCells) return best;
  const descent = new CoordinateDescent(frame);
  const own = within(clock.left() / 4, clock);
  for (const line of lines) {
    descent.begin(line);
    await descend(descent, stepsPerLine, enough, own);
  }
  await descend(descent, Math.min(mostSteps * rows, mostWork / (rows * (frame.used + 20))), enough, own);
  return descent.best === null ? best : await better(frame, whole, descent.best.u, best, clock, descent.best);
}

/**
 * Searches for a line with fewer errors near the best one by mixed-integer programmes of growing size. They are for
 * features of few values, where a descent stays where it is.
 *
 * @param enough no line has fewer errors.
 */
export async function fewerErrors(
  frame: Frame,
  whole: WholeExamples,
  best: FewErrors,
  enough: number,
  clock: Clock,
): Promise<FewErrors> {
  if (best.near === null || frame.examples.values.length > mostValues) return best;
  const highs = await loadHighs();
  const random = new Random(1);
  const descent = new CoordinateDescent(frame);
  descent.begin(best.near);
  for (const size of sizes) {
    const { errors } = descent.best!;
    if (errors <= enough || clock.left() === 0) break;
    clock.tell('errors', `every line errs on ${enough} to ${errors} examples; looking for better lines near the best`);
    const line = await fewerErrorsNear(highs, frame, descent.best!, size, random, clock);
    if (line !== null) {
      descent.begin(line);
      await descend(descent, stepsPerLine, enough, clock);
    } else if (size >= frame.examples.rows) break;
  }
  return await better(frame, whole, descent.best!.u, best, clock, descent.best);
}

/**
 * Repeats the step of a descent. Ends when the line has few enough errors, or time is over.
 *
 * @param steps the number of steps in a row without an improvement after which it ends, too.
 * @param enough number of errors.
 */
async function descend(descent: CoordinateDescent, steps: number, enough: number, clock: Clock): Promise<void> {
  const isDone = () => descent.best !== null && descent.best.errors <= enough;
  for (let idle = 0; idle < steps && !isDone() && (await clock.breathe()); idle++) if (descent.step()) idle = 0;
}

/** Returns the line of weights u with its best bias if that has fewer errors than the best line, else the best one. */
async function better(
  { factors }: Frame,
  whole: WholeExamples,
  u: Float64Array,
  best: FewErrors,
  clock: Clock,
  near = best.near,
): Promise<FewErrors> {
  let found: FewErrors = { ...best, near };
  for (const digits of [28, 52]) {
    const weights = wholeWeights(factors, u, digits);
    if (weights === null || !(await clock.breathe())) break;
    const other = fewestWrong(whole, weights);
    if (other.errors < found.errors) found = { ...other, near };
  }
  return found;
}

/** Returns the weights of a line with few errors; null if time runs out. */
async function pocketLine(frame: Frame, clock: Clock): Promise<Float64Array | null> {
  const over = new AbortController();
  try {
    const { model } = await trainOnce(arraySource(scaledExamples(frame), ['-1', '1']), {
      rule: 'pocket',
      passes: 50,
      seed: 1,
      signal: over.signal,
      onProgress() {
        if (clock.left() === 0) over.abort();
      },
    });
    return model.kind === 'linear' ? model.weights : null;
  } catch (error) {
    if (!over.signal.aborted) throw error;
    return null;
  }
}

/** Returns the examples with scaled features: a perceptron learns sooner from columns of the same size. */
function scaledExamples({ examples, factors }: Frame): SparseBatch {
  return { ...examples, values: examples.values.map((value, at) => value * factors[examples.indices[at]!]!) };
}
