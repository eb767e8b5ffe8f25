import { vectorAt } from '../../engine/examples.ts';
import { type Line, type Recording, scoreOf } from '../../engine/recording.ts';
import type { Scene } from '../view.ts';
import type { Drawn } from './projection.ts';

/** On which side of a line the drawn examples are: their scores, by their positions among the drawn. */
export function scoresOf({ dataset, examples, recording }: Scene, drawn: Drawn, line: Line): Float64Array | null {
  const points = dataset.kind === 'points';
  if (line.weights.length !== (points ? dataset.dimension : examples.dimension)) return null;
  // Snapshots are told apart by where they lie.
  const key = `${line.weights.buffer === recording.present.buffer} ${line.weights.byteOffset}`;
  return remembered(recording, drawn, key, () =>
    points
      ? ofPoints(drawn, line, recording, dataset.dimension)
      : Float64Array.from(examples.shown, (_, k) => scoreOf(line, vectorAt(examples, k), recording)),
  );
}

/** As {@link scoreOf} has it, in the order of its sums, without a vector for each point. */
function ofPoints(
  { rows, spots }: Drawn,
  { weights, bias }: Line,
  { divisor, biasConstant }: Recording,
  dimension: 1 | 2,
): Float64Array {
  const scores = new Float64Array(rows.length);
  const [first, second] = [weights[0]!, dimension === 1 ? 0 : weights[1]!];
  for (let k = 0; k < rows.length; k++) {
    const score = bias * biasConstant + (first * spots[2 * k]!) / divisor;
    scores[k] = dimension === 1 ? score : score + (second * spots[2 * k + 1]!) / divisor;
  }
  return scores;
}

/** The last few of a run: the same moment is drawn and described many times, and one of many features is long to compute. */
const recent = new WeakMap<Recording, { readonly drawn: Drawn; readonly scores: Map<string, Float64Array> }>();
const mostRecent = 6;

function remembered(recording: Recording, drawn: Drawn, key: string, compute: () => Float64Array): Float64Array {
  let cache = recent.get(recording);
  if (cache?.drawn !== drawn) {
    cache = { drawn, scores: new Map() };
    recent.set(recording, cache);
  }
  const known = cache.scores.get(key);
  if (known !== undefined) return known;
  if (cache.scores.size >= mostRecent) cache.scores.delete(cache.scores.keys().next().value!);
  const scores = compute();
  cache.scores.set(key, scores);
  return scores;
}

/** Whether a score puts an example on the wrong side; a score of 0 is of the class that the rule says. */
export function isWrong(score: number, label: number, tie: -1 | 1): boolean {
  return (score === 0 ? tie : Math.sign(score)) !== label;
}

/** The smallest y·score, where the line separates what is drawn; else null. */
export function leastScore(scores: Float64Array, labels: Int8Array): number | null {
  let least = Infinity;
  for (let k = 0; k < scores.length; k++) least = Math.min(least, labels[k]! * scores[k]!);
  return least > 0 && least < Infinity ? least : null;
}
