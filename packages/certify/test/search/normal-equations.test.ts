import fc from 'fast-check';
import { expect, test } from 'vitest';
import { solveNormalEquations } from '../../src/search/normal-equations.ts';
import { examplesOf, labelled } from '../support/examples.ts';

test('the solution satisfies the equations, also if features depend on each other', async () => {
  const seen = { dependent: 0 };
  const size = 5;
  const shares = fc.array(fc.double({ min: 0.01, max: 1, noNaN: true }), { minLength: 12, maxLength: 12 });
  const vector = fc.array(fc.integer({ min: -9, max: 9 }), { minLength: size + 1, maxLength: size + 1 });
  await fc.assert(
    fc.asyncProperty(labelled(fc.integer({ min: -4, max: 4 })), shares, vector, async ({ rows, labels }, c, v) => {
      // Few rows, repeated features: often fewer equations than features.
      const wide = rows.map((row) => Array.from({ length: size }, (_, j) => row[j % row.length]!));
      const examples = await examplesOf(wide, labels);
      const curvature = Float64Array.from(wide, (_, i) => c[i]!);
      /** Σ cᵢzᵢzᵢᵀ·u, feature by feature. */
      const image = (u: ArrayLike<number>) => {
        const sums = new Float64Array(size + 1);
        for (const [i, row] of wide.entries()) {
          const z = [...row, 1];
          const score = z.reduce((sum, each, j) => sum + each * u[j]!, 0);
          z.forEach((each, j) => {
            sums[j]! += curvature[i]! * score * each;
          });
        }
        return sums;
      };
      const right = image(v);
      const solution = right.slice();
      await solveNormalEquations(examples, curvature, solution, () => {});
      if (solution.some((each, j) => each === 0 && v[j] !== 0)) seen.dependent++;
      const largest = Math.max(1, ...right.map(Math.abs));
      image(solution).forEach((each, j) => {
        expect(Math.abs(each - right[j]!)).toBeLessThan(1e-6 * largest);
      });
    }),
  );
  expect(seen.dependent).toBeGreaterThan(10);
});
