import { classOf } from '../../engine/recording.ts';
import type { Scene } from '../view.ts';
import type { Ground } from './ground.ts';
import { sliceOf } from './projection.ts';
import { presentScores } from './sides.ts';

/** Returns the number of drawn examples on the wrong side at the present moment; null: not known. */
export function wrongCount(scene: Scene, { drawn, projection }: Ground): number | null {
  const { present } = scene.moment;
  if (present !== null && present.weights.length !== projection.origin.length) return null;
  const scores = presentScores(scene, drawn);
  if (scores === null) return null;
  return scores.filter((score, k) => classOf(score, scene.recording.tie) !== drawn.labels[k]).length;
}

/** Says how examples of score 0 are counted at the present moment; empty: there are none. */
export function tieNote(scene: Scene, { drawn, projection }: Ground): string {
  const { present } = scene.moment;
  if (present !== null && present.weights.length !== projection.origin.length) return '';
  return presentScores(scene, drawn)?.includes(0) === true ? tieText(scene) : '';
}

/** Says which class a score of 0 counts as. */
export function tieText({ recording }: Scene): string {
  return `A score of 0 counts as ${recording.tie > 0 ? 'positive' : 'negative'}.`;
}

/** Describes the boundary at the moment: its kind, and the equation of a line that is wholly drawn. */
export function boundaryText({ recording, moment, examples }: Scene, { projection }: Ground): string {
  const { present } = moment;
  if (present === null || present.weights.length !== projection.origin.length) {
    if (recording.model.kind === 'tree') return 'The boundary is that of a tree: pieces at right angles to the axes.';
    return moment.step === 0 ? 'There is no boundary yet.' : 'The boundary is a curve: where the score is 0.';
  }
  const [a, b, c] = sliceOf(projection, present, recording);
  if (a === 0 && b === 0) return c === 0 ? 'There is no line yet: w is 0.' : 'The score is the same everywhere.';
  if (projection.kind === 'normal')
    return 'Seen along the line that the run ends with; other lines are cut at the mean.';
  if (projection.kind === 'slice') return 'The boundary is drawn where all other features have their mean.';
  if (projection.kind === 'line') return `The boundary is the point ${short(-c / a)}.`;
  const [x, y] = examples.featureNames;
  return `The line is ${short(a)}·${x} ${signed(b)}·${y} ${signed(c)} = 0.`;
}

const signed = (value: number): string => (value < 0 ? `− ${short(-value)}` : `+ ${short(value)}`);

/** Describes an example: its number, class, place and score. */
export function describeExample({ drawn, projection }: Ground, row: number, scene: Scene | null): string {
  const k = drawn.rows.indexOf(row);
  if (k < 0) return `Example ${row + 1} is not drawn.`;
  const [u, v] = [drawn.spots[2 * k]!, drawn.spots[2 * k + 1]!];
  const place = projection.kind === 'line' ? short(u) : `(${short(u)}, ${short(v)})`;
  const parts = [`example ${row + 1}`, drawn.labels[k]! > 0 ? 'positive' : 'negative', `at ${place}`];
  const present = scene?.moment.present ?? null;
  if (scene !== null && (present === null || present.weights.length === projection.origin.length)) {
    const scores = presentScores(scene, drawn);
    if (scores !== null) parts.push(`score ${short(scores[k]!)}`);
  }
  return parts.join(' · ');
}

/** Writes a note on the features that a picture of the plane leaves out. */
export function sliceNote({ projection, drawn }: Ground, scene: Scene | null): string {
  if (projection.kind === 'slice') return 'The boundary is drawn where all other features have their mean.';
  if (projection.kind === 'normal') return 'Seen along the line that the run ends with; others are cut at the mean.';
  if (scene !== null && drawn.rows.length < scene.examples.rows)
    return `${drawn.rows.length.toLocaleString('en')} of ${scene.examples.rows.toLocaleString('en')} drawn`;
  return '';
}

function short(value: number): string {
  const text =
    Math.abs(value) >= 1e5 || (value !== 0 && Math.abs(value) < 1e-3)
      ? value.toExponential(2)
      : String(Number(value.toPrecision(4)));
  return text.replace('-', '−');
}
