/**
 * Returns the minimum of a convex function of one number by golden sections (Kiefer 1953): no derivatives, and nothing
 * in common with Newton's method.
 */
export function leastOf(f: (x: number) => number, low: number, high: number): { x: number; value: number } {
  const share = (Math.sqrt(5) - 1) / 2;
  let [a, b] = [low, high];
  let [c, d] = [b - share * (b - a), a + share * (b - a)];
  let [fc, fd] = [f(c), f(d)];
  for (let step = 0; step < 120; step++) {
    if (fc <= fd) {
      [b, d, fd] = [d, c, fc];
      c = b - share * (b - a);
      fc = f(c);
    } else {
      [a, c, fc] = [c, d, fd];
      d = a + share * (b - a);
      fd = f(d);
    }
  }
  const x = (a + b) / 2;
  return { x, value: f(x) };
}
