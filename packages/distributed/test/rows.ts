import fc from 'fast-check';
import type { Rows } from './engine.ts';

const orMissing = <T>(values: fc.Arbitrary<T>) => fc.option(values, { freq: 6 });
/** Rows of columns of all kinds. */
export const tableRows = (classes: readonly string[]): fc.Arbitrary<Rows> =>
  fc.array(
    fc.record({
      size: orMissing(fc.integer({ min: -99, max: 99 }).map((x) => x / 7)),
      ripe: orMissing(fc.boolean()),
      day: orMissing(fc.integer({ min: 0, max: 900 }).map((day) => new Date(day * 86_400_000))),
      soil: orMissing(fc.constantFrom('sand', 'clay', 'loam')),
      note: orMissing(
        fc.array(fc.constantFrom('dry', 'wet', 'Old', '!'), { maxLength: 4 }).map((all) => all.join(' ')),
      ),
      y: fc.constantFrom(...classes),
    }),
    { minLength: 20, maxLength: 70 },
  );
