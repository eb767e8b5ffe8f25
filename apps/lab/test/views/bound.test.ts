import { describe, expect, it } from 'vitest';
import { fc, forAllAsync } from '../../../../test/support/properties.ts';
import type { Algorithm } from '../../src/algorithm/algorithm.ts';
import type { Point } from '../../src/data/dataset.ts';
import { vectorAt } from '../../src/engine/examples.ts';
import type { Verdict } from '../../src/engine/verdict.ts';
import { plane } from '../../src/views/plane/plane.ts';
import { type Bound, boundOf, type Space, starLine } from '../../src/views/proof/bound.ts';
import { proof } from '../../src/views/proof/proof.ts';
import { proofOf } from '../../src/views/proof/quantities.ts';
import { boundNumbers, meetingText, relationText } from '../../src/views/proof/text.ts';
import { verdictText } from '../../src/views/verdict-text.ts';
import type { Scene } from '../../src/views/view.ts';
import { pointSet, sceneOf, separablePoints } from '../support/make-scene.ts';
import { compare, Fraction, root } from '../tours/exact/fraction.ts';
import { dot as dotOf, nearestOfHull } from '../tours/exact/nearest.ts';

const epsilon = 1e-9;
const both: readonly Space[] = ['coordinate', 'apart'];
const variants: readonly Partial<Algorithm>[] = [
  { as: 'lecture-9' },
  { as: 'cs4780' },
  { as: 'foda' },
  { as: 'blog' },
  { as: 'slides' },
  { as: null, rule: 'averaged' },
  { as: null, rule: 'margin', options: { margin: 2 } },
];
const separable = separablePoints(0.25, 16);

const seenIn = (scene: Scene, space: Space): Scene => ({
  ...scene,
  look: { ...scene.look, space, layers: { radius: true } },
});
const dot = (a: ArrayLike<number>, b: ArrayLike<number>) => Array.from(a).reduce((sum, n, j) => sum + n * b[j]!, 0);
const numberOf = (text: string) => Number(text.replaceAll(',', '').replace('−', '-'));

/** The right side of the theorem for numbers as they are written. */
function ratioOf({ space, constant, threshold }: Bound, R: number, gamma: number, b: number): number {
  return space === 'apart'
    ? ((R * R + constant * constant + 2 * threshold) * (1 + b * b)) / (gamma * gamma)
    : (R * R + 2 * threshold) / (gamma * gamma);
}

describe('R, γ and w* are of one space, in every place', () => {
  it('are what the data say, bound the run, and are written so that the bound follows from them', async () => {
    await forAllAsync(
      60,
      separable,
      fc.constantFrom(...variants),
      fc.constantFrom(...both),
      async (points, variant, space) => {
        const run = await sceneOf(pointSet(points), { algorithm: { ...variant, passes: 300 } });
        const scene = seenIn(run, space);
        const { recording, examples } = scene;
        const { divisor, biasConstant: c } = recording;
        const xs = points.map((_, row) => Array.from(vectorAt(examples, row), (value) => value / divisor));
        const bound = boundOf(scene, space);
        const star = bound.star!;
        // R and γ of the examples, and the length of w*, with or without the constant and the bias.
        const own = space === 'coordinate' ? [c] : [];
        expect(bound.radius).toBeCloseTo(Math.max(...xs.map((x) => Math.hypot(...own, ...x))), 9);
        expect(Math.hypot(...star.vector.subarray(space === 'coordinate' ? 0 : 1))).toBeCloseTo(1, 12);
        const least = Math.min(...xs.map((x, row) => points[row]!.label * dot(star.vector, [c, ...x])));
        expect(star.margin).toBeLessThanOrEqual(least * (1 + epsilon));
        expect(star.margin).toBeGreaterThan(least * (1 - 1e-5));
        // No other space allows fewer updates than the lectures' proof, and the run keeps to both.
        expect(bound.terms! * (1 + 1e-5)).toBeGreaterThan(boundOf(scene, 'coordinate').terms!);
        expect(recording.updates.length).toBeLessThanOrEqual(bound.updates!);
        const { norms, dots, path, growth, start } = proofOf(scene)!;
        path.counts.forEach((k, i) => {
          expect((k + start) * star.margin).toBeLessThanOrEqual(dots[i]! + epsilon * norms[i]! + epsilon);
          expect(dots[i]).toBeLessThanOrEqual(norms[i]! * (1 + epsilon) + epsilon);
          expect(norms[i]).toBeLessThanOrEqual(Math.sqrt((k + start) * growth) * (1 + epsilon) + epsilon);
        });
        // A reader who puts the written numbers into the formula gets the written number of updates.
        const written = boundNumbers(bound);
        const bias = written.bias === '' ? 0 : numberOf(written.bias);
        const constant =
          numberOf(written.radius) === 0 ? 0 : ratioOf(bound, numberOf(written.radius), numberOf(written.margin), bias);
        if (bound.terms! < 1e8) expect(Math.floor(constant)).toBe(Math.floor(bound.terms!));
        if (bound.terms! < 1e8) expect(Math.floor(numberOf(written.ratio))).toBe(Math.floor(bound.terms!));
        // Verdict, proof, plane and the picture's words say the same R and γ.
        const verdict = verdictText(scene.verdict!, scene);
        expect(verdict.numbers).toContain(`R = ${written.radius}, γ = ${written.margin}`);
        expect(verdict.numbers).toContain(`= ${written.ratio}.`);
        expect(verdict.text).toContain(`at most ${bound.updates!.toLocaleString('en')} update`);
        expect(meetingText(scene, proofOf(scene)!)).toContain(written.ratio);
        expect(proof.describe(scene)).toContain(written.ratio);
        const line = starLine(scene.verdict, space)!;
        expect(line.bias * star.vector[1]! * c).toBeCloseTo(star.vector[0]! * c * line.weights[0]! * divisor * c, 6);
      },
    );
  });

  it('are written on their safe sides of the exact R, γ and (R/γ)²', async () => {
    const fraction = (text: string) => Fraction.of(text.replaceAll(',', '').replace('−', '-'));
    await forAllAsync(40, separable, fc.constantFrom(...both), async (points, space) => {
      const run = await sceneOf(pointSet(points), { algorithm: { as: 'blog' } });
      const scene = seenIn(run, space);
      const bound = boundOf(scene, space);
      const { radius, margin, ratio } = boundNumbers(bound);
      const lifted = points.map(({ x, y, label }) => [x, y, 1].map((each) => Fraction.of(each * label)));
      const own = space === 'coordinate' ? lifted : lifted.map((vector) => vector.slice(0, 2));
      const squares = own.map((z) => dotOf(z, z));
      const longest = squares.reduce((most, each) => (compare(each, most) > 0 ? each : most));
      // The margin is the distance of the hull of y(x, 1) from 0, or half of that between the hulls of the classes.
      const positive = own.filter((_, row) => points[row]!.label > 0);
      const negative = own.filter((_, row) => points[row]!.label < 0);
      const apart = positive.flatMap((p) => negative.map((n) => p.map((each, j) => each.plus(n[j]!))));
      const nearest = nearestOfHull(space === 'coordinate' ? own : apart);
      const square = dotOf(nearest, nearest).by(Fraction.of(space === 'coordinate' ? 1 : 4));
      expect(compare(fraction(radius), root(longest)), `R = ${radius}`).toBeGreaterThanOrEqual(0);
      expect(compare(fraction(margin), root(square)), `γ = ${margin}`).toBeLessThanOrEqual(0);
      expect(Number(margin)).toBeGreaterThan(bound.star!.margin * 0.998);
      if (space === 'apart') return;
      const most = longest.by(square);
      expect(compare(fraction(ratio), most), `(R/γ)² = ${ratio}`).toBeGreaterThanOrEqual(0);
      expect(bound.updates).toBe(most.floor);
    });
  });

  it('of which only bounds are known are written with both, rounded outwards', async () => {
    const scene = await sceneOf(
      pointSet([
        { x: 1, y: 0, label: 1 },
        { x: -1, y: 0, label: -1 },
      ]),
    );
    const verdict = scene.verdict as Extract<Verdict, { kind: 'separable' }>;
    const wide = { ...verdict, lifted: { ...verdict.lifted, lower: 0.123456, upper: 0.123499 } };
    expect(verdictText(wide, scene).numbers).toContain('γ between 0.1234 and 0.1235');
    const undecided = verdictText({ kind: 'undecided', upper: 0.123411, why: 'Not found.' }, scene);
    expect(undecided.text).toContain('its margin is below 0.1235.');
  });

  it('the plane names R as the verdict does, and where it comes from; the relation tells the other R and γ', async () => {
    const points: Point[] = [
      { x: 3, y: 4, label: 1 },
      { x: 2, y: 3, label: 1 },
      { x: 1, y: 0.5, label: -1 },
      { x: 0.5, y: 1, label: -1 },
    ];
    const names: string[] = [];
    for (const as of ['blog', 'cs4780'] as const)
      for (const space of both) {
        const scene = seenIn(await sceneOf(pointSet(points), { algorithm: { as } }), space);
        const mark = plane
          .draw(scene, { width: 400, height: 400, text: 13 })
          .marks.find(({ id }) => id === 'radius name');
        names.push(mark?.kind === 'text' ? mark.text : '');
        const bound = boundOf(scene, space);
        const other = boundNumbers(boundOf(scene, space === 'apart' ? 'coordinate' : 'apart'));
        expect(relationText(scene, bound)).toContain(`R = ${other.radius}`);
        expect(relationText(scene, bound)).toContain(`γ = ${other.margin}`);
        expect(proof.missing({ ...scene, look: { ...scene.look, choices: { proof: 'bracket' } } }) === null).toBe(
          space === 'coordinate',
        );
      }
    expect(names).toEqual([
      'R = √(5² + 1²) = 5.100',
      'R = 5',
      'R = √((5/5.099)² + 0.1961²) = 1',
      'R = 5/5.099 = 0.9806',
    ]);
  });
});
