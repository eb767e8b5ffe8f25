import { Fraction } from './fraction.ts';

export type Vector = readonly Fraction[];

export const dot = (a: Vector, b: Vector): Fraction =>
  a.reduce((sum, each, j) => sum.plus(each.times(b[j]!)), new Fraction(0n));

/**
 * Returns the point of the convex hull that is nearest to the origin, by trying every face. It is the widest separator
 * of examples y·x, and its length is their margin γ; it is 0 exactly if no hyperplane through the origin separates.
 */
export function nearestOfHull(points: readonly Vector[]): Vector {
  for (let size = 1; size <= points[0]!.length + 1; size++)
    for (const face of facesOf(points, size)) {
      const nearest = nearestOfFace(face);
      if (nearest === null) continue;
      const square = dot(nearest, nearest);
      // The hull lies beyond the plane through the nearest point, and this is true of no other point.
      if (points.every((point) => dot(nearest, point).minus(square).sign >= 0)) return nearest;
    }
  throw new Error('a hull has a nearest point');
}

function* facesOf(points: readonly Vector[], size: number, from = 0): Generator<Vector[]> {
  if (size === 0) yield [];
  else
    for (let k = from; k < points.length; k++)
      for (const rest of facesOf(points, size - 1, k + 1)) yield [points[k]!, ...rest];
}

/** Solves Gλ = μ·1, Σλ = 1 for the Gram matrix G; null if a λ is below 0, or if there is more than one solution. */
function nearestOfFace(face: readonly Vector[]): Vector | null {
  const [zero, one] = [new Fraction(0n), new Fraction(1n)];
  const rows = face.map((a) => [...face.map((b) => dot(a, b)), one, zero]);
  const shares = solve([...rows, [...face.map(() => one), zero, one]])?.slice(0, face.length);
  if (shares === undefined || shares.some(({ sign }) => sign < 0)) return null;
  return face[0]!.map((_, j) =>
    dot(
      shares,
      face.map((point) => point[j]!),
    ),
  );
}

/** Gauss–Jordan elimination of [A | b]; null if A is singular. */
function solve(rows: Fraction[][]): Fraction[] | null {
  for (let k = 0; k < rows.length; k++) {
    const pivot = rows.findIndex((row, i) => i >= k && row[k]!.sign !== 0);
    if (pivot < 0) return null;
    [rows[k], rows[pivot]] = [rows[pivot]!, rows[k]!];
    const top = rows[k]!.map((each) => each.by(rows[k]![k]!));
    rows[k] = top;
    for (let i = 0; i < rows.length; i++)
      if (i !== k) {
        const factor = rows[i]![k]!;
        if (factor.sign !== 0) rows[i] = rows[i]!.map((each, j) => each.minus(factor.times(top[j]!)));
      }
  }
  return rows.map((row) => row.at(-1)!);
}
