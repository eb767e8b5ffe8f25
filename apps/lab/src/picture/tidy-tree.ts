/** The extent of a subtree on each level from its root down, relative to its middle. */
interface Outline {
  readonly from: number[];
  readonly to: number[];
}

/**
 * Returns the positions of a tree's nodes along an axis. Neighbours on a level are at least `gap` apart, and a parent
 * is in the middle of its children. Subtrees are placed one after the other, each as near to the earlier ones as the
 * outlines allow: Reingold & Tilford, "Tidier drawings of trees", 1981.
 * @param children of each node; all of them come after the node, and node 0 is the root.
 * @param sizes of the nodes along the axis.
 * @returns the middles, with the least edge at 0, and the whole length.
 */
export function tidyTree(
  children: readonly (readonly number[])[],
  sizes: readonly number[],
  gap: number,
): { readonly middles: number[]; readonly length: number } {
  const shifts = children.map(() => 0);
  const outlines: Outline[] = [];
  for (let n = children.length - 1; n >= 0; n--) {
    const own = children[n]!;
    const below: Outline = { from: [], to: [] };
    const places = own.map((child) => {
      const part = outlines[child]!;
      let place = 0;
      for (let level = 0; level < Math.min(part.from.length, below.to.length); level++)
        place = Math.max(place, below.to[level]! + gap - part.from[level]!);
      part.from.forEach((edge, level) => {
        below.from[level] ??= edge + place;
        below.to[level] = part.to[level]! + place;
      });
      return place;
    });
    const middle = own.length === 0 ? 0 : (places[0]! + places.at(-1)!) / 2;
    own.forEach((child, k) => {
      shifts[child] = places[k]! - middle;
    });
    outlines[n] = {
      from: [-sizes[n]! / 2, ...below.from.map((edge) => edge - middle)],
      to: [sizes[n]! / 2, ...below.to.map((edge) => edge - middle)],
    };
  }
  const [first, last] = [Math.min(...outlines[0]!.from), Math.max(...outlines[0]!.to)];
  const middles = children.map(() => -first);
  children.forEach((own, n) => {
    for (const child of own) middles[child] = middles[n]! + shifts[child]!;
  });
  return { middles, length: last - first };
}
