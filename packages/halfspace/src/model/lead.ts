/**
 * Returns the lead of a class: its score minus the highest score of the other classes. It is above 0 if the class alone
 * has the highest score, 0 if it shares the highest score, and below 0 otherwise. With several classes examples are
 * ranked by lead, because one score alone says nothing about the others.
 *
 * @param at position of the example's first score.
 * @param outputs number of scores of an example, 2 or more.
 * @param own position of the class.
 * @returns NaN if a score is NaN; 0 for two infinite scores of the same sign.
 */
export function lead(scores: ArrayLike<number>, at: number, outputs: number, own: number): number {
  let highest = -Infinity;
  for (let k = 0; k < outputs; k++) if (k !== own && !(scores[at + k]! <= highest)) highest = scores[at + k]!;
  return scores[at + own] === highest ? 0 : scores[at + own]! - highest;
}
