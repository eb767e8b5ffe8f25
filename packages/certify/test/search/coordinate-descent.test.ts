import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CoordinateDescent } from '../../src/search/coordinate-descent.ts';
import { Frame } from '../../src/search/frame.ts';
import { examplesOf, fewestOfThresholds } from '../support/examples.ts';

test('a step finds the fewest errors of all lines in one dimension', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.integer({ min: 0, max: 9 }), fc.constantFrom(-1, 1)), { minLength: 1, maxLength: 30 }),
      async (drawn) => {
        if (new Set(drawn.map(([, y]) => y)).size < 2) return;
        const data = { rows: drawn.map(([x]) => [x]), labels: drawn.map(([, y]) => y) };
        const descent = new CoordinateDescent(new Frame(await examplesOf(data.rows, data.labels)));
        // Either sign of the weight has its own best threshold.
        for (let step = 0; step < 100; step++) descent.step();
        expect(descent.best!.errors).toBe(fewestOfThresholds(data));
      },
    ),
    { numRuns: 300 },
  );
});
