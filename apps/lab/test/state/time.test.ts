import { describe, expect, it } from 'vitest';
import { fc, forAll } from '../../../../test/support/properties.ts';
import { actionOf } from '../../src/state/keys.ts';
import { fastest, Pace, positionOf, speedAt, togglePlay } from '../../src/state/play.ts';
import { strideFrom } from '../../src/state/travel.ts';
import { positionText } from '../../src/views/position-text.ts';
import { drawTimeline, stepUnder } from '../../src/views/timeline.ts';

/** Two passes of four examples, the second cut short; updates at examples 1, 3 and 6. */
const run = { steps: 7, updates: Uint32Array.of(1, 3, 6), passes: Uint32Array.of(0, 4) };
const moment = { row: 0, updated: false, present: null, before: null, answer: null };

describe('strides through a run', () => {
  it('go to the moment after the next update, and back to the one before', () => {
    expect([0, 1, 2, 3, 6, 7].map((step) => strideFrom(run, step, 'update', 1))).toEqual([1, 3, 3, 6, 7, 7]);
    expect([0, 1, 2, 3, 6, 7].map((step) => strideFrom(run, step, 'update', -1))).toEqual([0, 0, 1, 1, 3, 6]);
  });

  it('go to the end of a pass, and of the run where it ends within one', () => {
    expect([0, 3, 4, 7].map((step) => strideFrom(run, step, 'pass', 1))).toEqual([4, 4, 7, 7]);
    expect([0, 3, 4, 7].map((step) => strideFrom(run, step, 'pass', -1))).toEqual([0, 0, 0, 4]);
  });

  it('stay in the run, and lead there and back', () => {
    const strides = fc.constantFrom('example' as const, 'update' as const, 'pass' as const, 'all' as const);
    forAll(fc.nat(7), strides, (step, stride) => {
      const ahead = strideFrom(run, step, stride, 1);
      const back = strideFrom(run, step, stride, -1);
      expect(ahead).toBeGreaterThanOrEqual(Math.min(7, step + 1));
      expect(back).toBeLessThanOrEqual(Math.max(0, step - 1));
      expect(ahead).toBeLessThanOrEqual(7);
      expect(back).toBeGreaterThanOrEqual(0);
    });
  });

  it('are told in words', () => {
    expect(positionText(run, { ...moment, step: 6, pass: 2, updates: 3 })).toBe('pass 2, example 2 of 4, update 3');
    expect(positionText(run, { ...moment, step: 0, pass: 0, updates: 0 })).toBe('start, before the first example');
    expect(positionText(run, { ...moment, step: 4, pass: 1, updates: 2 })).toBe('pass 1, example 4 of 4, update 2');
  });
});

describe('a timeline with hidden results', () => {
  it('has the updates so far, and none to come', () => {
    const frame = { width: 300, height: 40, text: 13 };
    for (let step = 0; step <= run.steps; step++) {
      const { marks } = drawTimeline(run, step, frame, true);
      const ticks = marks.flatMap(({ id }) => (id?.startsWith('update at') ? [Number(id.slice(10))] : []));
      expect(ticks).toEqual([...run.updates].filter((at) => at <= step));
    }
  });
});

describe('playing', () => {
  it('shows as many examples as the speed asks for, however long frames are', () => {
    forAll(
      fc.array(fc.integer({ min: 1, max: 250 }), { minLength: 1 }),
      fc.integer({ min: 1, max: 9 }),
      (frames, speed) => {
        const pace = new Pace();
        const shown = frames.reduce((sum, elapsed) => sum + pace.due(elapsed, speed), 0);
        const seconds = frames.reduce((sum, elapsed) => sum + elapsed, 0) / 1000;
        expect(Math.abs(shown - seconds * speed)).toBeLessThan(1 + 1e-6);
      },
    );
  });

  it('does not make up for the time that a hidden page slept', () => {
    expect(new Pace().due(60_000, 4)).toBe(1);
  });

  it('begins anew at the end, and not where there is nothing to play', () => {
    const lab = { step: 7, speed: 4, playing: false, timeline: run, seek: (step: number) => (lab.step = step) };
    togglePlay(lab);
    expect(lab).toMatchObject({ step: 0, playing: true });
    togglePlay(lab);
    expect(lab).toMatchObject({ step: 0, playing: false });
    const none = { ...lab, timeline: { steps: 0 } };
    togglePlay(none);
    expect(none.playing).toBe(false);
  });

  it('has speeds from 1 example a second to the whole run in one', () => {
    expect(speedAt(0, 5000)).toBe(1);
    expect(speedAt(1, 5000)).toBeCloseTo(5000, 6);
    expect(fastest(8)).toBe(60);
    forAll(fc.double({ min: 0, max: 1, noNaN: true }), fc.integer({ min: 0, max: 1e6 }), (at, steps) => {
      expect(positionOf(speedAt(at, steps), steps)).toBeCloseTo(at, 9);
    });
  });
});

describe('keys', () => {
  const press = (key: string, more = {}) => ({
    key,
    shiftKey: false,
    ctrlKey: false,
    metaKey: false,
    altKey: false,
    ...more,
  });
  it('step by examples, by updates with shift, by passes, and to the ends', () => {
    expect(actionOf(press('ArrowRight'))).toEqual({ stride: 'example', way: 1 });
    expect(actionOf(press('ArrowLeft', { shiftKey: true }))).toEqual({ stride: 'update', way: -1 });
    expect(actionOf(press('PageDown'))).toEqual({ stride: 'pass', way: 1 });
    expect(actionOf(press('Home'))).toEqual({ stride: 'all', way: -1 });
    expect(actionOf(press(' '))).toBe('play');
  });

  it('leave the browser its own: keys with Ctrl, and ↑ ↓ but on the timeline', () => {
    expect(actionOf(press('ArrowRight', { altKey: true }))).toBeNull();
    expect(actionOf(press('ArrowUp'))).toBeNull();
    expect(actionOf(press('ArrowUp'), true)).toEqual({ stride: 'update', way: 1 });
    expect(actionOf(press('a'))).toBeNull();
  });
});

describe('the timeline', () => {
  const frame = { width: 400, height: 36, text: 13 };
  const ids = (step: number) => drawTimeline(run, step, frame).marks.map(({ id }) => id);

  it('has a tick for every update, and the present moment under the pointer that asked for it', () => {
    expect(ids(0).filter((id) => id?.startsWith('update at'))).toEqual(['update at 1', 'update at 3', 'update at 6']);
    for (let step = 0; step <= run.steps; step++) {
      const now = drawTimeline(run, step, frame).marks.find(({ id }) => id === 'now');
      expect(stepUnder((now as { from: readonly [number, number] }).from[0], frame.width, run.steps)).toBe(step);
    }
    expect([stepUnder(-50, 400, 7), stepUnder(900, 400, 7)]).toEqual([0, 7]);
  });

  it('stays small for long runs, and keeps to its frame', () => {
    const updates = Uint32Array.from({ length: 40_000 }, (_, k) => 2 * k + 1);
    const long = { steps: 100_000, updates, passes: Uint32Array.from({ length: 50 }, (_, k) => 2000 * k) };
    const { marks } = drawTimeline(long, 70_000, frame);
    expect(marks.length).toBeLessThan(400);
    for (const mark of marks)
      if (mark.kind === 'line')
        for (const [x, y] of [mark.from, mark.to]) {
          expect(x >= 0 && x <= frame.width).toBe(true);
          expect(y >= 0 && y <= frame.height).toBe(true);
        }
  });

  it('is drawn for runs without steps, too', () => {
    expect(() =>
      drawTimeline({ steps: 0, updates: new Uint32Array(), passes: new Uint32Array() }, 0, frame),
    ).not.toThrow();
  });
});
