import { perceptronSteps } from '../../algorithm/variant.ts';
import type { Point, PointSet } from '../../data/dataset.ts';
import { mostPoints } from '../../data/edit.ts';
import type { SurfaceRequest } from '../../engine/engine.ts';
import { type Examples, vectorAt } from '../../engine/examples.ts';
import type { Line, Recording } from '../../engine/recording.ts';
import type { Frame, Mark, Picture } from '../../picture/picture.ts';
import { amountText } from '../../picture/shares.ts';
import { spaceOf, starLine } from '../proof/bound.ts';
import type { Look, Plane, Scene, View } from '../view.ts';
import { type Ground, groundOf, isMeasured, type Subject } from './ground.ts';
import { forcedMarks, hullMarks, meetingMarks } from './hulls.ts';
import { levelLine, normalArrow, sides } from './lines.ts';
import { type PointNotes, pointMarks } from './points.ts';
import { featuresOf, sliceOf } from './projection.ts';
import { radiusMarks } from './radius.ts';
import { leastScore, presentScores, scoresOf } from './sides.ts';
import { boundaryText, tieNote, wrongCount } from './text.ts';
import { updateVectors } from './update.ts';

/** The layers of the plane, and their defaults. */
export const planeLayers = [
  { id: 'regions', title: 'Sides of the line', first: true },
  { id: 'margin', title: 'Its margin and normal', first: true },
  { id: 'update', title: 'The update as vectors', first: true },
  { id: 'contradiction', title: 'Where hulls meet', first: true },
  { id: 'forced', title: 'Where all lines agree', first: false },
  { id: 'star', title: 'Widest margin: w*', first: false },
  { id: 'radius', title: 'Radius R', first: false },
] as const;

type PlaneLayer = (typeof planeLayers)[number]['id'];

function isShown({ layers }: Look, id: PlaneLayer): boolean {
  return layers?.[id] ?? planeLayers.find((layer) => layer.id === id)!.first;
}

export type { Ground } from './ground.ts';
export { groundOf } from './ground.ts';
export { nearestAt, pointSize, spotOf } from './points.ts';
export { featuresOf } from './projection.ts';

let surfaces: typeof import('./surface.ts') | null = null;

/** Loads the code that draws curved boundaries; until then they are not drawn. */
export async function prepareSurfaces(): Promise<void> {
  surfaces = await import('./surface.ts');
}
export { describeExample, sliceNote, tieNote, wrongCount } from './text.ts';

/** Draws points when there is no run yet. */
export function drawPoints(subject: Subject & { readonly selected: number | null }, frame: Frame): Picture {
  const { width, height } = frame;
  const ground = groundOf(subject, frame);
  if (ground === null) return { width, height, marks: [] };
  const notes: PointNotes = {
    scores: null,
    before: null,
    tie: -1,
    shown: -1,
    updated: false,
    selected: subject.selected,
  };
  return { width, height, marks: [...ground.axes.marks, ...pointMarks(ground, frame.text, notes)] };
}

export const plane: View = {
  id: 'plane',
  title: 'The plane',
  question: 'Where am I?',
  missing: () => null,
  draw(settled, frame) {
    const { motion = null } = settled;
    const scene = motion === null ? settled : { ...settled, moment: { ...settled.moment, present: motion.line } };
    const { moment, recording, look, selected } = scene;
    const { text, width, height } = frame;
    const ground = groundOf(scene, frame)!;
    const { drawn, axes } = ground;
    const present = fitting(moment.present, ground);
    const before = moment.updated ? fitting(moment.before, ground) : null;
    const scores = presentScores(scene, drawn);
    const trail = motion?.trail ?? null;
    const showUpdate = isShown(look, 'update') && before !== null && trail === null;
    const notes: PointNotes = {
      scores,
      before: showUpdate ? scoresOf(scene, drawn, before) : null,
      tie: recording.tie,
      shown: moment.row,
      updated: moment.updated,
      selected,
    };
    const marks: Mark[] = [];
    if (isShown(look, 'regions')) {
      if (present !== null) marks.push(...sides(axes, sliceOf(ground.projection, present, recording)));
      else if (scene.surface !== null && surfaces !== null) marks.push(...surfaces.surfaceMarks(scene.surface, ground));
    }
    marks.push(...axes.marks);
    if (isShown(look, 'forced')) marks.push(...forcedMarks(scene, ground));
    if (isShown(look, 'radius')) marks.push(...radiusMarks(scene, ground, text));
    if (isShown(look, 'contradiction')) marks.push(...hullMarks(scene, ground));
    if (isShown(look, 'star')) marks.push(...starMarks(scene, ground, text));
    trail?.forEach((line, k) => {
      const style = { stroke: 'line', width: 2, opacity: (0.4 * (k + 1)) / trail.length, id: 'trail' } as const;
      const slice = fitting(line, ground) === null ? null : sliceOf(ground.projection, line, recording);
      if (slice !== null) marks.push(...levelLine(axes, slice, 0, style));
    });
    if (showUpdate) marks.push(...oldLine(before, recording, ground, text));
    if (present !== null) marks.push(...presentLine(scene, present, scores, ground, text));
    marks.push(...pointMarks(ground, text, notes));
    if (isShown(look, 'contradiction')) marks.push(...meetingMarks(scene, ground, text));
    const after = fitting(settled.moment.present, ground);
    if (showUpdate && present !== null && after !== null && ground.projection.kind !== 'slice') {
      const { divisor, biasConstant } = recording;
      const change = perceptronSteps.includes(scene.algorithm.rule) ? 'y·x' : 'Δw';
      marks.push(
        ...updateVectors(ground, text, {
          before,
          present,
          after,
          added: motion?.added ?? 1,
          divisor,
          biasConstant,
          change,
        }),
      );
    }
    return { width, height, marks };
  },
  describe: (scene) => describe(scene),
};

/**
 * Returns a line if it has as many features as are drawn; while data change, the run may still be that of the old
 * data.
 */
function fitting(line: Line | null, { projection }: Ground): Line | null {
  return line !== null && line.weights.length === projection.origin.length ? line : null;
}

function presentLine(scene: Scene, present: Line, scores: Float64Array | null, ground: Ground, text: number): Mark[] {
  const { recording, moment, look } = scene;
  const { axes, projection, drawn } = ground;
  const slice = sliceOf(projection, present, recording);
  const marks: Mark[] = [];
  if (isShown(look, 'margin') && projection.kind !== 'slice') {
    const least = scores === null ? null : leastScore(scores, drawn.labels);
    if (least !== null)
      for (const sign of [1, -1])
        marks.push(
          ...levelLine(axes, slice, sign * least, {
            id: sign > 0 ? 'positive margin' : 'negative margin',
            stroke: 'line',
            width: 1.25,
            dash: [4, 4],
          }),
        );
  }
  if (isShown(look, 'margin') && !moment.updated && projection.kind !== 'slice')
    marks.push(...normalArrow(axes, slice, text * 3));
  const answer = fitting(moment.answer, ground);
  if (answer !== null && recording.answer !== null && differ(answer, present))
    marks.push(
      ...levelLine(axes, sliceOf(projection, answer, recording), 0, {
        id: 'answer',
        stroke: 'answer',
        width: 2.5,
        dash: [10, 4],
        name: 'answer',
        text,
        end: 0,
      }),
    );
  marks.push(...levelLine(axes, slice, 0, { id: 'boundary', stroke: 'line', width: 2.5 }));
  return marks;
}

const differ = (a: Line, b: Line): boolean => a.bias !== b.bias || a.weights.some((w, j) => w !== b.weights[j]);

function oldLine(before: Line, recording: Recording, { axes, projection }: Ground, text: number): Mark[] {
  return levelLine(axes, sliceOf(projection, before, recording), 0, {
    id: 'boundary before',
    stroke: 'muted',
    width: 1.75,
    dash: [6, 5],
    name: 'before',
    text: text * 0.9,
  });
}

/** Draws the line of w* in the space of the look, and the lines where its margin ends. */
function starMarks({ verdict, look }: Scene, ground: Ground, text: number): Mark[] {
  const { axes, projection } = ground;
  const star = starLine(verdict, spaceOf(look));
  if (star === null || fitting(star, ground) === null) return [];
  const slice = sliceOf(projection, star, { divisor: 1, biasConstant: 1 });
  const style = { stroke: 'star', width: 1.5 } as const;
  const marks = levelLine(axes, slice, 0, { ...style, id: 'star', name: 'w*', text });
  if (projection.kind === 'slice') return marks;
  for (const sign of [1, -1])
    marks.push(
      ...levelLine(axes, slice, sign * star.level, {
        ...style,
        width: 1,
        dash: [2, 4],
        id: sign > 0 ? 'star positive margin' : 'star negative margin',
      }),
    );
  return marks;
}

const textFrame: Frame = { width: 400, height: 400, text: 13 };

function describe(scene: Scene): string {
  const { examples, moment, verdict } = scene;
  const ground = groundOf(scene, textFrame)!;
  const wrong = wrongCount(scene, ground);
  const parts = [
    `${ground.drawn.rows.length.toLocaleString('en')} examples drawn of ${examples.rows.toLocaleString('en')}; ${amountText(moment.updates, 'update')} after ${amountText(moment.step, 'example')} shown.`,
    boundaryText(scene, ground),
  ];
  if (wrong !== null)
    parts.push(
      wrong === 0
        ? 'All are on their right side.'
        : wrong === 1
          ? '1 is on the wrong side.'
          : `${wrong.toLocaleString('en')} are on the wrong side.`,
    );
  const ties = tieNote(scene, ground);
  if (ties !== '') parts.push(ties);
  if (verdict?.kind === 'not-separable')
    parts.push(`No line separates: the hulls of ${verdict.combination.length} examples meet.`);
  return parts.join(' ');
}

/**
 * Returns two features of a table as points to draw on, scaled as the table is. At most 2,000 examples, evenly
 * sampled.
 */
export function pointsOf(examples: Examples, plane: Plane, name: string): PointSet {
  const [h, v] = featuresOf(plane, examples.dimension);
  const read = (feature: number, value: number): number => {
    const column = examples.encoding.columns.find((each) => each.name === examples.featureNames[feature]);
    // Four decimals are enough in a plane.
    return column !== undefined && isMeasured(column) ? Math.round(value * 1e4) / 1e4 + 0 : value;
  };
  const points = Array.from(examples.shown.subarray(0, mostPoints), (row, k): Point => {
    const x = vectorAt(examples, k);
    return { x: read(h, x[h]!), y: read(v, x[v]!), label: examples.labels[row]! > 0 ? 1 : -1 };
  });
  return { kind: 'points', name: `points of ${name.replace(/\.[a-z]+$/i, '')}`, dimension: 2, points };
}

/** Maximum number of columns of a grid. */
const columns = 120;

/**
 * Returns the grid to score for a boundary that is no line; null: the boundary is a line, or the plane is not one of
 * two features.
 */
export function surfaceRequest(
  { recording, moment, examples }: Scene,
  { projection, axes }: Ground,
): SurfaceRequest | null {
  if (recording.present.length > 0 || projection.features === null || examples.dimension !== projection.origin.length)
    return null;
  const [width, height] = [axes.right - axes.left, axes.bottom - axes.top];
  if (!(width > 0 && height > 0)) return null;
  const rows = projection.kind === 'line' ? 2 : Math.max(2, Math.min(columns, Math.round((columns * height) / width)));
  const [halfX, halfY] = [width / columns / 2, height / rows / 2];
  return {
    step: recording.model.kind === 'tree' ? recording.steps : moment.step,
    features: projection.features,
    at: projection.origin,
    from: [axes.x.invert(axes.left + halfX), axes.y.invert(axes.bottom - halfY)],
    to: [axes.x.invert(axes.right - halfX), axes.y.invert(axes.top + halfY)],
    columns,
    rows,
  };
}
