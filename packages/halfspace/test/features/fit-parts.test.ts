import { expect, test } from 'vitest';
import { fc, forAll } from '../../../../test/support/properties.ts';
import { addParts, partsOf } from '../../src/features/fit-parts.ts';
import { TableFitter } from '../../src/features/fit-table.ts';
import type { NumberColumn } from '../../src/features/table-encoding.ts';

const rest = {
  format: 'rows',
  header: null,
  scale: 'none',
  label: { column: 'y', type: 'text', classes: ['a', 'b'], positive: 'b', negative: 'a' },
  leftOut: [],
} as const;

test('edges of parts that send some of their values are off by at most those that each value stands for', () => {
  const someValues = fc.array(fc.integer({ min: 0, max: 500 }), { maxLength: 200 });
  const settings = fc.record({ bins: fc.integer({ min: 2, max: 9 }), kept: fc.integer({ min: 1, max: 60 }) });
  forAll(fc.array(someValues, { minLength: 1, maxLength: 4 }), settings, (parts, { bins, kept }) => {
    const columns = [{ name: 'x', kind: 'number', options: { bins } }] as const;
    const fitter = new TableFitter(columns);
    for (const values of parts) {
      const part = new TableFitter(columns);
      part.observe({ rows: values.length, columns: [Float64Array.from(values)] });
      addParts(fitter, JSON.parse(JSON.stringify(partsOf(part, kept))));
    }
    const sorted = parts.flat().sort((a, b) => a - b);
    const [column] = fitter.encoding(rest).columns as readonly NumberColumn[];
    const off = parts.reduce((sum, { length }) => sum + length / Math.min(kept, length || 1), 1);
    for (const edge of column?.edges ?? []) {
      const [below, upTo] = [sorted.filter((x) => x < edge).length, sorted.filter((x) => x <= edge).length];
      const distances = Array.from({ length: bins - 1 }, (_, k) => ((k + 1) * sorted.length) / bins).map((rank) =>
        Math.max(0, below - rank, rank - upTo),
      );
      expect(Math.min(...distances)).toBeLessThanOrEqual(off);
    }
  });
});
