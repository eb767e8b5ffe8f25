/**
 * Returns the lead of a class: its score minus the highest score of the other classes. Above 0 for the class that scores highest alone, 0 where
 * it shares the highest score, below 0 otherwise. Of several classes this is what ranks an example: a score of one class says nothing
 * until it is compared with the others.
 *
 * @param at position of the example's first score.
 * @param outputs scores of the example, 2 or more.
 * @param own position of the class.
 * @returns NaN where a score is NaN; 0 for two infinite scores of one sign.
 */
export function lead(scores: ArrayLike<number>, at: number, outputs: number, own: number): number {
  let highest = -Infinity;
  for (let k = 0; k < outputs; k++) if (k !== own && !(scores[at + k]! <= highest)) highest = scores[at + k]!;
  return scores[at + own] === highest ? 0 : scores[at + own]! - highest;
}
