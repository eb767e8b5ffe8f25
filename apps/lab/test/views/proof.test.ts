import { describe, expect, it } from 'vitest';
import { fc, forAllAsync } from '../../../../test/support/properties.ts';
import type { Algorithm } from '../../src/algorithm/algorithm.ts';
import { startsAtExample } from '../../src/algorithm/variant.ts';
import type { Point } from '../../src/data/dataset.ts';
import { vectorAt } from '../../src/engine/examples.ts';
import { cosinesOf } from '../../src/views/proof/cosine.ts';
import { leftOf } from '../../src/views/proof/countdown.ts';
import { proof } from '../../src/views/proof/proof.ts';
import { isInseparable, marginAt, proofOf } from '../../src/views/proof/quantities.ts';
import { runPath, weightsAt } from '../../src/views/run-path.ts';
import type { Scene } from '../../src/views/view.ts';
import { atStep as at, choosing, pointSet, sceneOf, separablePoints } from '../support/make-scene.ts';

/** Rounding of sums of at most some hundred products of numbers of ordinary size. */
const epsilon = 1e-9;

const variants: readonly Partial<Algorithm>[] = [
  { as: 'lecture-9' },
  { as: 'lecture-9-algorithm-2' },
  { as: 'cs4780' },
  { as: 'foda' },
  { as: 'blog' },
  { as: 'slides' },
  { as: null, rule: 'averaged' },
  { as: null, rule: 'pocket' },
  { as: null, rule: 'voted' },
  { as: null, rule: 'margin', options: { margin: 2 } },
];

const separable = separablePoints(0.5, 24);

/** z = (c, x/divisor) of an example. */
function lifted({ examples, recording }: Scene, row: number): number[] {
  const x = Array.from(vectorAt(examples, row), (value) => value / recording.divisor);
  return [recording.biasConstant, ...x];
}

const dot = (a: ArrayLike<number>, b: ArrayLike<number>) => Array.from(a).reduce((sum, n, j) => sum + n * b[j]!, 0);
const labelOf = ({ examples }: Scene, row: number) => examples.labels[row]!;

/** The weights after each update, as sums of y·z over what was shown. */
function naivePath(scene: Scene): number[][] {
  const { recording } = scene;
  const shown = startsAtExample(scene.algorithm) ? [recording.rows[0]!] : [];
  const rows = [...shown, ...Array.from(recording.updates, (step) => recording.rows[step - 1]!)];
  const sums = [lifted(scene, 0).map(() => 0)];
  for (const row of rows) sums.push(lifted(scene, row).map((z, j) => sums.at(-1)![j]! + labelOf(scene, row) * z));
  return sums.slice(shown.length);
}

describe('the numbers of the proof', () => {
  it('hold for every lecture and every rule that sums y·x: kγ ≤ ⟨w, w*⟩ ≤ ‖w‖ ≤ √k·R, over naive sums', async () => {
    await forAllAsync(
      60,
      separable,
      fc.constantFrom(...variants),
      fc.integer({ min: 1, max: 99 }),
      async (points, variant, seed) => {
        const scene = await sceneOf(pointSet(points), { algorithm: { ...variant, seed, passes: 300 } });
        const numbers = proofOf(scene)!;
        const { path, norms, dots, star, terms, growth, radius, start } = numbers;
        const naive = naivePath(scene);
        expect(new Set(path.counts).size).toBe(naive.length);
        const gamma = Math.min(...points.map((_, row) => labelOf(scene, row) * dot(star!.vector, lifted(scene, row))));
        expect(dot(star!.vector, star!.vector)).toBeCloseTo(1, 12);
        // γ is proved, so it is rounded down, and it is what the data say.
        expect(star!.margin).toBeLessThanOrEqual(gamma * (1 + epsilon));
        expect(star!.margin).toBeGreaterThan(gamma * (1 - 1e-5));
        expect(radius).toBeCloseTo(Math.max(...points.map((_, row) => Math.hypot(...lifted(scene, row)))), 9);
        path.counts.forEach((k, i) => {
          const w = naive[k]!;
          const n = k + start;
          Array.from(weightsAt(path, i)).forEach((value, j) => {
            expect(value).toBeCloseTo(w[j]!, 9);
          });
          expect(norms[i]).toBeCloseTo(Math.hypot(...w), 9);
          expect(dots[i]).toBeCloseTo(dot(w, star!.vector), 9);
          const upper = Math.sqrt(n * growth);
          expect(n * star!.margin).toBeLessThanOrEqual(dots[i]! + epsilon);
          expect(dots[i]).toBeLessThanOrEqual(norms[i]! + epsilon);
          expect(norms[i]).toBeLessThanOrEqual(upper + epsilon);
          if (norms[i]! > 0)
            expect(cosinesOf(numbers)[i]! + epsilon).toBeGreaterThanOrEqual(
              (Math.sqrt(n) * star!.margin) / Math.sqrt(growth),
            );
          // The bracket: margin(w) ≤ γ* ≤ ‖w‖/k; γ is within 10⁻⁵ of γ*.
          if (n > 0 && numbers.threshold === 0)
            expect(norms[i]! / n).toBeGreaterThanOrEqual(star!.margin * (1 - epsilon));
          expect(marginAt(scene, weightsAt(path, i), norms[i]!)).toBeLessThanOrEqual(
            star!.margin * (1 + 1e-5) + epsilon,
          );
        });
        const made = path.counts.at(-1)!;
        expect(made).toBeLessThanOrEqual(numbers.updates!);
        leftOf(numbers).forEach((left, i) => {
          expect(made - path.counts[i]!).toBeLessThanOrEqual(left);
          expect(left).toBeLessThanOrEqual(terms! - start - path.counts[i]! + 1e-6 * terms!);
        });
      },
    );
  });

  it('are those of the lecture: scaled by the radius R is 1, and the bound that of the unscaled data', async () => {
    const points: Point[] = [
      { x: 1.5, y: 2, label: 1 },
      { x: 3, y: 3, label: 1 },
      { x: -1, y: -0.5, label: -1 },
      { x: 0.5, y: -2, label: -1 },
    ];
    const [blog, cs4780] = await Promise.all(
      (['blog', 'cs4780'] as const).map(async (as) => proofOf(await sceneOf(pointSet(points), { algorithm: { as } }))!),
    );
    expect(blog!.radius).toBeCloseTo(Math.sqrt(3 * 3 + 3 * 3 + 1), 12);
    expect(cs4780!.radius).toBeCloseTo(1, 12);
    expect(cs4780!.terms).toBeCloseTo(blog!.terms!, 6);
  });

  it('have no w* where no line separates: ‖w‖² still grows by at most R² an update, and ‖w‖/k falls', async () => {
    const points: Point[] = [
      { x: 1, y: 1, label: 1 },
      { x: -1, y: -1, label: 1 },
      { x: 1, y: -1, label: -1 },
      { x: -1, y: 1.25, label: -1 },
    ];
    const scene = await sceneOf(pointSet(points), { algorithm: { passes: 200 } });
    expect(isInseparable(scene.verdict)).toBe(true);
    const { star, terms, norms, path, growth } = proofOf(scene)!;
    expect([star, terms]).toEqual([null, null]);
    for (let i = 1; i < norms.length; i++)
      expect(norms[i]! ** 2 - norms[i - 1]! ** 2).toBeLessThanOrEqual(growth + epsilon);
    expect(norms.at(-1)! / path.counts.at(-1)!).toBeLessThan(0.02);
    const far = choosing(scene, 'proof', 'cosine');
    expect(proof.missing(far)).toMatch(/no w\*/);
    expect(proof.missing(scene)).toBeNull();
    expect(proof.describe(scene)).toMatch(/No line separates/);
  });

  it('are not there for rules whose steps are others: a sentence says what to choose', async () => {
    const points: Point[] = [
      { x: 1, y: 1, label: 1 },
      { x: -1, y: -1, label: -1 },
    ];
    for (const rule of ['passive-aggressive', 'kernel', 'tree', 'sgd'] as const) {
      const scene = await sceneOf(pointSet(points), { algorithm: { as: null, rule }, verdict: null });
      expect(proof.missing(scene)).toMatch(/choose/);
    }
  });
});

describe('the picture of the proof', () => {
  it('writes the present numbers, ends its bold curves there, and meets where the bound is', async () => {
    const points: Point[] = [
      { x: 1, y: 3, label: 1 },
      { x: 2, y: 2.5, label: 1 },
      { x: 1.5, y: 2, label: -1 },
      { x: 3, y: 1, label: -1 },
    ];
    const run = await sceneOf(pointSet(points));
    const middle = at(run, Math.floor(run.recording.steps / 2));
    const frame = { width: 400, height: 320, text: 15 };
    const { norms, path, terms } = proofOf(run)!;
    const index = path.counts.indexOf(middle.moment.updates);
    const { marks } = proof.draw(middle, frame);
    const value = marks.find(({ id }) => id === 'value ‖w‖');
    expect(value?.kind === 'text' && Number(value.text)).toBeCloseTo(norms[index]!, 1);
    const far = proof.draw(choosing(middle, 'proof', 'far'), frame).marks;
    const ring = far.find(({ id }) => id === 'meeting');
    const label = far.find(({ id }) => id === 'bound');
    expect(ring?.kind).toBe('symbol');
    expect(label?.kind === 'text' && label.text).toContain(String(Math.floor(terms!)).slice(0, 1));
    // Both blades go through the ring.
    for (const id of ['upper blade', 'lower blade']) {
      const blade = far.find((mark) => mark.id === id);
      if (blade?.kind !== 'path' || ring?.kind !== 'symbol') throw new Error('expected a blade and a ring');
      const near = Math.min(...blade.spots.map(([x, y]) => Math.hypot(x - ring.at[0], y - ring.at[1])));
      expect(near).toBeLessThan(6);
    }
    for (const { id } of proof.choices!) {
      const picture = proof.draw(choosing(at(run, 0), 'proof', id), frame);
      for (const mark of picture.marks)
        for (const spot of mark.kind === 'path' ? mark.spots : mark.kind === 'text' ? [mark.at] : [])
          expect(spot.every(Number.isFinite), `${id} at the start`).toBe(true);
    }
  });

  it('of a run rebuilt from its updates is that of the perceptron', async () => {
    const points: Point[] = [
      { x: 1, y: 3, label: 1 },
      { x: 2, y: 2.5, label: 1 },
      { x: 1.5, y: 2, label: -1 },
      { x: 3, y: 1, label: -1 },
    ];
    const [voted, perceptron] = await Promise.all(
      (['voted', 'perceptron'] as const).map((rule) =>
        sceneOf(pointSet(points), { algorithm: { as: null, rule, passes: 5 } }),
      ),
    );
    expect(Array.from(runPath(voted!)!.numbers)).toEqual(Array.from(runPath(perceptron!)!.numbers));
  });
});
