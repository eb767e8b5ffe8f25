import { countText } from '../../picture/numbers.ts';
import type { Frame, Picture } from '../../picture/picture.ts';
import { boundText } from '../../picture/rounding.ts';
import { cacheOf, remember } from '../cache.ts';
import { pathIndex, weightsAt } from '../run-path.ts';
import type { Scene } from '../view.ts';
import { drawChart, positive, sampled, updatesAxis } from './chart.ts';
import { isInseparable, marginAt, type Proof } from './quantities.ts';
import { terms } from './text.ts';

/** Draws margin(w) ≤ γ* ≤ ‖w‖/k: bounds on the largest margin that a run gives without knowing it. */
export function drawBracket(scene: Scene, proof: Proof, frame: Frame): Picture {
  const { path, norms, star, growth, start } = proof;
  const index = pathIndex(path, scene);
  const made = path.counts.at(-1)!;
  const uppers = uppersOf(proof);
  const lower = lowersOf(scene, proof);
  const log = made > 200;
  const [k, norm] = [path.counts[index]!, norms[index]!];
  const [from, to] = [1, Math.max(made * (log ? 1.2 : 1.05), 3)];
  const inseparable = isInseparable(scene.verdict);
  const known = star?.best === true && !inseparable;
  const least = Math.min(
    // Where w returns to 0, only rounding errors remain.
    Math.max(leastPositive(uppers), Math.sqrt(growth) / (20 * made + 1)),
    leastPositive(lower),
    known ? star.margin : Infinity,
    Math.sqrt(growth),
  );
  const quotient = quotientOf(proof);
  return drawChart(frame, {
    horizontal: updatesAxis('updates k', from, to, log),
    vertical: { from: least / 1.6, to: Math.sqrt(growth) * 1.25, title: '', log: true },
    readings: [
      { term: 'k', value: countText(k), role: 'muted' },
      {
        term: 'margin(w)',
        value: k + start === 0 ? '–' : boundText(marginAt(scene, weightsAt(path, index), norm), 3, 'down'),
        role: 'answer',
      },
      {
        term: 'γ*',
        value: inseparable ? '0' : known ? boundText(star.margin, 3, 'down') : '?',
        role: 'star',
        relation: '≤',
      },
      {
        term: quotient,
        value: k + start === 0 ? '–' : boundText(norm / (k + start), 3, 'up'),
        role: 'line',
        relation: '≤',
      },
    ],
    caption: inseparable
      ? inseparableText(proof, uppers)
      : `No line has a margin above ${quotient}. The margin of w itself, margin(w), is below 0 as long as an example is wrong.`,
    curves: [
      { id: 'upper', label: quotient, role: 'line', xs: path.counts, ys: atLeast(uppers, least / 1.6) },
      ...(lower.some((value) => value > 0)
        ? [{ id: 'lower', label: 'margin(w)', role: 'answer' as const, xs: path.counts, ys: positive(lower) }]
        : []),
    ],
    bounds: [
      {
        id: 'most',
        label: terms(proof).growth === 'R²' ? `R/√${start === 0 ? 'k' : '(k + 1)'}` : '√((R² + 2τ)/k)',
        role: 'bound',
        ...sampled(from, to, (n) => Math.sqrt(growth / (n + start)), log),
      },
      ...(known
        ? [{ id: 'star margin', label: 'γ*', role: 'star' as const, ...sampled(from, to, () => star.margin, log) }]
        : []),
    ],
    index,
  });
}

/** Returns the values, at least `floor`. */
function atLeast(values: Float64Array, floor: number): Float64Array {
  return floors(values, () => values.map((value) => (value < floor ? floor : value)), String(floor));
}

const floors = cacheOf<Float64Array, Float64Array>(1);
const leastPositive = (values: Float64Array) => values.reduce((least, v) => (v > 0 && v < least ? v : least), Infinity);

function inseparableText(proof: Proof, uppers: Float64Array): string {
  const zero = uppers.indexOf(0);
  const { upper } = terms(proof);
  const falls = `No line separates, so γ* is 0: ${quotientOf(proof)}, at most ${upper} ÷ ${proof.start === 0 ? 'k' : '(k + 1)'}, falls towards it.`;
  return zero < 0
    ? falls
    : `${falls} At k = ${countText(proof.path.counts[zero]!)} it was 0: those y·x add up to 0, which proves it.`;
}

/** ‖w‖/k, as it is written. */
export const quotientOf = ({ start }: Proof): string => (start === 0 ? '‖w‖/k' : '‖w‖/(k + 1)');

/** Returns ‖w_k‖/k, where k counts a start at an example, too; NaN at 0. */
const uppersOf = remember(({ path, norms, start }: Proof) =>
  norms.map((norm, i) => (path.counts[i] === 0 ? Number.NaN : norm / (path.counts[i]! + start))),
);

/** Number of multiplications for the margins of a run; of long runs only some weights have theirs computed. */
const mostProducts = 5e6;
const lowers = cacheOf<Proof, Float64Array>();

/** Returns margin(w_k) of the drawn examples, at all steps of the path or at an even sample of them; elsewhere NaN. */
const lowersOf = (scene: Scene, proof: Proof): Float64Array => lowers(proof, () => makeLowers(scene, proof));

function makeLowers(scene: Scene, { path, norms }: Proof): Float64Array {
  const { shown, dimension } = scene.examples;
  const last = path.steps.length - 1;
  const count = Math.max(1, Math.min(last, Math.floor(mostProducts / (shown.length * (dimension + 1)))));
  const margins = new Float64Array(last + 1).fill(Number.NaN);
  for (let i = 0; i <= count; i++) {
    const at = Math.round((i * last) / count);
    if (path.counts[at]! > 0) margins[at] = marginAt(scene, weightsAt(path, at), norms[at]!);
  }
  return margins;
}
