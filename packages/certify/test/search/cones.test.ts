import { expect, test } from 'vitest';
import { fc, forAllAsync } from '../../../../test/support/properties.ts';
import { certify } from '../../src/certify.ts';
import { signedColumns } from '../../src/exact/contradiction.ts';
import { decideExactly } from '../../src/exact/linear-programme.ts';
import type { ExactBatch } from '../../src/exact/values.ts';
import { examplesOf } from '../../src/rows.ts';
import { checkFor, endless, type Labelled, labelled, nearlyDegenerate } from '../support/examples.ts';

/** The fewest rows without which a line separates the others: all subsets are tried. */
async function fewest(examples: ExactBatch): Promise<number> {
  let least = examples.rows;
  for (let set = 0; set < 2 ** examples.rows; set++) {
    const kept = Array.from({ length: examples.rows }, (_, i) => i).filter((i) => ((set >> i) & 1) === 0);
    if (examples.rows - kept.length >= least) continue;
    const columns = signedColumns(examples, kept).columns.map((column) =>
      Array.from({ length: examples.dimension + 1 }, (_, j) => column.get(j) ?? 0n),
    );
    if (kept.length === 0 || (await decideExactly(columns, endless))!.separator !== null)
      least = examples.rows - kept.length;
  }
  return least;
}

const kinds: Record<string, [fc.Arbitrary<Labelled>, 'written' | 'doubles']> = {
  'that share places and planes': [labelled(fc.integer({ min: 0, max: 2 }), 9), 'doubles'],
  'in decimals': [
    labelled(
      fc.integer({ min: -4, max: 4 }).map((x) => x / 10),
      9,
    ),
    'written',
  ],
  'of doubles of any size': [labelled(fc.double({ noNaN: true, noDefaultInfinity: true }), 8), 'doubles'],
  'near one plane': [nearlyDegenerate.filter(({ rows }) => rows.length <= 9), 'doubles'],
};

test.each(Object.entries(kinds))(
  'the fewest errors of rows %s are proved, and all subsets show them',
  {
    timeout: 300_000,
  },
  async (kind, [data, numbers]) => {
    // Where numbers differ by more than doubles can hold, the search may end before it has proved all errors.
    const isCommon = !/any size/.test(kind);
    const seconds = isCommon ? 60 : 2;
    await forAllAsync(data, async ({ rows, labels }) => {
      const examples = examplesOf(rows, labels, ['-1', '1'], numbers);
      const certificate = await certify(examples, { classes: ['-1', '1'], errors: true, seconds });
      expect(await checkFor(certificate, examples)).toMatchObject({ holds: true });
      const { errors } = certificate;
      if (errors === null) return;
      const least = await fewest(examples);
      if (isCommon) expect(errors).toMatchObject({ atLeast: least, atMost: least });
      expect(errors.atLeast).toBeLessThanOrEqual(least);
      expect(errors.atMost).toBeGreaterThanOrEqual(least);
    });
  },
);
