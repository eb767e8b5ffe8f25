import { classOf } from '../../engine/recording.ts';
import { header, type Reading } from '../../picture/labels.ts';
import { pathMark, textMark } from '../../picture/marks.ts';
import { countText, numberText } from '../../picture/numbers.ts';
import type { Mark, Spot } from '../../picture/picture.ts';
import { textWidth } from '../../picture/text-width.ts';
import { tieText } from '../plane/text.ts';
import { runPath } from '../run-path.ts';
import type { Scene, View } from '../view.ts';
import {
  boundaries,
  feasibleRegion,
  markedExample,
  mostShaded,
  pathMarks,
  presentOf,
  shades,
  starRay,
  weightAxes,
} from './marks.ts';
import { type Components, type Constraint, componentsOf, constraintsOf } from './plane.ts';

const choices = [
  { id: 'w1w2', title: 'w₁ and w₂' },
  { id: 'w1b', title: 'w₁ and b' },
  { id: 'w2b', title: 'w₂ and b' },
] as const;

/** Shows weight space: each example is a half-space of the w that classify it correctly; solutions are in all. */
export const weights: View = {
  id: 'weights',
  title: 'Weight space',
  question: 'Which lines are right?',
  choices,
  missing(scene) {
    return runPath(scene) === null
      ? `The rule ${scene.algorithm.rule} does not answer with one vector of weights: choose a rule that learns a line, such as perceptron.`
      : null;
  },
  draw(scene, frame) {
    const path = runPath(scene)!;
    const components = componentsOf(scene, scene.look.choices.weights);
    const now = presentOf(path, scene);
    const constraints = constraintsOf(scene, components, now);
    const head = header(
      frame,
      readingsOf(components, scene, constraints, now),
      captionOf(components, scene, constraints),
    );
    const axes = weightAxes(path, components, frame, head.height);
    const { spots, bounding } = feasibleRegion(constraints, axes);
    const marks: Mark[] = [...head.marks, ...shades(constraints, axes)];
    if (spots.length > 0) marks.push(pathMark(spots, { closed: true, fill: 'positive-region', id: 'feasible' }));
    marks.push(...axes.marks, ...boundaries(constraints, bounding, axes));
    const marked = constraints.find(({ row }) => row === (scene.selected ?? scene.moment.row));
    if (marked !== undefined) marks.push(...markedExample(marked, axes, frame));
    marks.push(...starRay(scene, components, axes, frame), ...pathMarks(path, components, scene, axes, frame));
    const note = spots.length === 0 ? 'no w here is right everywhere' : 'right everywhere';
    const at: Spot = spots.length === 0 ? [(axes.left + axes.right) / 2, axes.bottom - frame.text] : middleOf(spots);
    if (spots.length === 0 || textWidth(note, frame.text * 0.9) < widthOf(spots))
      marks.push(
        textMark(at, note, frame.text * 0.9, {
          anchor: 'middle',
          fill: 'muted',
          stroke: 'paper',
          width: 4.5,
          id: 'note',
        }),
      );
    return { width: frame.width, height: frame.height, marks };
  },
  describe(scene) {
    const path = runPath(scene);
    if (path === null) return 'No weights to show.';
    const components = componentsOf(scene, scene.look.choices.weights);
    const now = presentOf(path, scene);
    const constraints = constraintsOf(scene, components, now);
    const values = [...components.drawn, ...components.rest].map(({ name, at }) => `${name} = ${numberText(now[at]!)}`);
    return `Weight space: ${values.join(', ')}. ${rightText(scene, constraints)} drawn examples have w on their right side.${zeroText(scene, constraints)}`;
  },
};

function readingsOf(
  { drawn, rest }: Components,
  scene: Scene,
  constraints: readonly Constraint[],
  now: Float64Array,
): Reading[] {
  return [
    ...[...drawn, ...rest].map(
      ({ name, at }): Reading => ({
        term: name,
        value: numberText(now[at]!),
        role: rest.some((each) => each.at === at) ? 'muted' : 'line',
      }),
    ),
    { term: 'right', value: rightText(scene, constraints), role: 'positive' },
  ];
}

/** Counts as the plane does: an example is right if the model answers its class. */
function rightText({ recording }: Scene, constraints: readonly Constraint[]): string {
  const right = constraints.filter(({ label, slack }) => classOf(label * slack, recording.tie) === label).length;
  return `${countText(right)} of ${countText(constraints.length)}`;
}

/** Says how examples on the line are counted; empty: there are none. */
function zeroText(scene: Scene, constraints: readonly Constraint[]): string {
  return constraints.some(({ slack }) => slack === 0) ? ` ${tieText(scene)}` : '';
}

function captionOf({ rest, more }: Components, scene: Scene, constraints: readonly Constraint[]): string {
  const ties = zeroText(scene, constraints);
  const each =
    constraints.length > mostShaded
      ? 'Each line is an example. On one of its sides w is wrong about it: shaded for the example just shown.'
      : 'Each line is an example; on its shaded side w is wrong about it.';
  if (rest.length === 0) return `${each} Solutions fill the cone left free.${ties}`;
  const fixed = rest.map(({ name }) => name).join(', ');
  return `${each} Slice at the present ${fixed}${more ? ' and other weights' : ''}.${ties}`;
}

function middleOf(spots: readonly Spot[]): Spot {
  const sum = spots.reduce<Spot>(([x, y], spot) => [x + spot[0], y + spot[1]], [0, 0]);
  return [sum[0] / spots.length, sum[1] / spots.length];
}

function widthOf(spots: readonly Spot[]): number {
  const xs = spots.map(([x]) => x);
  return (Math.max(...xs) - Math.min(...xs)) / 2;
}
