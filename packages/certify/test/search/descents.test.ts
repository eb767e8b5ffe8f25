import { expect, test } from 'vitest';
import { fc, forAllAsync } from '../../../../test/support/properties.ts';
import { ceilingOf } from '../../src/exact/ceiling.ts';
import { separatorOf, WholeExamples, wholeWeights } from '../../src/exact/separator.ts';
import { rootOf } from '../../src/exact/whole.ts';
import { CoordinateDescent } from '../../src/search/coordinate-descent.ts';
import { Descent, descend } from '../../src/search/descent.ts';
import { Frame } from '../../src/search/frame.ts';
import { solveNormalEquations } from '../../src/search/normal-equations.ts';
import { endless, examplesOf, fewestOfThresholds, labelled } from '../support/examples.ts';

test('a step finds the fewest errors of all lines in one dimension', async () => {
  await forAllAsync(
    300,
    fc.array(fc.tuple(fc.integer({ min: 0, max: 9 }), fc.constantFrom(-1, 1)), { minLength: 1, maxLength: 30 }),
    async (drawn) => {
      if (new Set(drawn.map(([, y]) => y)).size < 2) return;
      const data = { rows: drawn.map(([x]) => [x]), labels: drawn.map(([, y]) => y) };
      const descent = new CoordinateDescent(new Frame(await examplesOf(data.rows, data.labels)));
      // Either sign of the weight has its own best threshold.
      for (let step = 0; step < 100; step++) descent.step();
      expect(descent.best!.errors).toBe(fewestOfThresholds(data));
    },
  );
});

test('descent comes near to the widest line: half the distance of two far classes', async () => {
  await forAllAsync(
    100,
    fc.array(fc.tuple(fc.integer({ min: -3, max: 3 }), fc.integer({ min: 0, max: 3 })), {
      minLength: 1,
      maxLength: 8,
    }),
    async (points) => {
      // Mirror images beyond two parallel lines, of which both have a point: the margin is 4.
      const upper = [[0, 4], ...points.map(([x, y]) => [x, y + 4])];
      const lower = upper.map(([x, y]) => [x!, -y!]);
      const examples = await examplesOf([...upper, ...lower], [...upper.map(() => 1), ...lower.map(() => -1)]);
      const frame = new Frame(examples);
      const { u, lambda } = await descend(new Descent(frame), 2, endless);
      const separator = separatorOf(new WholeExamples(examples), wholeWeights(frame.factors, u, 52)!)!;
      expect(rootOf(separator.marginSquared)).toBeCloseTo(4, 3);
      expect(rootOf((await ceilingOf(examples, lambda, endless))!.marginSquared)).toBeCloseTo(4, 3);
    },
  );
});

test('the solution satisfies the equations, also if features depend on each other', async () => {
  const seen = { dependent: 0 };
  const size = 5;
  const shares = fc.array(fc.double({ min: 0.01, max: 1, noNaN: true }), { minLength: 12, maxLength: 12 });
  const vector = fc.array(fc.integer({ min: -9, max: 9 }), { minLength: size + 1, maxLength: size + 1 });
  await forAllAsync(labelled(fc.integer({ min: -4, max: 4 })), shares, vector, async ({ rows, labels }, c, v) => {
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
  });
  expect(seen.dependent).toBeGreaterThan(3);
});
