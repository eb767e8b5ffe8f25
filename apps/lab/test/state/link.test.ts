import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defaultAlgorithm } from '../../src/algorithm/algorithm.ts';
import { decodeLink, encodeLink } from '../../src/state/link.ts';
import { isLink } from '../../src/state/link-address.ts';
import { parseSavedState, type SavedState, savedStateAsJson } from '../../src/state/saved-state.ts';

const finite = fc.double({ noNaN: true, noDefaultInfinity: true });
const dataset: fc.Arbitrary<SavedState['dataset']> = fc.oneof(
  fc.record({
    kind: fc.constant('points' as const),
    name: fc.string({ maxLength: 30 }),
    dimension: fc.constantFrom(1 as const, 2 as const),
    // JSON has no −0, and no run tells it from 0.
    points: fc.array(
      fc.record({
        x: finite.map((v) => v + 0),
        y: finite.map((v) => v + 0),
        label: fc.constantFrom(-1 as const, 1 as const),
      }),
    ),
  }),
  fc.record({
    kind: fc.constant('table' as const),
    name: fc.string({ maxLength: 30 }),
    text: fc.string({ unit: 'binary' }),
    label: fc.string(),
    positive: fc.option(fc.string()),
    columns: fc.option(fc.array(fc.string())),
    scale: fc.constantFrom('none' as const, 'standard' as const),
  }),
);
const kept: fc.Arbitrary<SavedState> = fc.record({
  version: fc.constant(1 as const),
  dataset,
  algorithm: fc.record({
    as: fc.constantFrom(null, 'blog' as const, 'foda' as const),
    rule: fc.constantFrom('perceptron' as const, 'sgd' as const),
    options: fc.constantFrom({}, { loss: 'hinge', alpha: 0.1, average: true }),
    order: fc.constantFrom(null, 'random' as const),
    passes: fc.option(fc.integer({ min: 1 })),
    seed: fc.maxSafeNat(),
    holdout: fc.constantFrom(0, 0.25),
  }),
  step: fc.nat(),
  shown: fc.constant(['proof', 'loss'] as const),
  look: fc.record({
    plane: fc.constantFrom({ kind: 'normal' as const }, { kind: 'features' as const, horizontal: 3, vertical: 0 }),
    window: fc.constantFrom(null, { from: [-1, 0] as const, to: [1.5, 2] as const }),
    turn: fc.constant({ yaw: 10.5, pitch: -3 }),
    choices: fc.constantFrom({}, { loss: 'surface' }),
  }),
});

describe('a link', () => {
  it('brings everything back', () => {
    fc.assert(
      fc.property(kept, (state) => {
        const link = encodeLink(state);
        expect(isLink(link)).toBe(true);
        expect(link).toMatch(/^#lab=1\.[\w-]+\.[\w-]+$/);
        expect(decodeLink(link)).toEqual(JSON.parse(JSON.stringify(state)));
      }),
    );
  });

  it('that was cut or changed anywhere is told from one that was not', () => {
    const link = encodeLink(fc.sample(kept, { numRuns: 1, seed: 7 })[0]!);
    for (let length = 5; length < link.length; length++)
      expect(() => decodeLink(link.slice(0, length))).toThrow(/cut or changed/);
    for (let at = 7; at < link.length; at++) {
      const other = link[at] === 'A' ? 'B' : 'A';
      expect(() => decodeLink(link.slice(0, at) + other + link.slice(at + 1)), `letter ${at}`).toThrow(
        /cut or changed/,
      );
    }
  });

  it('holds eight points and their run in less than a line of mail', () => {
    const points = Array.from({ length: 8 }, (_, i) => ({
      x: i / 4,
      y: -i,
      label: i % 2 === 0 ? (1 as const) : (-1 as const),
    }));
    const state: SavedState = {
      version: 1,
      dataset: { kind: 'points', name: 'points', dimension: 2, points },
      algorithm: defaultAlgorithm,
      step: 3,
      shown: ['proof', 'weights'],
      look: {
        plane: { kind: 'features', horizontal: 0, vertical: 1 },
        window: null,
        turn: { yaw: 1, pitch: 2 },
        choices: {},
      },
    };
    expect(encodeLink(state).length).toBeLessThan(600);
  });
});

describe('what was kept', () => {
  it('is refused, member by member, where it is not as the lab writes it', () => {
    const [state] = fc.sample(kept, { numRuns: 1, seed: 3 });
    const plain = JSON.parse(JSON.stringify(savedStateAsJson(state!)));
    expect(parseSavedState(plain)).toEqual(JSON.parse(JSON.stringify(state)));
    const damaged: [path: string, value: unknown, says: string][] = [
      ['version', 2, 'expected version to be 1; got 2'],
      ['step', -1, 'expected step to be a whole number; got -1'],
      ['shown', ['proof'], 'expected shown to be two views'],
      ['dataset.kind', 'film', 'expected dataset.kind to be points or table; got "film"'],
      ['algorithm.rule', 'constructor', 'expected algorithm.rule to be a rule; got "constructor"'],
      ['algorithm.as', '__proto__', 'expected algorithm.as to be a lecture; got "__proto__"'],
      ['algorithm.order', 'sorted', 'expected algorithm.order to be an order; got "sorted"'],
      ['algorithm.holdout', 1, 'expected algorithm.holdout to be a share in [0, 0.9]; got 1'],
      ['algorithm.seed', 0.5, 'expected algorithm.seed to be a whole number; got 0.5'],
      ['algorithm.options', { alpha: {} }, 'expected algorithm.options.alpha to be a number, text or truth'],
      ['look.turn', null, 'expected look.turn to be a record; got null'],
      ['look.window', { from: [1, 1], to: [0, 0] }, 'expected look.window to be corners that rise'],
    ];
    for (const [path, value, says] of damaged) {
      const copy = structuredClone(plain);
      const names = path.split('.');
      const last = names.pop()!;
      names.reduce((at, name) => at[name], copy)[last] = value;
      expect(() => parseSavedState(copy), path).toThrow(says);
    }
    const points = { kind: 'points', name: 'p', dimension: 2, points: [[1, 2, 3]] };
    expect(() => parseSavedState({ ...plain, dataset: points })).toThrow(
      "expected a point's label to be 1 or −1; got 3",
    );
    expect(() => parseSavedState({ ...plain, dataset: { ...points, points: [[1, null, 1]] } })).toThrow(
      'to be a number',
    );
  });
});
