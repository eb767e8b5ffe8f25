import { describe, expect, it } from 'vitest';
import { fc, forAll } from '../../../../test/support/properties.ts';
import { fitCalibrations } from '../../src/evaluate/fit-calibration.ts';
import { leadsOf } from '../../src/evaluate/leads.ts';
import { fitSoftmax } from '../../src/evaluate/softmax.ts';
import type { Calibration } from '../../src/model/calibration.ts';
import { classProbabilities, mostProbable } from '../../src/model/class-probabilities.ts';
import { lead } from '../../src/model/lead.ts';
import { classProbabilitiesOf, judgeProbabilities } from '../../src/model/probabilities.ts';
import type { ScoredExamples } from '../../src/model/scored-rows.ts';
import { classPosition } from '../../src/model/scorer.ts';
import { Random } from '../../src/random.ts';
import { leastOf } from '../support/margins.ts';

/** Scores of K classes, the own class ahead in the mean; a few rows may have scores a thousand times as large. */
function scoredRows({ seed, rows, classes, outliers = 0, ahead = 1 }: Setting): ScoredExamples {
  const random = new Random(seed);
  const labels = Float64Array.from({ length: rows }, (_, i) => (i < classes ? i : random.below(classes)));
  const scores = new Float64Array(rows * classes);
  labels.forEach((own, i) => {
    const size = i < outliers ? 1000 : 1;
    for (let k = 0; k < classes; k++)
      scores[i * classes + k] = size * ((k === own && i >= outliers ? ahead : 0) + 2 * random.uniform() - 1);
  });
  return { outputs: classes, scores, labels };
}

interface Setting {
  readonly seed: number;
  readonly rows: number;
  readonly classes: number;
  readonly outliers?: number;
  readonly ahead?: number;
}

const setting: fc.Arbitrary<Setting> = fc.record({
  seed: fc.nat(),
  rows: fc.integer({ min: 10, max: 120 }),
  classes: fc.integer({ min: 3, max: 8 }),
  outliers: fc.nat(4),
  ahead: fc.constantFrom(-1, 0, 0.5, 1, 5),
});

/** The softmax's objective, written from its head. */
function softmaxLoss({ outputs, scores, labels }: ScoredExamples, slope: number, reach: number): number {
  const counts = Array.from({ length: outputs }, (_, k) => labels.filter((label) => label === k).length);
  let loss = 0;
  labels.forEach((own, i) => {
    const row = [...scores.subarray(i * outputs, (i + 1) * outputs)];
    const highest = Math.max(...row);
    const z = row.map((s) => slope * Math.max(s - highest, -reach));
    const log = Math.log(z.reduce((sum, each) => sum + Math.exp(each), 0));
    const n = counts[own]!;
    z.forEach((each, k) => {
      loss += (k === own ? (n + 1) / (n + 2) : 1 / ((n + 2) * (outputs - 1))) * (log - each);
    });
  });
  return loss;
}

describe('a softmax of scores', () => {
  it('reaches the objective of another optimiser, and limits outliers only if this helps', () => {
    forAll(40, setting, (each) => {
      const scored = scoredRows(each);
      const { slope, reach } = fitSoftmax(scored);
      expect(slope).toBeGreaterThanOrEqual(0);
      const at = (reached: number) => (a: number) => softmaxLoss(scored, a, reached);
      const own = at(reach ?? Infinity)(slope);
      expect(own).toBeLessThanOrEqual(leastOf(at(reach ?? Infinity), 0, 10 * slope + 1).value * (1 + 1e-9));
      const unlimited = leastOf(at(Infinity), 0, 10 * slope + 1).value;
      if (reach !== null) expect(own).toBeLessThan(unlimited - 0.49 * Math.log(each.rows));
    });
  });

  it('is not flattened by outliers', () => {
    forAll(30, fc.nat(), (seed) => {
      const clean = fitSoftmax(scoredRows({ seed, rows: 400, classes: 5 }));
      const { slope, reach } = fitSoftmax(scoredRows({ seed, rows: 400, classes: 5, outliers: 8 }));
      expect(reach).not.toBe(null);
      expect(slope).toBeGreaterThan(0.5 * clean.slope);
    });
  });

  it('stops for equal scores, for separated classes, and for scores of any size', () => {
    const labels = Float64Array.of(0, 1, 2, 0, 1, 2);
    expect(fitSoftmax({ outputs: 3, scores: new Float64Array(18), labels })).toEqual({
      kind: 'softmax',
      slope: 0,
      reach: null,
    });
    for (const size of [1e-300, 1, 1e300]) {
      const scores = Float64Array.from({ length: 18 }, (_, at) =>
        at % 3 === labels[Math.floor(at / 3)] ? size : -size,
      );
      const { slope } = fitSoftmax({ outputs: 3, scores, labels });
      expect(slope > 0 && Number.isFinite(slope)).toBe(true);
      // Of two examples of a class and Platt's target: (2 + 1) / (2 + 2).
      const [calibration] = fitCalibrations('platt', { outputs: 3, scores, labels });
      expect(classProbabilities([calibration!], scores, 0, 3)[0]).toBeCloseTo(0.75, 9);
    }
  });

  it('does not depend on the unit of the scores, to the bit', () => {
    forAll(40, setting, fc.integer({ min: -30, max: 30 }), (each, power) => {
      const scored = scoredRows(each);
      const { slope, reach } = fitSoftmax(scored);
      const moved = fitSoftmax({ ...scored, scores: scored.scores.map((s) => s * 2 ** power) });
      expect(moved.slope * 2 ** power).toBe(slope);
      expect(moved.reach).toBe(reach === null ? null : reach * 2 ** power);
    });
  });
});

describe('probabilities of several classes', () => {
  it.each(['platt', 'isotonic'] as const)('by %s add up to 1, and are highest for the highest score', (kind) => {
    forAll(60, setting, setting, (fitted, asked) => {
      const calibration = fitCalibrations(kind, scoredRows(fitted));
      const scored = scoredRows({ ...asked, classes: fitted.classes });
      const { outputs, scores } = scored;
      const probabilities = classProbabilitiesOf(calibration, scored);
      for (let at = 0; at < scores.length; at += outputs) {
        const own = [...probabilities.subarray(at, at + outputs)];
        const named = classPosition(scores, at, outputs, -1);
        expect(own.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 12);
        expect(own[named]).toBe(Math.max(...own));
        expect(mostProbable(probabilities, at, outputs, named)).toBe(named);
        // Who scores higher is not less probable.
        const order = [...own.keys()].sort((j, k) => scores[at + j]! - scores[at + k]!);
        order.forEach((k, place) => {
          if (place > 0) expect(own[k]).toBeGreaterThanOrEqual(own[order[place - 1]!]!);
        });
      }
      const judged = judgeProbabilities(probabilities, scored)!;
      expect(judged.accuracy).toBe(judged.scoreAccuracy);
    });
  });

  it('are computed by each kind of calibration', () => {
    const softmax: Calibration = { kind: 'softmax', slope: 0.5, reach: 2 };
    const e = [Math.exp(-0.5), 1, Math.exp(-1)];
    classProbabilities([softmax], [1, 2, -7], 0, 3).forEach((p, k) => {
      expect(p).toBeCloseTo(e[k]! / (1 + e[0]! + e[2]!), 14);
    });
    const leads: Calibration = { kind: 'isotonic-leads', leads: [-2, 2], probabilities: [0, 1] };
    // Leads −1, 1 and −9.
    classProbabilities([leads], [1, 2, -7], 0, 3).forEach((p, k) => {
      expect(p).toBeCloseTo([0.25, 0.75, 0][k]!, 14);
    });
    for (const each of [softmax, leads]) {
      expect(classProbabilities([each], [Infinity, 0, Infinity], 0, 3)[0]).toBeGreaterThan(0.4);
      expect(classProbabilities([each], [-Infinity, -Infinity, -Infinity], 0, 3)).toEqual([1 / 3, 1 / 3, 1 / 3]);
      expect(() => classProbabilities([each], [0, Number.NaN, 0], 0, 3)).toThrow('expected a score that is a number');
    }
  });

  it('that are equal leave the choice to the scores, or else to the first class', () => {
    expect(mostProbable([0.5, 0.5], 0, 2, 0)).toBe(0);
    expect(mostProbable([0.5, 0.5], 0, 2, 1)).toBe(1);
    expect(mostProbable([9, 0.2, 0.4, 0.4], 1, 3, 2)).toBe(2);
    expect(mostProbable([9, 0.2, 0.4, 0.4], 1, 3, 0)).toBe(1);
  });
});

describe('the lead of a score', () => {
  it('is positive for the highest score only, and does not change if all scores are shifted', () => {
    const scores = Float64Array.of(9, 1, 3, 2, 9);
    expect([0, 1, 2].map((k) => lead(scores, 1, 3, k))).toEqual([-2, 1, -1]);
    expect([0, 1].map((k) => lead([Infinity, Infinity], 0, 2, k))).toEqual([0, 0]);
    expect([...leadsOf({ outputs: 2, scores: Float64Array.of(1, 2, 5, 3), labels: Float64Array.of(0, 1) }, 0)]).toEqual(
      [-1, 2],
    );
  });
});
