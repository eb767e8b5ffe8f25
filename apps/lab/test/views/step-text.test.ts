import type { RuleName } from 'halfspace';
import { describe, expect, it } from 'vitest';
import { fc, forAll, forAllAsync } from '../../../../test/support/properties.ts';
import type { Algorithm } from '../../src/algorithm/algorithm.ts';
import { defaultAlgorithm } from '../../src/algorithm/algorithm.ts';
import { ruleSpecs } from '../../src/algorithm/rules.constant.ts';
import type { Point } from '../../src/data/dataset.ts';
import { vectorAt } from '../../src/engine/examples.ts';
import { scoreOf } from '../../src/engine/recording.ts';
import { classChanges, numberText, stepText, updatesInARow } from '../../src/views/step-text.ts';
import { atStep as at, pointSet, sceneOf } from '../support/make-scene.ts';

const point = (x: number, y: number, label: -1 | 1): Point => ({ x, y, label });
const quarter = fc.integer({ min: -12, max: 12 }).map((value) => value / 4);
const points = fc.array(fc.record({ x: quarter, y: quarter, label: fc.constantFrom(-1 as const, 1 as const) }), {
  minLength: 3,
  maxLength: 9,
});
const lectures = ['lecture-9', 'lecture-9-algorithm-2', 'cs4780', 'foda', 'blog', 'slides'] as const;
const verdict = null;

describe('the numbers of a step', () => {
  it('are those of the blog, written out', async () => {
    const algorithm = { as: 'blog' } as const;
    const scene = await sceneOf(pointSet([point(2, 1, 1), point(0.5, -1, -1)]), { algorithm, step: 1, verdict });
    expect(stepText(scene)).toEqual({
      example: 'Example 1: y = +1',
      score: 'y·(θ·x + θ₀) = (+1) · (0·2 + 0·1 + 0) = 0',
      decision: '≤ 0: an update',
      update: 'θ ← θ + y·x = (0, 0) + (2, 1) = (2, 1), θ₀ ← θ₀ + y = 0 + 1 = 1',
      gain: 'y·a rose by ‖x‖² + 1 = 6 to 6: right now',
      lead: 'If only this example is shown, it makes at most 1 update in a row: ⌊−y·a / (‖x‖² + 1)⌋ + 1',
      note: null,
    });
    expect(stepText(at(scene, 2))).toMatchObject({
      score: 'y·(θ·x + θ₀) = (−1) · (2·0.5 + 1·(−1) + 1) = −1',
      update: 'θ ← θ + y·x = (2, 1) − (0.5, −1) = (1.5, 2), θ₀ ← θ₀ + y = 1 − 1 = 0',
      gain: 'y·a rose by ‖x‖² + 1 = 2.25 to 1.25: right now',
    });
    expect(stepText(at(scene, 0))).toBeNull();
  });

  it('have the constant inside x where a lecture absorbs the bias', async () => {
    const algorithm = { as: 'lecture-9' as const };
    const scene = await sceneOf(pointSet([point(2, 1, 1), point(-2, -1, -1)]), { algorithm, step: 1, verdict });
    const { row } = scene.moment;
    expect(stepText(scene)).toMatchObject({
      update:
        row === 0
          ? 'w ← w + y·x = (0, 0, 0) + (1, 2, 1) = (1, 2, 1)'
          : 'w ← w + y·x = (0, 0, 0) − (1, −2, −1) = (−1, 2, 1)',
      gain: 'y·a rose by ‖x‖² = 6 to 6: right now',
    });
  });

  it('are of the divided x where a lecture scales', async () => {
    const algorithm = { as: 'foda' as const };
    const scene = await sceneOf(pointSet([point(2, 2, 1), point(-1, 1, 1), point(1, 2, -1)]), {
      algorithm,
      step: 1,
      verdict,
    });
    // max‖(1, x)‖ = 3, and the start is the first example.
    expect(stepText(scene)!.score).toMatch(/^y·w·x = \(\+1\) · \(.*0\.6667·0\.6667 \+ 0\.6667·0\.6667\) [=≈] 1$/);
    expect(stepText(scene)!.decision).toBe('not < 0: nothing changes');
  });

  it('follow from the recording, for every lecture: y·a rises by exactly ‖x‖² with the constant', async () => {
    await forAllAsync(40, points, fc.constantFrom(...lectures), fc.nat(30), async (drawn, as, seek) => {
      fc.pre(new Set(drawn.map(({ label }) => label)).size === 2);
      const whole = await sceneOf(pointSet(drawn), { algorithm: { as, passes: 3 }, verdict });
      const scene = at(whole, Math.min(seek, whole.recording.steps));
      const { moment, recording, examples } = scene;
      if (moment.step === 0) return;
      const words = stepText(scene)!;
      expect(words.score).not.toBeNull();
      expect(words.update === null).toBe(!moment.updated);
      const x = vectorAt(examples, moment.row);
      const y = examples.labels[moment.row]!;
      const before = y * scoreOf(moment.before!, x, recording);
      const after = y * scoreOf(moment.present!, x, recording);
      const { divisor, biasConstant } = recording;
      const norm = x.reduce((sum, value) => sum + (value / divisor) ** 2, biasConstant ** 2);
      expect(after - before).toBeCloseTo(moment.updated ? norm : 0, 9);
      if (moment.updated) expect(words.gain).toContain(`= ${numberText(norm)} to`);
    });
  });

  it('leave out of many features all but the strongest', async () => {
    const header = `${Array.from({ length: 8 }, (_, j) => `f${j}`).join(',')},label`;
    const rows = [0, 1, 2, 3].map(
      (i) => `${Array.from({ length: 8 }, (_, j) => (j === i ? 5 : (i * j) % 3)).join(',')},${i % 2 ? 'yes' : 'no'}`,
    );
    const table = {
      kind: 'table',
      name: 't.csv',
      text: [header, ...rows].join('\n'),
      label: 'label',
      positive: null,
      columns: null,
      scale: 'none',
    } as const;
    const scene = await sceneOf(table, { step: 3, verdict });
    expect(stepText(scene)!.score).toMatch(/· \(.+ \+ … \d more\)/);
    expect(stepText(scene)!.example).toMatch(/^Example 3: y = [+−]1 \((yes|no)\)$/);
  });
});

describe('how often an example is wrong in a row', () => {
  /** Shows one example until it makes no update. */
  function simulated({ as }: Pick<Algorithm, 'as'>, score: number, gain: number, label: number): number {
    let [a, updates] = [score, 0];
    const wrong = () =>
      as === 'foda' ? a < 0 : as === 'lecture-9-algorithm-2' ? (label * a >= 0 ? 1 : -1) !== label : a <= 0;
    for (; wrong(); updates++) a += gain;
    return updates;
  }

  it('is what showing it again and again finds, for the conditions of every lecture', () => {
    const eighth = (max: number) => fc.integer({ min: -max, max: 8 }).map((value) => value / 8);
    forAll(
      fc.constantFrom(...lectures),
      eighth(200),
      fc.integer({ min: 1, max: 64 }).map((value) => value / 8),
      fc.constantFrom(-1, 1),
      (as, score, gain, label) => {
        const algorithm = { ...defaultAlgorithm, as };
        expect(updatesInARow(algorithm, score, gain, label)).toBe(simulated(algorithm, score, gain, label));
      },
    );
  });
});

describe('what an update put right and made wrong', () => {
  it('is found by judging every example before and after', async () => {
    await forAllAsync(25, points, fc.constantFrom(...lectures), async (drawn, as) => {
      fc.pre(new Set(drawn.map(({ label }) => label)).size === 2);
      const scene = await sceneOf(pointSet(drawn), { algorithm: { as, passes: 2 }, verdict });
      const { recording, examples } = scene;
      for (const step of recording.updates) {
        const moment = at(scene, step).moment;
        const judged = (line: typeof moment.present) =>
          drawn.map((_, i) => {
            const a = scoreOf(line!, vectorAt(examples, i), recording);
            return (a > 0 || (a === 0 && recording.tie > 0) ? 1 : -1) === drawn[i]!.label;
          });
        const [was, is] = [judged(moment.before), judged(moment.present)];
        const rows = drawn.map((_, i) => i);
        expect(classChanges(at(scene, step))).toEqual({
          fixed: rows.filter((i) => is[i] && !was[i]),
          broken: rows.filter((i) => was[i] && !is[i]),
        });
      }
    });
  });

  it('is nothing to speak of where nothing was updated', async () => {
    const scene = await sceneOf(pointSet([point(2, 1, 1), point(-2, -1, -1)]), { verdict });
    expect(classChanges(scene)).toBeNull();
  });
});

describe('every rule', () => {
  const rules = (Object.keys(ruleSpecs) as RuleName[]).filter((rule) => ruleSpecs[rule].hasPasses);
  it.each(rules)('%s says whether each step was an update', async (rule) => {
    const scene = await sceneOf(pointSet([point(2, 1, 1), point(-2, -1, -1), point(1, -1, -1)]), {
      algorithm: { as: null, rule, passes: 2 },
      verdict,
    });
    for (let step = 1; step <= scene.recording.steps; step++) {
      const words = stepText(at(scene, step))!;
      expect(words.example).toMatch(/^Example \d: y = [+−]1$/);
      expect(words.decision.length).toBeGreaterThan(0);
    }
  });
});
