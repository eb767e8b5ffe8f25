/** The extent of a subtree on each level below its root, relative to the root's middle. */
interface Contour {
  readonly near: number[];
  readonly far: number[];
}

/**
 * Returns the positions of a tree's nodes along one axis. Subtrees are as close as their outlines allow, parents are in
 * the middle of their children, and the drawing of a mirrored tree is the mirror image.
 *
 * Children are packed once from each end; their positions are the means of both packings. This keeps all distances,
 * because each packing does. Source: Reingold & Tilford, "Tidier drawings of trees", 1981. Outlines are lists here, so
 * the time grows with nodes × depth and with pairs of children.
 *
 * @param children of each node, in preorder.
 * @param size extent of each node along the axis.
 * @param gap smallest distance between neighbours.
 * @returns the middle of each node; the smallest extent is at 0.
 */
export function tidyLayout(children: readonly (readonly number[])[], size: readonly number[], gap: number): number[] {
  const offsets = new Array<number>(children.length).fill(0); // from the parent's middle
  const contours = new Array<Contour | null>(children.length).fill(null);
  for (let n = children.length - 1; n >= 0; n--) {
    const below = children[n]!;
    const parts = below.map((child) => contours[child]!);
    const places = packed(parts, gap);
    const contour: Contour = { near: [-size[n]! / 2], far: [size[n]! / 2] };
    below.forEach((child, j) => {
      offsets[child] = places[j]!;
      contours[child] = null;
      widen(contour, parts[j]!, places[j]!);
    });
    contours[n] = contour;
  }
  const middles = new Array<number>(children.length).fill(0);
  middles[0] = -Math.min(...contours[0]!.near);
  children.forEach((below, n) => {
    for (const child of below) middles[child] = middles[n]! + offsets[child]!;
  });
  return middles;
}

/** Returns the offsets of neighbouring subtrees; the first and the last are equally far from 0. */
function packed(parts: readonly Contour[], gap: number): number[] {
  const near: number[] = [];
  const far: number[] = [];
  parts.forEach((part) => {
    near.push(Math.max(0, ...near.map((at, i) => at + distance(parts[i]!, part, gap))));
  });
  for (let j = parts.length - 1; j >= 0; j--) {
    let at = 0;
    for (let i = j + 1; i < parts.length; i++) at = Math.min(at, far[i]! - distance(parts[j]!, parts[i]!, gap));
    far[j] = at;
  }
  const span = near.at(-1) ?? 0;
  return near.map((at, j) => (at + far[j]! + span) / 2 - span / 2);
}

function distance(a: Contour, b: Contour, gap: number): number {
  let least = 0;
  for (let level = 0; level < Math.min(a.far.length, b.near.length); level++)
    least = Math.max(least, a.far[level]! - b.near[level]! + gap);
  return least;
}

function widen({ near, far }: Contour, part: Contour, at: number): void {
  part.near.forEach((edge, level) => {
    near[level + 1] = Math.min(near[level + 1] ?? Infinity, edge + at);
    far[level + 1] = Math.max(far[level + 1] ?? -Infinity, part.far[level]! + at);
  });
}
