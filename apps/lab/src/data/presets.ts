import type { PointSet } from './dataset.ts';
import { alternating, classFirst, shuffled } from './edit.ts';
import {
  circles,
  noisyClouds,
  pointAt,
  separableClouds,
  twoClouds,
  twoMoons,
  twoSpirals,
  xorCorners,
} from './generate.ts';

/** Drawn points that teach one thing. */
export interface DataPreset {
  readonly id: string;
  readonly title: string;
  /** The one thing. */
  readonly teaches: string;
  /** The parameters, in the order of their sliders. */
  readonly parameters: readonly PresetParameter[];
  /** Makes the points: the same for the same values, in every browser. Absent values have their defaults. */
  readonly make: (values?: PresetValues) => PointSet;
}

/** A number, or a choice by its position. */
export interface PresetParameter {
  readonly id: string;
  readonly title: string;
  readonly from: number;
  readonly to: number;
  readonly step: number;
  readonly default: number;
  /** Names of the values `from`, `from` + 1, …: then it is a choice. */
  readonly choices?: readonly string[];
}

export type PresetValues = Readonly<Record<string, number>>;

const seed: PresetParameter = { id: 'seed', title: 'Seed', from: 1, to: 99, step: 1, default: 1 };
const count = (initial: number): PresetParameter => ({
  id: 'count',
  title: 'Points',
  from: 4,
  to: 400,
  step: 2,
  default: initial,
});

/** Makes a preset whose function receives all values, defaults included. */
function preset(
  id: string,
  title: string,
  teaches: string,
  parameters: readonly PresetParameter[],
  make: (values: PresetValues) => Pick<PointSet, 'points'> & Partial<PointSet>,
): DataPreset {
  return {
    id,
    title,
    teaches,
    parameters,
    make: (values = {}) => {
      const all = Object.fromEntries(parameters.map((each) => [each.id, values[each.id] ?? each.default]));
      const moved = parameters.filter((each) => all[each.id] !== each.default);
      const made = Object.fromEntries(moved.map((each) => [each.id, all[each.id]!]));
      const points: PointSet = { kind: 'points', name: title.toLowerCase(), dimension: 2, ...make(all) };
      return moved.length === 0 ? points : { ...points, made };
    },
  };
}

export const dataPresets: readonly DataPreset[] = [
  preset(
    'separable',
    'Two clouds',
    'A gap between the classes: the perceptron must stop, and a wider gap means fewer updates.',
    [{ id: 'margin', title: 'Margin', from: 0.1, to: 2, step: 0.1, default: 0.8 }, count(24), seed],
    ({ margin, count: points, seed: chance }) => ({
      points: separableClouds({ margin: margin!, count: points!, seed: chance! }),
    }),
  ),
  preset(
    'barely-separable',
    'Barely separable',
    'A line exists, but the gap is a hair’s width: it takes hundreds of updates to find it.',
    [{ id: 'margin', title: 'Margin', from: 0.01, to: 0.2, step: 0.01, default: 0.03 }, count(60), seed],
    ({ margin, count: points, seed: chance }) => ({
      points: separableClouds({ margin: margin!, count: points!, seed: chance! }),
    }),
  ),
  preset(
    'xor',
    'XOR',
    'No line is right: the perceptron never stops, and a combination of the points proves it.',
    [
      { id: 'each', title: 'Points per corner', from: 1, to: 50, step: 1, default: 1 },
      { id: 'spread', title: 'Spread', from: 0, to: 0.6, step: 0.05, default: 0 },
      seed,
    ],
    ({ each, spread, seed: chance }) => ({ points: xorCorners({ each: each!, spread: spread!, seed: chance! }) }),
  ),
  preset(
    'line',
    'On a line',
    'One feature: without a bias the boundary is stuck at 0. With the constant 1 as a second feature, a line through the origin is enough.',
    [
      {
        id: 'lifted',
        title: 'The lift',
        from: 0,
        to: 1,
        step: 1,
        default: 0,
        choices: ['before: x', 'after: (x, 1)'],
      },
    ],
    ({ lifted }) => ({
      dimension: lifted === 1 ? 2 : 1,
      name: lifted === 1 ? 'on a line, lifted' : 'on a line',
      points: [1, 3.5, 1.6, 4, 0.4, 3, 2.2, 4.6].map((x) => pointAt(x, lifted!, x > 2.6 ? 1 : -1)),
    }),
  ),
  preset(
    'positives-first',
    'All positives first',
    'If one class comes after the other, a pass teaches little; in turn or shuffled, the same points need far fewer passes.',
    [
      {
        id: 'order',
        title: 'Order',
        from: 0,
        to: 2,
        step: 1,
        default: 0,
        choices: ['all positives first', 'in turn', 'shuffled'],
      },
      count(40),
      seed,
    ],
    ({ order, count: points, seed: chance }) => {
      const set: PointSet = {
        kind: 'points',
        name: '',
        dimension: 2,
        points: separableClouds({ margin: 0.25, count: points!, seed: chance!, centre: [4, 4] }),
      };
      const ordered = order === 0 ? classFirst(set, 1) : order === 1 ? alternating(set) : shuffled(set, chance! + 1000);
      return { points: ordered.points };
    },
  ),
  preset(
    'outlier',
    'An outlier',
    'One far point, on its right side, stretches R and with it the bound (R/γ)²; the margin stays the same.',
    [{ id: 'distance', title: 'How far', from: 5, to: 60, step: 1, default: 25 }, count(24), seed],
    ({ distance, count: points, seed: chance }) => ({
      points: [
        ...separableClouds({ margin: 0.8, count: points! - 1, seed: chance! }),
        // Along the gap, and well to its positive side.
        pointAt(2.5 + 0.8 * distance!, 3.8 - 0.6 * distance!, 1),
      ],
    }),
  ),
  preset(
    'both-labels',
    'One point, both labels',
    'The same x once positive, once negative: no rule can be right about both, and no line separates.',
    [count(24), seed],
    ({ count: points, seed: chance }) => ({
      points: [...twoClouds({ count: points! - 2, seed: chance! }), pointAt(0.5, 1, 1), pointAt(0.5, 1, -1)],
    }),
  ),
  preset(
    'moons',
    'Two moons',
    'Classes with a clear gap that no line fits: a kernel bends the boundary.',
    [count(120), { id: 'noise', title: 'Noise', from: 0, to: 0.8, step: 0.05, default: 0.15 }, seed],
    ({ count: points, noise, seed: chance }) => ({
      points: twoMoons({ count: points!, noise: noise!, seed: chance! }),
    }),
  ),
  preset(
    'circles',
    'Circles',
    'A disc inside a ring: no line separates, but the distance from the middle does.',
    [count(80), { id: 'noise', title: 'Noise', from: 0, to: 0.8, step: 0.05, default: 0.15 }, seed],
    ({ count: points, noise, seed: chance }) => ({
      points: circles({ count: points!, noise: noise!, seed: chance! }),
    }),
  ),
  preset(
    'spirals',
    'Spirals',
    'Two arms around each other: lines do no better than chance, and a wide kernel needs many mistakes.',
    [
      count(160),
      { id: 'turns', title: 'Turns', from: 0.5, to: 2, step: 0.25, default: 1.25 },
      { id: 'noise', title: 'Noise', from: 0, to: 0.4, step: 0.02, default: 0.06 },
      seed,
    ],
    ({ count: points, turns, noise, seed: chance }) => ({
      points: twoSpirals({ count: points!, turns: turns!, noise: noise!, seed: chance! }),
    }),
  ),
  preset(
    'noisy',
    'Noisy labels',
    'Some labels are wrong: the last line swings with each of them, also on held-out points. The mean of all lines does not.',
    [count(200), { id: 'flipped', title: 'Wrong labels', from: 0.05, to: 0.4, step: 0.05, default: 0.15 }, seed],
    ({ count: points, flipped, seed: chance }) => ({
      points: noisyClouds({ count: points!, flipped: flipped!, seed: chance! }),
    }),
  ),
];

/** An empty drawing. */
export const emptyPoints: PointSet = { kind: 'points', name: 'my points', dimension: 2, points: [] };
