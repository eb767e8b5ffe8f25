import { type Axes, axesIn, rangeOf } from '../picture/axes.ts';
import { cutHalfPlane, lineInBox } from '../picture/clip.ts';
import type { Frame, Mark, Spot } from '../picture/picture.ts';
import type { Scene, View } from './view.ts';

/** The axes of the plane in a frame: what turns a pointer into a point, too. */
export function planeAxes(scene: Scene, frame: Frame): Axes {
  const { examples, look } = scene;
  const { dimension, vectors, shown, featureNames } = examples;
  const [h, v] = look.plane.kind === 'features' ? [look.plane.horizontal, look.plane.vertical] : [0, 1];
  const along = (feature: number) =>
    Array.from(shown, (_, k) => (feature < dimension ? vectors[k * dimension + feature]! : 0));
  const [x, y] =
    look.window === null
      ? [rangeOf(along(h), 0.15), rangeOf(along(v), 0.15)]
      : [
          [look.window.from[0], look.window.to[0]],
          [look.window.from[1], look.window.to[1]],
        ];
  return axesIn(frame, {
    horizontal: { from: x[0]!, to: x[1]!, title: featureNames[h] ?? '' },
    vertical: { from: y[0]!, to: y[1]!, title: featureNames[v] ?? '' },
    equal: true,
  });
}

export const plane: View = {
  id: 'plane',
  title: 'The plane',
  question: 'Where am I?',
  missing: () => null,
  draw(scene, frame) {
    const axes = planeAxes(scene, frame);
    const { examples, moment, recording } = scene;
    const marks: Mark[] = [];
    const corners: Spot[] = [
      [axes.left, axes.top],
      [axes.right, axes.top],
      [axes.right, axes.bottom],
      [axes.left, axes.bottom],
    ];
    const line = moment.present;
    if (line !== null && examples.dimension >= 2) {
      const [w1, w2] = [line.weights[0]! / recording.divisor, line.weights[1]! / recording.divisor];
      const b = line.bias * recording.biasConstant;
      // From data to pixels: x = x0 + sx · px.
      const [sx, sy] = [axes.x.invert(1) - axes.x.invert(0), axes.y.invert(1) - axes.y.invert(0)];
      const [a, c, d] = [w1 * sx, w2 * sy, w1 * axes.x.invert(0) + w2 * axes.y.invert(0) + b];
      if (a !== 0 || c !== 0) {
        marks.push({ kind: 'path', spots: cutHalfPlane(corners, a, c, d), closed: true, fill: 'positive-region' });
        marks.push({ kind: 'path', spots: cutHalfPlane(corners, -a, -c, -d), closed: true, fill: 'negative-region' });
      }
      marks.push(...axes.marks);
      const ends = lineInBox(a, c, d, axes);
      if (ends !== null)
        marks.push({ kind: 'line', from: ends[0], to: ends[1], stroke: 'line', width: 2.5, id: 'boundary' });
    } else marks.push(...axes.marks);
    examples.shown.forEach((row, k) => {
      const label = examples.labels[row]!;
      const at: Spot = [
        axes.x(examples.vectors[k * examples.dimension]!),
        axes.y(examples.dimension > 1 ? examples.vectors[k * examples.dimension + 1]! : 0),
      ];
      marks.push({
        kind: 'symbol',
        shape: label > 0 ? 'disc' : 'square',
        at,
        size: frame.text * 0.9,
        fill: label > 0 ? 'positive' : 'negative',
        stroke: 'paper',
        width: 1.5,
        id: `example ${row}`,
      });
      if (row === moment.row)
        marks.push({
          kind: 'symbol',
          shape: 'ring',
          at,
          size: frame.text * 1.6,
          stroke: moment.updated ? 'update' : 'ink',
          width: 2,
          id: 'shown',
        });
    });
    return { width: frame.width, height: frame.height, marks };
  },
  describe: ({ examples, moment }) =>
    `${examples.rows} examples; ${moment.updates} updates after ${moment.step} examples shown.`,
};
