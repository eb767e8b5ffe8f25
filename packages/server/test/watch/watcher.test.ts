import { HalfspaceError } from 'halfspace';
import { reliabilityCurve } from 'halfspace/metrics';
import { createDetector } from 'halfspace/online';
import { decodeValue, encodeValue, Random } from 'halfspace/runs';
import { describe, expect, it } from 'vitest';
import { fc, forAll } from '../../../../test/support/properties.ts';
import type { Alarm } from '../../src/watch/alarm.ts';
import { pageHinkley } from '../../src/watch/error-watch.ts';
import { Watcher } from '../../src/watch/watcher.ts';
import { type Example, mixed, normal, numbers, Watched } from './streams.ts';

/** Writes a state as a snapshot has it, and reads it. */
const reread = (watcher: Watcher): Watcher =>
  Watcher.from(decodeValue(JSON.parse(JSON.stringify(encodeValue(watcher.state())))));

/** Examples of one form, whose first number shifts after half of them. */
const streams = fc
  .record({
    seed: fc.nat(),
    length: fc.integer({ min: 1, max: 600 }),
    isNumbers: fc.boolean(),
    shift: fc.constantFrom(0, 3),
  })
  .map(({ seed, length, isNumbers, shift }): Example[] => {
    const random = new Random(seed);
    const next = isNumbers ? numbers : mixed;
    return Array.from({ length }, (_, e) => next(random, 2 * e < length ? 0 : shift));
  });

describe('a watcher', () => {
  it('gives the same bits if it is saved and restored between any two examples', () => {
    forAll(
      20,
      streams,
      fc.array(fc.nat(600), { maxLength: 4 }),
      fc.record({
        window: fc.integer({ min: 1, max: 300 }),
        columns: fc.integer({ min: 0, max: 6 }),
        inputs: fc.nat(4),
      }),
      (stream, cuts, options) => {
        const [one, other] = [new Watched({ calibrate: true }), new Watched({ calibrate: true })];
        const whole = new Watcher(options);
        let parts = new Watcher(options);
        stream.forEach((example, e) => {
          if (cuts.includes(e)) parts = reread(parts);
          expect(other.learn(example, parts)).toEqual(one.learn(example, whole));
        });
        expect(parts.state()).toEqual(whole.state());
        expect(parts.report()).toEqual(whole.report());
        expect(reread(parts).state()).toEqual(whole.state());
      },
    );
  });

  it('watches the mean of a column only while it has one', () => {
    const model = new Watched();
    const watcher = new Watcher();
    const watched = () => watcher.report().columns.map(({ name, alarms }) => [name, alarms !== null]);
    const learn = (code: string, e: number) => {
      model.learn({ row: { code, x: e }, label: e % 2 }, watcher);
      expect(reread(watcher).state()).toEqual(watcher.state());
    };
    for (let e = 0; e < 3; e++) learn(`${12345 + e}`, e);
    expect(watched()).toEqual([
      ['code', true],
      ['x', true],
    ]);
    learn('A-12', 3);
    expect(watched()).toEqual([
      ['code', false],
      ['x', true],
    ]);
    for (let e = 4; e < 60; e++) learn(`B-${e % 7}`, e);
    expect(watched()).toEqual([
      ['code', false],
      ['x', true],
    ]);
  });

  it('counts classes, missing and unseen values as a list of all examples does', () => {
    forAll(15, streams, fc.integer({ min: 1, max: 200 }), (stream, window) => {
      const model = new Watched();
      const watcher = new Watcher({ window });
      for (const example of stream) model.learn(example, watcher);
      const { classes, columns, examples } = watcher.report();
      expect(examples).toBe(stream.length);
      const latest = stream.slice(-window);
      const count = (of: readonly Example[], name: string | null) =>
        of.filter(({ label }) => `${label}` === name).length;
      expect(classes).toEqual(
        [...new Set(stream.map(({ label }) => `${label}`))].map((name) => ({
          name,
          examples: count(stream, name),
          latest: count(latest, name),
        })),
      );
      for (const { name, examples, missing, unseen, latest } of columns) {
        const values = stream.map(({ row }) => (row as Record<string, unknown>)[name] ?? null);
        const since = values.findIndex((value) => value !== null);
        const isText = name === 'city' || name === 'note';
        const words = (value: unknown) => (name === 'note' ? String(value).split(' ') : [value]);
        const known = new Set<unknown>();
        const cells = values.slice(since).map((value) => {
          if (value === null) return 'missing';
          const isNew = isText && words(value).every((word) => !known.has(word));
          for (const word of words(value)) known.add(word);
          return isNew ? 'unseen' : 'known';
        });
        const countOf = (of: readonly string[]) => ({
          examples: of.length,
          missing: of.filter((cell) => cell === 'missing').length,
          unseen: of.filter((cell) => cell === 'unseen').length,
        });
        expect({ name, examples, missing, unseen }).toEqual({ name, ...countOf(cells) });
        expect({ name, ...latest }).toEqual({ name, ...countOf(cells.slice(-window)) });
      }
    });
  });

  it.each([2, 3])('compares the probabilities of answers among %i classes with what came', (count) => {
    const random = new Random(5);
    const model = new Watched({ calibrate: true });
    const watcher = new Watcher({ window: 400 });
    const answers: { readonly confidence: number; readonly right: boolean }[] = [];
    for (let e = 0; e < 900; e++) {
      const x = normal(random);
      const example = {
        row: { x, y: normal(random) },
        label: `c${Math.min(count - 1, Math.max(0, Math.round(x + random.uniform())))}`,
      };
      const { classifier } = model;
      let all: number[] = [];
      try {
        all = classifier.probabilities(example.row);
      } catch {
        // There are too few rows.
      }
      const at = classifier.classes.indexOf(String(classifier.predict(example.row)));
      const { right } = model.learn(example, watcher);
      if (all.length > 0) answers.push({ confidence: all[at]!, right: right === true });
    }
    const latest = answers.slice(-400);
    const expected = reliabilityCurve(
      Float64Array.from(latest, ({ confidence }) => confidence),
      Float64Array.from(latest, ({ right }) => (right ? 1 : -1)),
    );
    const { calibration } = watcher.report();
    expect(calibration?.examples).toBe(400);
    expect(calibration?.bins).toHaveLength(10);
    expect(calibration?.expectedCalibrationError).toBe(expected.expectedCalibrationError);
    expect(calibration?.bins.map(({ probability }) => probability)).toEqual([...expected.meanProbabilities]);
    expect(calibration!.expectedCalibrationError).toBeLessThan(0.1);
  });

  it('refuses what is no state, wherever it is wrong', () => {
    const random = new Random(3);
    const model = new Watched({ calibrate: true });
    const watcher = new Watcher({ window: 50 });
    for (let e = 0; e < 400; e++) model.learn(mixed(random, e < 200 ? 0 : 20), watcher);
    const state = watcher.state();
    expect(state.alarms.length).toBeGreaterThan(0);
    const spoilt = (value: unknown, path: readonly string[]): [string, unknown][] => {
      if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return [];
      return Object.keys(value).flatMap((key) => {
        const member = (value as Record<string, unknown>)[key];
        const replace = (by: unknown) => (Array.isArray(value) ? value.with(Number(key), by) : { ...value, [key]: by });
        const inside = spoilt(member, [...path, key]).map(([at, by]): [string, unknown] => [at, replace(by)]);
        return [[[...path, key].join('.'), replace({})] as [string, unknown], ...inside];
      });
    };
    const all = spoilt(state, []);
    expect(all.length).toBeGreaterThan(100);
    const accepted = all.filter(([, each]) => {
      try {
        Watcher.from(each);
        return true;
      } catch (error) {
        expect(error).toBeInstanceOf(HalfspaceError);
        expect((error as HalfspaceError).code).toBe('model-invalid');
        return false;
      }
    });
    expect(accepted.map(([path]) => path)).toEqual([]);
  });
});

describe('drift alarms', () => {
  it('on errors are those of the detectors of the library, which start anew after an alarm of one of them', () => {
    forAll(10, fc.nat(), fc.constantFrom(0, 0.1, 0.5), (seed, noise) => {
      const random = new Random(seed);
      const model = new Watched();
      const watcher = new Watcher();
      const fresh = () => [createDetector('adwin'), createDetector(pageHinkley)];
      let detectors = fresh();
      let alarms = 0;
      for (let e = 0; e < 2000; e++) {
        const x = normal(random);
        const isRight = x > 0 !== (e > 1000 && random.uniform() < noise);
        const { right, alarms: raised } = model.learn({ row: { x: x > 0 ? 1 : -1 }, label: isRight }, watcher);
        if (right === null) continue;
        const found = detectors.filter((detector) => detector.update(right ? 0 : 1)).map(({ name }) => name);
        const expected = found.slice(0, 1);
        if (found.length > 0) detectors = fresh();
        expect(raised.filter(({ of }) => of === 'error').map(({ detector }) => detector)).toEqual(expected);
        alarms += expected.length;
      }
      if (noise === 0.5) expect(alarms).toBeGreaterThan(0);
    });
  });

  it('on an input are those of the detectors over its standardised values, which start anew after an alarm', () => {
    const random = new Random(8);
    const model = new Watched();
    const watcher = new Watcher();
    const fresh = () => ({
      adwin: createDetector({ name: 'adwin', direction: 'both', checkEvery: 128 }),
      pageHinkley: createDetector({ name: 'page-hinkley', direction: 'both', delta: 0.25, threshold: 50, alpha: 1 }),
      scale: [] as number[],
    });
    let { adwin, pageHinkley, scale } = fresh();
    const found: string[] = [];
    const expected: string[] = [];
    for (let e = 0; e < 4000; e++) {
      const x =
        e < 300 ? 7 : e < 1500 ? normal(random) : e < 2500 ? 100 + 50 * normal(random) ** 3 : 0.6 * normal(random);
      const { alarms } = model.learn({ row: { x }, label: random.uniform() < 0.5 ? 'a' : 'b' }, watcher);
      found.push(...alarms.filter(({ of }) => of === 'input').map(({ detector }) => `${e} ${detector}`));
      const mean = (values: readonly number[]) => values.reduce((sum, each) => sum + each, 0) / values.length;
      const isConstant = () => scale.every((each) => each === scale[0]);
      if (scale.length < 100 || isConstant()) scale.push(x);
      if (scale.length < 100) continue;
      const deviation = Math.sqrt(mean(scale.map((each) => (each - mean(scale)) ** 2)));
      const z = isConstant() ? 0 : Math.min(4, Math.max(-4, (x - mean(scale)) / deviation));
      const byAdwin = adwin.update((z + 4) / 8);
      const byPageHinkley = pageHinkley.update(z);
      if (byAdwin || byPageHinkley) expected.push(`${e} ${byAdwin ? 'adwin' : 'page-hinkley'}`);
      if (byAdwin || byPageHinkley) ({ adwin, pageHinkley, scale } = fresh());
    }
    expect(found).toEqual(expected);
    expect(found.length).toBeGreaterThan(2);
  });

  it('tell where the mean was and where it is', () => {
    const random = new Random(1);
    const model = new Watched();
    const watcher = new Watcher();
    const raised: Alarm[] = [];
    for (let e = 0; e < 3000; e++) {
      const x = 20 + normal(random) + (e < 2000 ? 0 : 2);
      raised.push(...model.learn({ row: { x, y: normal(random) }, label: normal(random) > 0 }, watcher).alarms);
    }
    expect(raised).toHaveLength(1);
    const [alarm] = raised as [Alarm];
    expect(alarm).toMatchObject({ of: 'input', input: 'x', sequence: alarm.examples });
    expect(alarm.examples).toBeGreaterThan(2000);
    expect(alarm.examples).toBeLessThan(2100);
    expect(alarm.before).toBeCloseTo(20, 0);
    expect(alarm.after).toBeGreaterThan(21.2);
    expect(alarm.after).toBeLessThan(23);
    expect(watcher.report().alarms).toEqual(raised);
    expect(watcher.report().columns.map(({ name, alarms }) => [name, alarms])).toEqual([
      ['x', 1],
      ['y', 0],
    ]);
  });

  it('are bounded in the state, and so is the state', () => {
    const model = new Watched();
    const watcher = new Watcher({ window: 20, columns: 5, inputs: 3 });
    const random = new Random(4);
    for (let e = 0; e < 6000; e++) {
      const row: Record<string, number> = {};
      for (let k = 0; k < 8; k++) row[`f${k}`] = normal(random) + (Math.floor(e / 150) % 2) * 30;
      model.learn({ row, label: e % 2 }, watcher);
    }
    const { alarms, columns, classes } = watcher.state();
    expect(alarms).toHaveLength(32);
    expect(columns.map(({ input }) => input !== null)).toEqual([true, true, true, false, false]);
    expect(columns.every(({ latest }) => latest.length === 20)).toBe(true);
    expect(classes.latest).toHaveLength(20);
  });
});
