import { expect, test } from 'vitest';
import { fc, forAllAsync } from '../../../../test/support/properties.ts';
import { certify } from '../../src/certify.ts';
import { examplesOf } from '../../src/rows.ts';
import { checkFor, fewest, type Labelled, labelled, nearlyDegenerate } from '../support/examples.ts';

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

// The last row is asked: all subsets of the others show with how many errors a line can call it otherwise.
test.each(Object.entries(kinds).slice(0, 2))(
  'the class of a row among rows %s is proved with as many errors as all subsets show',
  { timeout: 300_000 },
  async (_, [data, numbers]) => {
    let forced = 0;
    await forAllAsync(data, async ({ rows, labels }) => {
      const [asked, known] = [rows.slice(-1), rows.slice(0, -1)];
      if (new Set(labels.slice(0, -1)).size < 2) return;
      const classes = ['-1', '1'] as const;
      const examples = examplesOf(known, labels.slice(0, -1), classes, numbers);
      const predict = examplesOf(asked, [1], classes, numbers);
      const certificate = await certify(examples, { classes, predict });
      expect(await checkFor(certificate, examples)).toMatchObject({ holds: true });
      const [prediction] = certificate.predictions;
      const fewestOf = (y: number) => fewest(examplesOf(rows, [...labels.slice(0, -1), y], classes, numbers), true);
      const [minus, plus] = [await fewestOf(-1), await fewestOf(1)];
      const [best, others] = [Math.min(minus, plus), Math.max(minus, plus)];
      expect(prediction!.atLeast).toBe(others > best ? others : 0);
      if (others === best) return;
      forced++;
      expect(prediction!.row.startsWith(minus > plus ? '-1' : '+1')).toBe(true);
    });
    expect(forced).toBeGreaterThan(0);
  },
);
