import fc from 'fast-check';
import { ExampleStore } from '../../src/data/store.ts';
import type { Kernels } from '../../src/kernels/kernels.ts';
import { type MaximumMargin, type MaximumMarginOptions, maximumMargin } from '../../src/margin/maximum-margin.ts';
import type { Example } from '../oracles/oracle.ts';
import { dense, type Separable, separable } from './examples.ts';

export function marginOf(
  data: readonly Example[],
  kernels: Kernels,
  options: MaximumMarginOptions & { readonly rowsInBatch?: number } = {},
): MaximumMargin {
  const { rowsInBatch = data.length, ...rest } = options;
  const store = new ExampleStore(kernels);
  for (let i = 0; i < data.length; i += rowsInBatch) store.append(dense(data.slice(i, i + rowsInBatch)));
  try {
    return maximumMargin(store, kernels, rest);
  } finally {
    store.free();
  }
}

/**
 * Data with a known largest margin through the origin: that of `separable`, with two opposite examples added on the
 * margin. Their z is least/‖w*‖² · w*, a point of the hull; so γ* is at most its length least/‖w*‖, and w* has this
 * margin.
 */
export const knownMargin: fc.Arbitrary<Separable> = separable().map((problem) => {
  const { separator, norm } = problem;
  // A power of two below the least product keeps all numbers short.
  const scale = 2 ** Math.floor(Math.log2(problem.least / norm ** 2));
  const edge = separator.map((component) => component * scale);
  const data: Example[] = [...problem.data, { x: edge, y: 1 }, { x: edge.map((component) => -component), y: -1 }];
  return { ...problem, data, least: scale * norm ** 2 };
});

/**
 * Examples on a hyperplane, moved by 2⁻ᵏ·w* to their side, k up to 40, so that the margin is between 10⁻¹² and 10⁻⁶ of
 * their length. They have so few bits that thousands of updates are exact, while scores round and may lose their sign.
 */
export const nearlyDegenerate: fc.Arbitrary<Separable> = fc
  .record({
    problem: fc.constantFrom(
      { separator: [3, -4], norm: 5, along: [[4, 3]] },
      {
        separator: [1, 2, 2],
        norm: 3,
        along: [
          [2, -1, 0],
          [0, 1, -1],
        ],
      },
      {
        separator: [1, 1, -1, 1],
        norm: 2,
        along: [
          [1, -1, 0, 0],
          [0, 1, 1, 0],
          [0, 0, 1, 1],
        ],
      },
    ),
    exponent: fc.integer({ min: 20, max: 40 }),
    rows: fc.array(
      fc.record({
        along: fc.array(fc.integer({ min: -8, max: 8 }), { minLength: 3, maxLength: 3 }),
        steps: fc.integer({ min: 1, max: 3 }),
        y: fc.constantFrom(-1 as const, 1 as const),
      }),
      { minLength: 1, maxLength: 10 },
    ),
  })
  .map(({ problem: { separator, norm, along }, exponent, rows }) => {
    const step = 2 ** -exponent;
    const both = [
      { along: [0, 0, 0], steps: 1, y: 1 as const },
      { along: [0, 0, 0], steps: 1, y: -1 as const },
    ];
    const data = [...rows, ...both].map(({ along: times, steps, y }): Example => {
      const x = separator.map((component, j) =>
        along.reduce((sum, direction, k) => sum + (times[k]! / 4) * direction[j]!, y * steps * step * component),
      );
      return { x, y };
    });
    // ‖w*‖² = norm², so w* · (step · w*) = step · norm².
    const squaredRadius = Math.max(...data.map(({ x }) => x.reduce((sum, each) => sum + each * each, 0)));
    return { data, separator, norm, least: step * norm ** 2, squaredRadius };
  });

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
