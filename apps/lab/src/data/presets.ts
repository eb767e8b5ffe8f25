import type { Dataset, Point } from './dataset.ts';

/** A dataset that teaches one thing. */
export interface DataPreset {
  readonly id: string;
  readonly title: string;
  /** The one thing. */
  readonly teaches: string;
  readonly make: () => Dataset;
}

const point = (x: number, y: number, label: -1 | 1): Point => ({ x, y, label });

export const dataPresets: readonly DataPreset[] = [
  {
    id: 'separable',
    title: 'Two clouds',
    teaches: 'A gap between the classes: the perceptron stops, and the theorem says when at the latest.',
    make: () => ({
      kind: 'points',
      name: 'two clouds',
      dimension: 2,
      points: [
        point(1.5, 2, 1),
        point(2.5, 1, 1),
        point(3, 3, 1),
        point(2, 3.5, 1),
        point(-1, -0.5, -1),
        point(-2, 1, -1),
        point(0.5, -2, -1),
        point(-1.5, -2, -1),
      ],
    }),
  },
  {
    id: 'xor',
    title: 'XOR',
    teaches: 'No line is right: the perceptron never stops, and a combination of the points proves it.',
    make: () => ({
      kind: 'points',
      name: 'xor',
      dimension: 2,
      points: [point(1, 1, -1), point(-1, -1, -1), point(1, -1, 1), point(-1, 1, 1)],
    }),
  },
];
