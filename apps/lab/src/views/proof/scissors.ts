import type { Axes } from '../../picture/axes.ts';
import type { Reading } from '../../picture/labels.ts';
import { lineMark, pathMark, symbolMark, textMark } from '../../picture/marks.ts';
import { countText, numberText } from '../../picture/numbers.ts';
import type { Frame, Mark, Picture, Spot } from '../../picture/picture.ts';
import { boundText } from '../../picture/rounding.ts';
import { spotsOf } from '../../picture/series.ts';
import { pathIndex } from '../run-path.ts';
import type { Scene } from '../view.ts';
import { type BoundCurve, drawChart, type LabelledCurve, positive, sampled, updatesAxis } from './chart.ts';
import type { Proof } from './quantities.ts';
import { boundNumbers, meetingText, noStarText, terms } from './text.ts';

/** The bound is drawn on linear axes up to this multiple of the run's updates. */
const longest = 20;

/** Draws kγ ≤ ⟨w, w*⟩ ≤ ‖w‖ ≤ √k·R: two blades that close. @param far true: the axes reach the bound. */
export function drawScissors(scene: Scene, proof: Proof, frame: Frame, far: boolean): Picture {
  const { path, norms, dots, star, growth, radius, start } = proof;
  // The blades meet after this number of updates; it is no whole number.
  const bound = proof.terms === null ? null : proof.terms - start;
  const index = pathIndex(path, scene);
  const made = path.counts.at(-1)!;
  const words = terms(proof);
  const shown = bound === null ? made * 1.05 : far || bound < 1.6 * made ? bound * 1.12 : made * 1.05;
  const log = far && bound !== null && bound > longest * Math.max(1, made);
  const to = Math.max(log ? bound! * 2 : shown, 3);
  const from = log ? 1 : 0;
  const upper = (k: number) => Math.sqrt((k + start) * growth);
  const lower = (k: number) => (k + start) * (star?.margin ?? 0);
  const top = Math.max(upper(to), lower(to)) * (log ? 1.5 : 1.04);
  const bounds: BoundCurve[] = [
    { id: 'upper blade', label: words.upper, role: 'bound', ...sampled(from, to, upper, log) },
  ];
  const curves: LabelledCurve[] = [{ id: 'norm', label: words.norm, role: 'line', xs: path.counts, ys: norms }];
  if (star !== null) {
    bounds.push({ id: 'lower blade', label: words.lower, role: 'bound', ...sampled(from, to, lower, log) });
    curves.push({ id: 'dot', label: words.dot, role: 'star', xs: path.counts, ys: dots });
  }
  const k = path.counts[index]!;
  const norm: Reading = { term: words.norm, value: numberText(norms[index]!), role: 'line', relation: '≤' };
  const most: Reading = { term: words.upper, value: boundText(upper(k), 3, 'up'), role: 'bound', relation: '≤' };
  const count: Reading = { term: 'k', value: countText(k), role: 'muted' };
  const readings: Reading[] =
    star === null
      ? [count, { ...norm, relation: '' }, most, { term: 'R', value: boundText(radius, 3, 'up'), role: 'muted' }]
      : [
          count,
          { term: words.lower, value: boundText(lower(k), 3, 'down'), role: 'bound' },
          { term: words.dot, value: numberText(dots[index]!), role: 'star', relation: '≤' },
          norm,
          most,
        ];
  return drawChart(frame, {
    horizontal: updatesAxis('updates k', from, to, log),
    vertical: { from: log ? lower(1) / 1.5 : 0, to: top, title: '', log },
    readings,
    caption: star === null ? noStarText(scene, proof) : meetingText(scene, proof),
    curves: log ? curves.map(withoutZero) : curves,
    bounds,
    index,
    behind: (axes) => (star === null ? [] : [between(bounds, axes)]),
    before: (axes) =>
      bound !== null && bound <= to
        ? meeting(
            axes,
            [bound, lower(bound)],
            `${words.growth === 'R²' ? words.ratio : 'the bound'} = ${boundNumbers(proof).ratio}`,
            frame,
          )
        : [],
  });
}

/** Fills the area between the blades, where a run can be. */
function between([upper, lower]: readonly BoundCurve[], axes: Axes): Mark {
  const spots = [...spotsOf(upper!, axes), ...spotsOf(lower!, axes).toReversed()];
  return pathMark(spots, { closed: true, fill: 'grid', opacity: 0.45, id: 'between the blades' });
}

/** Marks where the blades meet. */
function meeting(axes: Axes, [k, height]: Spot, label: string, { text }: Frame): Mark[] {
  const at: Spot = [axes.x(k), axes.y(height)];
  return [
    lineMark(at, [at[0], axes.bottom], { stroke: 'bound', dash: [2, 4], width: 1.5 }),
    symbolMark('ring', at, text * 0.9, { stroke: 'bound', fill: 'paper', width: 2, id: 'meeting' }),
    textMark([at[0] - text * 0.4, axes.bottom - text * 0.8], label, text * 0.9, {
      anchor: 'end',
      fill: 'bound',
      stroke: 'paper',
      width: 4.5,
      id: 'bound',
    }),
  ];
}

/** Leaves out the start, where the logarithm is undefined. */
function withoutZero(curve: LabelledCurve): LabelledCurve {
  return { ...curve, ys: positive(curve.ys as Float64Array) };
}
