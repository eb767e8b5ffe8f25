import fc from 'fast-check';
import { expect, it } from 'vitest';
import * as columns from '../../src/data/encode-columns.ts';
import * as points from '../../src/data/encode-points.ts';
import { readDataset } from '../../src/data/read.ts';

it('drawn points have the encoding and the features of a table, bit for bit', async () => {
  const place = fc.oneof(fc.double({ min: -1e6, max: 1e6, noNaN: true }), fc.constantFrom(0, -0, 1));
  const point = fc.record({ x: place, y: place, label: fc.constantFrom(1 as const, -1 as const) });
  await fc.assert(
    fc.asyncProperty(
      fc.array(point, { maxLength: 40 }),
      fc.constantFrom(1 as const, 2 as const),
      fc.record({ scale: fc.constantFrom('none', 'standard'), holdout: fc.constantFrom(0, 0.3), seed: fc.nat(9) }),
      async (some, dimension, options) => {
        const ends = [
          { x: 7, y: 8, label: 1 as const },
          { x: -7, y: -8, label: -1 as const },
        ];
        const table = await readDataset({ kind: 'points', name: 'points', dimension, points: [...some, ...ends] });
        const read = (by: typeof columns | typeof points) => {
          try {
            const encoding = by.fitEncoding(table, options);
            return { encoding, batches: by.encodeTable(table, encoding) };
          } catch (error) {
            return (error as Error).message.replace(/[^.]*\.$/, '');
          }
        };
        expect(read(points)).toEqual(read(columns));
      },
    ),
  );
});
