import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ErrorCurve } from '../../../src/http/events/error-curve.ts';

test('a curve of any length has few points, with the first and the last one, and no large gaps', () => {
  fc.assert(
    fc.property(fc.nat(20_000), fc.integer({ min: 1, max: 1000 }), fc.boolean(), (count, most, again) => {
      const curve = new ErrorCurve();
      if (again) curve.add({ examples: 2 ** 40, error: 1, latestError: 1 });
      let examples = 0;
      for (let k = 0; k <= count; k++) {
        examples += 1 + ((k * k * 7919) % most);
        curve.add({ examples, error: 1 / examples, latestError: k % 2 });
      }
      const { points } = curve;
      const at = points.map((point) => point.examples);
      expect(points.length).toBeLessThanOrEqual(401);
      expect([at[0], at.at(-1)]).toEqual([1, examples]);
      expect(points.every(({ examples, error }) => error === 1 / examples)).toBe(true);
      const gaps = at.slice(1).map((next, k) => next - at[k]!);
      expect(Math.min(1, ...gaps)).toBe(1);
      expect(Math.max(0, ...gaps)).toBeLessThanOrEqual(most + (4 * examples) / 400);
    }),
  );
});
