import { lineMark } from '../../picture/marks.ts';
import { countText, numberText } from '../../picture/numbers.ts';
import type { Frame, Picture } from '../../picture/picture.ts';
import { boundText } from '../../picture/rounding.ts';
import { remember } from '../cache.ts';
import { pathIndex } from '../run-path.ts';
import type { Scene } from '../view.ts';
import { drawChart, sampled, updatesAxis } from './chart.ts';
import type { Proof } from './quantities.ts';
import { boundNumbers, terms } from './text.ts';

/** Draws cos(w, w*) ≥ √k·γ/R: a cosine is at most 1, so k is bounded. */
export function drawCosine(scene: Scene, proof: Proof, frame: Frame): Picture {
  const { path, growth, start } = proof;
  const star = proof.star!;
  const bound = proof.terms! - start;
  const index = pathIndex(path, scene);
  const made = path.counts.at(-1)!;
  const to = Math.max(bound < 4 * made ? bound * 1.12 : made * 1.05, 3);
  const cosines = cosinesOf(proof);
  const least = (k: number) => (Math.sqrt(k + start) * star.margin) / Math.sqrt(growth);
  const words = terms(proof);
  const label = words.growth === 'R²' ? words.upper.replace('·R', '·γ/R') : 'at least';
  const k = path.counts[index]!;
  const angle = (Math.acos(Math.min(1, cosines[index]!)) * 180) / Math.PI;
  return drawChart(frame, {
    horizontal: updatesAxis('updates k', 0, to),
    vertical: { from: 0, to: 1.08, title: '' },
    readings: [
      { term: 'k', value: countText(k), role: 'muted' },
      { term: label, value: boundText(least(k), 3, 'down'), role: 'bound' },
      { term: 'cos(w, w*)', value: numberText(cosines[index]!), role: 'star', relation: '≤' },
      { term: '1', value: '1', role: 'muted', relation: '≤' },
      { term: 'angle', value: Number.isNaN(angle) ? '–' : `${angle.toFixed(1)}°`, role: 'muted' },
    ],
    caption: `A cosine is at most 1; its lower bound reaches 1 at ${start === 0 ? 'k' : 'k + 1'} = ${words.ratio} = ${boundNumbers(proof).ratio}.`,
    curves: [{ id: 'cosine', label: 'cos(w, w*)', role: 'star', xs: path.counts, ys: cosines }],
    bounds: [{ id: 'least cosine', label, role: 'bound', ...sampled(0, Math.min(to, bound), least) }],
    index,
    before: ({ left, right, y }) => [lineMark([left, y(1)], [right, y(1)], { stroke: 'muted', width: 1.5, id: 'one' })],
  });
}

/** Returns cos(w_k, w*); NaN if w = 0. */
export const cosinesOf = remember(({ dots, norms }: Proof) =>
  dots.map((dot, i) => (norms[i] === 0 ? Number.NaN : dot / norms[i]!)),
);
