/** Returns the known name that is most like a mistyped one; null if none is near. */
export function nearestName(name: string, known: readonly string[]): string | null {
  let best: string | null = null;
  let least = Math.max(2, Math.ceil(name.length / 3)) + 1;
  for (const other of known) {
    const distance = editDistance(name.toLowerCase(), other.toLowerCase(), least);
    // Two names without a common letter are not near, however short they are.
    if (distance >= Math.min(least, Math.max(name.length, other.length))) continue;
    least = distance;
    best = other;
  }
  return best;
}

/** Returns the edit distance of Levenshtein (1966): insertions, deletions, substitutions; at most `limit`. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let above = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++)
      row.push(Math.min(above[j]! + 1, row[j - 1]! + 1, above[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)));
    above = row;
  }
  return Math.min(limit, above[b.length]!);
}

/** Returns `; did you mean "age"?`, or an empty string. */
export function suggestion(name: string, known: readonly string[]): string {
  const nearest = nearestName(name, known);
  return nearest === null ? '' : `; did you mean ${JSON.stringify(nearest)}?`;
}
