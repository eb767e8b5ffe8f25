import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { fc, forAll, forAllAsync } from '../../../../test/support/properties.ts';
import { defaultAlgorithm } from '../../src/algorithm/algorithm.ts';
import type { Dataset } from '../../src/data/dataset.ts';
import { Chance } from '../../src/data/generate.ts';
import { dataPresets } from '../../src/data/presets.ts';
import { presetDataset, tablePresets } from '../../src/data/table-presets.ts';
import { decodeLink, encodeLink } from '../../src/state/link.ts';
import { isLink } from '../../src/state/link-address.ts';
import { parseSavedState, type SavedState, savedStateAsJson } from '../../src/state/saved-state.ts';
import { lengthen, packPoints, unpackPoints } from '../../src/state/short-state.ts';

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
  fc.record(
    {
      kind: fc.constant('table' as const),
      name: fc.string({ maxLength: 30 }),
      text: fc.string({ unit: 'binary' }),
      label: fc.string(),
      positive: fc.option(fc.string()),
      columns: fc.option(fc.array(fc.string())),
      scale: fc.constantFrom('none' as const, 'standard' as const),
      reading: fc.record(
        {
          header: fc.boolean(),
          skipLines: fc.nat(),
          missing: fc.array(fc.string()),
          kinds: fc.constant({ a: 'set' as const }),
          ...{ delimiter: fc.string(), quote: fc.string(), comment: fc.string(), encoding: fc.string() },
        },
        { requiredKeys: [] },
      ),
    },
    { requiredKeys: ['kind', 'name', 'text', 'label', 'positive', 'columns', 'scale'] },
  ),
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
  it('brings everything back', async () => {
    await forAllAsync(kept, async (state) => {
      const link = await encodeLink(state);
      expect(isLink(link)).toBe(true);
      expect(link).toMatch(/^#lab=2(\.[\w-]+){2,3}$/);
      expect(await decodeLink(link)).toEqual(JSON.parse(JSON.stringify(state)));
    });
  });

  it('that was cut or changed anywhere is told from one that was not', async () => {
    const link = await encodeLink(fc.sample(kept, { numRuns: 1, seed: 7 })[0]!);
    for (let length = 5; length < link.length; length++)
      await expect(decodeLink(link.slice(0, length))).rejects.toThrow(/cut or changed/);
    for (let at = 7; at < link.length; at++) {
      const other = link[at] === 'A' ? 'B' : 'A';
      const changed = link.slice(0, at) + other + link.slice(at + 1);
      await expect(decodeLink(changed), `letter ${at}`).rejects.toThrow(/cut or changed/);
    }
  });

  const plain: Omit<SavedState, 'dataset'> = {
    version: 1,
    algorithm: defaultAlgorithm,
    step: 0,
    shown: ['proof', 'step'],
    look: {
      plane: { kind: 'features', horizontal: 0, vertical: 1 },
      window: null,
      turn: { yaw: 35, pitch: 25 },
      choices: {},
    },
  };
  const preset = dataPresets[0]!.make();
  const chance = new Chance(5);
  const drawn = (): number => Math.round(chance.between(-8, 8) * 100) / 100;
  const own: Dataset = {
    kind: 'points',
    name: 'points',
    dimension: 2,
    points: Array.from({ length: 30 }, (_, k) => ({ x: drawn(), y: drawn(), label: k % 2 === 0 ? 1 : -1 })),
  };
  const moved = preset.points.map((point, k) => (k === 3 ? { ...point, x: 1.23, y: -0.57 } : point));

  it.each<[what: string, most: number, change: Partial<SavedState>]>([
    ['a preset as it is', 60, { dataset: preset }],
    ['a preset with a dragged point', 100, { dataset: { ...preset, points: moved } }],
    ['thirty points of the user', 210, { dataset: own }],
    ['a preset with moved sliders', 110, { dataset: dataPresets[0]!.make({ margin: 1.4, count: 120, seed: 7 }) }],
    ['the bias apart', 90, { dataset: preset, look: { ...plain.look, space: 'apart' } }],
    [
      'a lecture, a step and other views',
      135,
      { dataset: preset, algorithm: { ...defaultAlgorithm, as: 'foda' }, step: 72, shown: ['weights', 'mistakes'] },
    ],
  ])('is short for %s: at most %d characters', async (_, most, change) => {
    const state = { ...plain, dataset: preset, ...change };
    const link = await encodeLink(state);
    expect(link.length).toBeLessThanOrEqual(most);
    expect(await decodeLink(link)).toEqual(state);
  });

  it('names every preset with its sliders, and with points that were moved then', async () => {
    for (const { id, make, parameters } of dataPresets)
      for (const { id: moved, from, to } of parameters)
        for (const value of [from, to]) {
          const made = make({ [moved]: value });
          const points = made.points.map((point, k) => (k === 0 ? { ...point, x: 0.25 } : point));
          for (const dataset of [made, { ...made, points }]) {
            const link = await encodeLink({ ...plain, dataset });
            expect(link.length, `${id} ${moved} ${value}`).toBeLessThan(140);
            expect((await decodeLink(link)).dataset).toEqual(dataset);
          }
        }
  });

  it('refuses a value that no slider reaches', async () => {
    const given = { data: { preset: 'separable', made: { count: 1e9 } } };
    await expect(lengthen({ plain: given, bytes: new Uint8Array() })).rejects.toThrow(
      'expected count to be in [4, 400]; got 1000000000',
    );
  });

  it('does not name the default place of the bias', async () => {
    const named = await encodeLink({ ...plain, dataset: preset, look: { ...plain.look, space: 'coordinate' } });
    expect(named).toBe(await encodeLink({ ...plain, dataset: preset }));
  });

  it('names the tables of presets, with what was chosen in them', async () => {
    for (const { id, load } of tablePresets) {
      const table = await load();
      const state: SavedState = { ...plain, dataset: { ...table, scale: 'standard', columns: ['x1'] } };
      const link = await encodeLink(state);
      expect(link.length, id).toBeLessThan(130);
      expect(await decodeLink(link)).toEqual(state);
    }
  });

  it('relies on presets that never change: a new form of one needs a new id', async () => {
    const digests: Record<string, string> = {};
    for (const { id } of [...dataPresets, ...tablePresets]) {
      const made = JSON.stringify(await presetDataset(id));
      digests[id] = createHash('sha256').update(made).digest('hex').slice(0, 12);
    }
    expect(digests).toMatchObject({
      separable: 'abb533a29a37',
      'barely-separable': 'd1d5e4f0f38f',
      xor: 'a06f9c7c0ee0',
      line: '3dbe78426841',
      'positives-first': 'c24f1ba41aed',
      outlier: '3800c2ff6aae',
      'both-labels': 'aff90742d69f',
      moons: '263305917f51',
      circles: '2e15656fb8e7',
      spirals: 'a6dab5c85b95',
      noisy: 'a3b4afa9795a',
      'three-clouds': '1cd5ec6e1ce6',
      penguins: '0d38f77909ed',
      cars: 'cd2225e58764',
      mails: '687249255bff',
      digits: 'd6d57c946a58',
    });
  });
});

describe('packed points', () => {
  const whole = fc.integer({ min: -(2 ** 28), max: 2 ** 28 });
  const label = fc.constantFrom(-1 as const, 1 as const);

  it('are the same doubles again', () => {
    const places = fc.array(fc.tuple(whole, whole, label), { minLength: 1 });
    forAll(fc.nat({ max: 6 }), places, (decimals, list) => {
      const on = (value: number) => value / 10 ** decimals;
      const points = list.map(([x, y, sign]) => ({ x: on(x), y: on(y), label: sign }));
      const packed = packPoints(points)!;
      expect(unpackPoints(packed.grid, packed.bytes)).toEqual(points);
    });
    expect(packPoints([{ x: Math.PI, y: 0, label: 1 }])).toBeNull();
  });

  it('are refused if their bytes are too few or too many, or their sizes are no sizes', () => {
    const { grid, bytes } = packPoints([
      { x: 1.5, y: -2, label: 1 },
      { x: 0, y: 3, label: -1 },
    ])!;
    for (const wrong of [bytes.subarray(1), Uint8Array.of(...bytes, 0)])
      expect(() => unpackPoints(grid, wrong)).toThrow(/bytes of points/);
    for (const sizes of [{ count: 1e9, bits: [-1, 0] as const }, { bits: [31, 0] as const }, { count: 0.5 }])
      expect(() => unpackPoints({ ...grid, ...sizes }, new Uint8Array())).toThrow(/bytes of points/);
  });
});

describe('what was kept', () => {
  it('is refused, member by member, where it is not as the lab writes it', () => {
    const [state] = fc.sample(kept, { numRuns: 1, seed: 3 });
    const plain = JSON.parse(JSON.stringify(savedStateAsJson(state!)));
    expect(parseSavedState(plain)).toEqual(JSON.parse(JSON.stringify(state)));
    const wrongTable = { kind: 'table', name: 't', text: '', label: 'y', positive: null, columns: null, scale: 'none' };
    const damaged: [path: string, value: unknown, says: string][] = [
      ['version', 2, 'expected version to be 1; got 2'],
      ['step', -1, 'expected step to be a whole number; got -1'],
      ['shown', ['proof'], 'expected shown to be two views'],
      ['dataset.kind', 'film', 'expected dataset.kind to be points or table; got "film"'],
      ['dataset', { ...wrongTable, reading: { kinds: { a: 'drop' } } }, 'expected dataset.reading.kinds to be number,'],
      ['dataset', { ...wrongTable, reading: { skipLines: -1 } }, 'expected dataset.reading.skipLines to be a whole'],
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
