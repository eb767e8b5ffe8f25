import { countText, numberText } from '../../picture/numbers.ts';
import type { Frame, Mark, Picture } from '../../picture/picture.ts';
import { remember } from '../remember.ts';
import { pathIndex, type RunPath, weightsAt } from '../run-path.ts';
import type { Scene } from '../view.ts';
import { drawChart, type LabelledCurve, updatesAxis } from './chart.ts';
import { isInseparable, marginAt, type Proof } from './quantities.ts';
import { terms } from './words.ts';

/** margin(w) ≤ γ* ≤ ‖w‖/k: what a run says of the largest margin without knowing it. */
export function drawBracket(scene: Scene, proof: Proof, frame: Frame): Picture {
  const { path, norms, star, growth } = proof;
  const index = pathIndex(path, scene);
  const made = path.counts.at(-1)!;
  const uppers = uppersOf(proof);
  const lower = lowersOf(scene, proof);
  const log = made > 200;
  const [k, norm] = [path.counts[index]!, norms[index]!];
  const now = marginAt(scene, weightsAt(path, index), norm);
  const from = log ? 1 : 0;
  const to = Math.max(made * (log ? 1.2 : 1.05), 3);
  const inseparable = isInseparable(scene.verdict);
  const curves: LabelledCurve[] = [{ id: 'upper', label: '‖w‖/k', role: 'line', xs: path.counts, ys: uppers }];
  // Far below 0 a margin says only that w is not there yet; the picture keeps to what is near the bracket.
  const highest = uppers.reduce((most, value) => (Number.isNaN(value) ? most : Math.max(most, value)), 0);
  const floor = inseparable ? 0 : -highest * 0.35;
  const from0 = Float64Array.from(lower.ys, (value) => (value < floor ? floor : value));
  return drawChart(frame, {
    horizontal: updatesAxis(from, to, log),
    vertical: { from: floor, to: Math.max(highest, Math.sqrt(growth) * 0.2) * 1.08, title: 'margin' },
    readings: [
      { term: 'k', value: countText(k), role: 'muted' },
      { term: 'margin(w)', value: k === 0 ? '–' : numberText(now), role: 'answer' },
      {
        term: 'γ*',
        value: inseparable ? '0' : star?.best === true ? numberText(star.margin) : '?',
        role: 'star',
        relation: '≤',
      },
      { term: '‖w‖/k', value: k === 0 ? '–' : numberText(norm / k), role: 'line', relation: '≤' },
    ],
    caption: inseparable
      ? inseparableWords(proof, uppers)
      : '‖w‖/k is the length of a mean of y·x, and no line’s margin is above that; w itself has margin(w). Between them lies γ*, whoever knows it or not.',
    curves: inseparable
      ? curves
      : [
          ...curves,
          { id: 'lower', label: 'margin(w)', role: 'answer', xs: path.counts, ys: expanded(from0, lower, path) },
        ],
    bounds: [],
    index,
    before: ({ left, right, y, top }) => {
      const marks: Mark[] = [];
      if (star?.best === true)
        marks.push(
          {
            kind: 'line',
            from: [left, y(star.margin)],
            to: [right, y(star.margin)],
            stroke: 'star',
            width: frame.text * 0.12,
            dash: [frame.text * 0.45, frame.text * 0.35],
            id: 'star margin',
          },
          {
            kind: 'text',
            at: [left + frame.text * 0.5, Math.max(top + frame.text, y(star.margin) - frame.text * 0.8)],
            text: 'γ*',
            size: frame.text * 0.9,
            weight: 'bold',
            fill: 'star',
            stroke: 'paper',
            width: frame.text * 0.3,
          },
        );
      return marks;
    },
  });
}

function inseparableWords(proof: Proof, uppers: Float64Array): string {
  const zero = uppers.indexOf(0);
  const { upper } = terms(proof);
  const falls = `No line separates, so γ* is 0. ‖w‖/k, which is never below γ*, stays under ${upper} ÷ k and so falls towards 0.`;
  return zero < 0
    ? falls
    : `${falls} At k = ${countText(proof.path.counts[zero]!)} it was 0: those y·x add up to nothing, which proves it.`;
}

/** ‖w_k‖/k; NaN at k = 0. */
export const uppersOf = remember(({ path, norms }: Proof) =>
  norms.map((norm, i) => (path.counts[i] === 0 ? Number.NaN : norm / path.counts[i]!)),
);

interface Lowers {
  /** Indices in the path, rising. */
  readonly at: Uint32Array;
  readonly ys: Float64Array;
}

const lowers = new WeakMap<RunPath, Lowers>();
/** Products that the margins of a whole run may take; of large runs only some of the weights get theirs. */
const mostProducts = 2e7;

/** margin(w_k) of the drawn examples, of the whole run or of some spread over it. */
export function lowersOf(scene: Scene, { path, norms }: Proof): Lowers {
  const known = lowers.get(path);
  if (known !== undefined) return known;
  const length = path.steps.length;
  const { shown, dimension } = scene.examples;
  const count = Math.max(2, Math.min(length, Math.floor(mostProducts / (shown.length * (dimension + 1)))));
  const at =
    length === 1
      ? Uint32Array.of(0)
      : Uint32Array.from({ length: count }, (_, i) => Math.round((i * (length - 1)) / (count - 1)));
  const ys = Float64Array.from(at, (i) =>
    path.counts[i] === 0 ? Number.NaN : marginAt(scene, weightsAt(path, i), norms[i]!),
  );
  const made = { at, ys };
  lowers.set(path, made);
  return made;
}

/** In the places of the path, NaN where none was computed. */
function expanded(ys: Float64Array, { at }: Lowers, { steps }: RunPath): Float64Array {
  const all = new Float64Array(steps.length).fill(Number.NaN);
  at.forEach((index, i) => {
    all[index] = ys[i]!;
  });
  return all;
}
