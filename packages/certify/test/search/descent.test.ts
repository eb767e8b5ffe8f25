import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ceilingOf } from '../../src/exact/ceiling.ts';
import { separatorOf, WholeExamples, wholeWeights } from '../../src/exact/separator.ts';
import { rootOf } from '../../src/exact/whole.ts';
import { Descent, descend } from '../../src/search/descent.ts';
import { Frame } from '../../src/search/frame.ts';
import { endless, examplesOf } from '../support/examples.ts';

test('descent comes near to the widest line: half the distance of two far classes', async () => {
  await fc.assert(
    fc.asyncProperty(
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
    ),
    { numRuns: 100 },
  );
});
