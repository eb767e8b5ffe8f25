/** The examples of lowest score below a bound that are not taken yet, at most `count`. */
export function lowest(
  scores: Float64Array,
  count: number,
  below: number,
  taken: { has(i: number): boolean },
): number[] {
  const found: number[] = [];
  for (let i = 0; i < scores.length; i++) if (scores[i]! < below && !taken.has(i)) found.push(i);
  if (found.length > count) found.sort((a, b) => scores[a]! - scores[b]! || a - b).length = count;
  return found;
}
