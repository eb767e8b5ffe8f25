import { describe, expect, test } from 'vitest';
import { fc, forAllAsync } from '../../../test/support/properties.ts';
import type { Certificate } from '../src/certificate.ts';
import { certify } from '../src/certify.ts';
import { rootOf } from '../src/exact/whole.ts';
import {
  checkFor,
  examplesOf,
  fewestOfThresholds,
  isSeparable,
  type Labelled,
  labelled,
  nearlyDegenerate,
} from './support/examples.ts';

const classes = ['-1', '1'] as const;

/** A certificate as it comes from a file, which holds. */
async function proved({ rows, labels }: Labelled, errors = false): Promise<Certificate> {
  const examples = await examplesOf(rows, labels);
  const certificate = JSON.parse(JSON.stringify(await certify(examples, { classes, errors })));
  expect(await checkFor(certificate, examples)).toMatchObject({ holds: true });
  return certificate;
}

describe('every verdict is proved', () => {
  test('XOR: the four points contradict each other', async () => {
    const xor = {
      rows: [
        [0, 0],
        [1, 1],
        [0, 1],
        [1, 0],
      ],
      labels: [-1, -1, 1, 1],
    };
    const { verdict, contradictions } = await proved(xor);
    expect(verdict).toBe('not-separable');
    expect(contradictions).toEqual([{ rows: [1, 2, 3, 4], weights: ['1', '1', '1', '1'], total: '4' }]);
  });

  test('the same example with both labels is the contradiction, whatever else there is', async () => {
    const { contradictions } = await proved({
      rows: [
        [9, 9],
        [1, 2],
        [3, 0],
        [1, 2],
        [0, 1],
      ],
      labels: [1, 1, -1, -1, -1],
    });
    expect(contradictions).toEqual([{ rows: [2, 4], weights: ['1', '1'], total: '2' }]);
  });

  test('numbers that are not short in binary', async () => {
    const { verdict } = await proved({ rows: [[0.1], [0.1 + 2 ** -56]], labels: [-1, 1] });
    expect(verdict).toBe('separable');
  });

  test('whole numbers, often the same: the verdict of a simplex without floating point', {
    timeout: 300_000,
  }, async () => {
    const verdicts = new Set<string>();
    await forAllAsync(1000, labelled(fc.integer({ min: -2, max: 2 })), async (data) => {
      const { verdict } = await proved(data);
      verdicts.add(verdict);
      expect(verdict).toBe((await isSeparable(data)) ? 'separable' : 'not-separable');
    });
    expect([...verdicts].sort()).toEqual(['not-separable', 'separable']);
  });

  test('margins of 10⁻⁹ to 10⁻¹⁵, and none', { timeout: 300_000 }, async () => {
    const verdicts = new Set<string>();
    await forAllAsync(400, nearlyDegenerate, async (data) => {
      const { verdict } = await proved(data);
      verdicts.add(verdict);
      expect(verdict).toBe((await isSeparable(data)) ? 'separable' : 'not-separable');
    });
    expect([...verdicts].sort()).toEqual(['not-separable', 'separable']);
  });
});

test('a contradiction is irreducible, and of at most d + 2 examples', async () => {
  await forAllAsync(200, labelled(fc.integer({ min: -5, max: 5 }), 20), async (data) => {
    const { contradictions } = await proved(data);
    const [first] = contradictions;
    if (first === undefined) return;
    expect(first.rows.length).toBeLessThanOrEqual(data.rows[0]!.length + 2);
    for (const left of first.rows) {
      const others = first.rows.filter((row) => row !== left).map((row) => row - 1);
      const rest = { rows: others.map((i) => data.rows[i]!), labels: others.map((i) => data.labels[i]!) };
      if (new Set(rest.labels).size === 2) expect(await isSeparable(rest)).toBe(true);
    }
  });
});

// Cases in which the solver failed.
const narrow: Labelled = {
  rows: [
    [-3, 2, 7],
    [-5, 0, 6],
    [-1, -4, 0],
    [0, -5, -2],
    [0, 1, 0],
  ],
  labels: [-1, 1, 1, 1, -1],
};

test('the bracket on the largest margin is narrow', async () => {
  const isNarrow = async (data: Parameters<typeof proved>[0]) => {
    const { separator, ceiling } = await proved(data);
    if (separator === null) return;
    const [margin, top] = [rootOf(separator.marginSquared), rootOf(ceiling!.marginSquared)];
    expect(top).toBeGreaterThanOrEqual(margin * (1 - 1e-15));
    expect((top - margin) / top).toBeLessThan(1e-6);
  };
  await isNarrow(narrow);
  await forAllAsync(300, labelled(fc.integer({ min: -9, max: 9 }), 6), isNarrow);
});

describe('the fewest errors of any line', () => {
  test('lies between the bounds, in one dimension, where it can be counted', async () => {
    await forAllAsync(
      200,
      fc.array(fc.tuple(fc.integer({ min: 0, max: 9 }), fc.constantFrom(-1, 1)), { minLength: 2, maxLength: 15 }),
      async (drawn) => {
        const data = { rows: drawn.map(([x]) => [x]), labels: drawn.map(([, y]) => y) };
        if (new Set(data.labels).size < 2) return;
        const { errors } = await proved(data, true);
        const least = fewestOfThresholds(data);
        if (errors === null) expect(least).toBe(0);
        else {
          expect(errors.atLeast).toBeGreaterThan(0);
          expect(errors.atLeast).toBeLessThanOrEqual(least);
          expect(errors.atMost).toBeGreaterThanOrEqual(least);
        }
      },
    );
  });
});

describe('a search that is stopped', () => {
  test('leaves the verdict open', async () => {
    const examples = await examplesOf([[0], [2], [1], [5]], [-1, 1, 1, -1]);
    const certificate = await certify(examples, { classes, signal: AbortSignal.abort() });
    expect(certificate.verdict).toBe('unknown');
    expect(await checkFor(certificate, examples)).toMatchObject({ holds: true, proved: [] });
  });

  test('keeps the ceiling that it has reached', async () => {
    const examples = await examplesOf([[0], [2], [1], [5]], [-1, 1, 1, -1]);
    const controller = new AbortController();
    const stop = () => controller.abort();
    const certificate = await certify(examples, { classes, signal: controller.signal, onProgress: stop });
    expect(certificate.verdict).toBe('unknown');
    expect(certificate.ceiling).not.toBeNull();
    expect(await checkFor(certificate, examples)).toMatchObject({ holds: true });
  });
});

test('examples of one class are refused', async () => {
  const examples = await examplesOf([[1], [2]], [1, -1]);
  const one = { ...examples, labels: Float64Array.of(1, 1) };
  await expect(certify(one, { classes })).rejects.toThrow('expected examples labelled -1 and 1, both; got others');
});

test('the same examples give the same certificate, byte for byte', async () => {
  const examples = await examplesOf(
    [
      [0.3, 1],
      [1, 1],
      [0, 1],
      [1, 0.7],
      [0.4, 0.4],
    ],
    [-1, -1, 1, 1, 1],
  );
  const [one, two] = [await certify(examples, { classes }), await certify(examples, { classes })];
  expect(JSON.stringify(one)).toBe(JSON.stringify(two));
});
