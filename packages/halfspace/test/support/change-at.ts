/** Puts a value in the place to which a path leads: each number chooses a member, and the last one is replaced. */
export function changeAt(
  body: object,
  path: readonly number[],
  value: unknown,
  untouched: readonly string[] = [],
): void {
  let place = body as Record<string, unknown>;
  for (const [depth, step] of path.entries()) {
    const keys = Object.keys(place).filter((key) => !untouched.includes(key));
    if (keys.length === 0) return;
    const key = keys[step % keys.length]!;
    const next = place[key];
    if (depth === path.length - 1 || typeof next !== 'object' || next === null) {
      place[key] = structuredClone(value);
      return;
    }
    place = next as Record<string, unknown>;
  }
}
