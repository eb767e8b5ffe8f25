import { Random } from 'halfspace/runs';
import { expect, test } from 'vitest';
import { fc, forAllAsync } from '../../../../test/support/properties.ts';
import { certify } from '../../src/certify.ts';
import { decideFewRows } from '../../src/exact/few-rows.ts';
import { WholeExamples } from '../../src/exact/separator.ts';
import { checkFor, endless, examplesOf, isSeparable, labelled, nearlyDegenerate } from '../support/examples.ts';

test('what is decided is the verdict of a simplex in whole numbers, and most is decided', async () => {
  const count = { separable: 0, contradicted: 0, open: 0 };
  await forAllAsync(300, fc.oneof(labelled(fc.integer({ min: -3, max: 3 }), 8), nearlyDegenerate), async (set) => {
    const { separator, contradiction } = await decideFewRows(
      new WholeExamples(await examplesOf(set.rows, set.labels)),
      endless,
    );
    expect(separator === null || contradiction === null).toBe(true);
    if (separator !== null) count.separable++;
    else if (contradiction !== null) count.contradicted++;
    else count.open++;
    if (separator !== null || contradiction !== null) expect(await isSeparable(set)).toBe(separator !== null);
  });
  const all = count.separable + count.contradicted + count.open;
  expect(count.separable, JSON.stringify(count)).toBeGreaterThan(all / 20);
  expect(count.contradicted, JSON.stringify(count)).toBeGreaterThan(all / 20);
  expect(count.open, JSON.stringify(count)).toBeLessThan(all / 1000);
});

/** Rows of random numbers and labels; the last ones are near the first ones, and of the other class. */
function twins(rows: number, features: number, width: number) {
  const random = new Random(rows);
  const draw = () => 2 * random.uniform() - 1;
  const first = Array.from({ length: rows / 2 }, () => Array.from({ length: features }, draw));
  const labels = first.map(() => (random.below(2) === 0 ? -1 : 1));
  const moved = first.map((row) => row.map((x) => x + width * draw()));
  return { rows: [...first, ...moved], labels: [...labels, ...labels.map((y) => -y)] };
}

const widths = [1e-9, 1e-12, 1e-15];
const sets: [rows: number, features: number, width: number][] = widths.map((width) => [12, 20, width]);
if (process.env.TEST_DEEP === '1')
  sets.push(...widths.map((width): (typeof sets)[0] => [40, 500, width]), [200, 500, 1e-9]);

test.each(sets)(
  '%d rows of %d features, in pairs of both classes that differ by %s, are separable',
  async (rows, features, width) => {
    const set = twins(rows, features, width);
    const examples = await examplesOf(set.rows, set.labels);
    const certificate = await certify(examples, { classes: ['-1', '1'], seconds: 60 });
    expect(certificate.verdict).toBe('separable');
    expect(await checkFor(certificate, examples)).toMatchObject({ holds: true });
  },
);
