import type { Axes } from '../../picture/axes.ts';
import type { Reading } from '../../picture/labels.ts';
import { lineMark, pathMark, symbolMark, textMark } from '../../picture/marks.ts';
import { countText, numberText } from '../../picture/numbers.ts';
import type { Frame, Mark, Picture, Spot } from '../../picture/picture.ts';
import { boundText } from '../../picture/rounding.ts';
import { spotsOf } from '../../picture/series.ts';
import { amountText } from '../../picture/shares.ts';
import { isSum, pathIndex, weightsAt } from '../run-path.ts';
import type { Scene, View } from '../view.ts';
import { drawBracket, quotientOf } from './bracket.ts';
import { type BoundCurve, drawChart, type LabelledCurve, positive, sampled, updatesAxis } from './chart.ts';
import { cosinesOf, drawCosine } from './cosine.ts';
import { drawCountdown, leftOf } from './countdown.ts';
import { isInseparable, marginAt, type Proof, proofOf } from './quantities.ts';
import { allowance, boundNumbers, meetingText, needsStarText, noStarText, terms } from './text.ts';

/** The bound is drawn on linear axes up to this multiple of the run's updates. */
const longest = 20;

/** Draws kγ ≤ ⟨w, w*⟩ ≤ ‖w‖ ≤ √k·R: two blades that close. @param far true: the axes reach the bound. */
function drawScissors(scene: Scene, proof: Proof, frame: Frame, far: boolean): Picture {
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

const choices = [
  { id: 'scissors', title: 'Scissors' },
  { id: 'far', title: 'Scissors to the bound' },
  { id: 'cosine', title: 'Cosine' },
  { id: 'countdown', title: 'Bound counting down' },
  { id: 'bracket', title: 'Bracket on γ*' },
] as const;
/** Pictures that need w*. */
const needStar: readonly string[] = ['cosine', 'countdown'];

const chosen = ({ look }: Scene): string => look.choices.proof ?? choices[0].id;

/** Shows the convergence theorem over this run: ⟨w, w*⟩ and ‖w‖, their bounds, and where these must meet. */
export const proof: View = {
  id: 'proof',
  title: 'The proof',
  question: 'Why does it stop?',
  choices,
  missing(scene) {
    if (!isSum(scene))
      return `The theorem is about sums of y·x, which the rule ${scene.algorithm.rule} does not make: choose a lecture, or the rule perceptron, averaged, voted or pocket.`;
    const numbers = proofOf(scene);
    if (numbers === null)
      return 'The weights of this run were not kept: choose the rule perceptron, or fewer examples.';
    if (numbers.space === 'apart' && chosen(scene) === 'bracket')
      return 'The run bounds γ* of both sides only with the bias as a coordinate: choose that above the plane.';
    return numbers.star === null && needStar.includes(chosen(scene)) ? needsStarText(scene) : null;
  },
  draw(scene, frame) {
    const numbers = proofOf(scene)!;
    switch (chosen(scene)) {
      case 'cosine':
        return drawCosine(scene, numbers, frame);
      case 'countdown':
        return drawCountdown(scene, numbers, frame);
      case 'bracket':
        return drawBracket(scene, numbers, frame);
      default:
        return drawScissors(scene, numbers, frame, chosen(scene) === 'far');
    }
  },
  describe(scene) {
    return proof.missing(scene) ?? describeProof(scene, proofOf(scene)!, chosen(scene));
  },
};

/** Describes the chosen picture of the proof, with its numbers at the moment. */
function describeProof(scene: Scene, proof: Proof, choice: string): string {
  const index = pathIndex(proof.path, scene);
  const after = `After ${amountText(proof.path.counts[index]!, 'update')}`;
  switch (choice) {
    case 'cosine':
      return `${after} ${describeCosine(proof, index)}`;
    case 'countdown':
      return `${after} ${describeCountdown(scene, proof, index)}`;
    case 'bracket':
      return `${after} ${describeBracket(scene, proof, index)}`;
    case 'far':
      return `Drawn up to the bound. ${after} ${describeScissors(scene, proof, index)}`;
    default:
      return `${after} ${describeScissors(scene, proof, index)}`;
  }
}

function describeScissors(scene: Scene, proof: Proof, index: number): string {
  const { path, norms, dots, star, growth, start } = proof;
  const sum = path.counts[index]! + start;
  const words = terms(proof);
  const above = `${words.norm} = ${numberText(norms[index]!)}, at most ${words.upper} = ${boundText(Math.sqrt(sum * growth), 3, 'up')}`;
  if (star === null)
    return `${above}. ${isInseparable(scene.verdict) ? 'No line separates, so nothing ends the run.' : 'It is not known yet if a line separates.'}`;
  const below = `${words.dot} = ${numberText(dots[index]!)}, at least ${words.lower} = ${boundText(sum * star.margin, 3, 'down')}`;
  return `${below}; ${above}. Both bounds meet at ${words.ratio} = ${boundNumbers(proof).ratio}: at most ${allowance(scene, proof).allowed}.`;
}

function describeCosine(proof: Proof, index: number): string {
  const { path, star, growth, start } = proof;
  const cosine = cosinesOf(proof)[index]!;
  const least = (Math.sqrt(path.counts[index]! + start) * star!.margin) / Math.sqrt(growth);
  const now = Number.isNaN(cosine) ? 'w is 0, so it has no angle' : `the cosine of w and w* is ${numberText(cosine)}`;
  return `${now}; it is at least ${boundText(least, 3, 'down')}, and at most 1. The lower bound reaches 1 at ${terms(proof).ratio} = ${boundNumbers(proof).ratio}.`;
}

function describeCountdown(scene: Scene, proof: Proof, index: number): string {
  const k = proof.path.counts[index]!;
  const made = proof.path.counts.at(-1)! - k;
  return `the theorem allows ${countText(proof.updates! - k)} more of ${allowance(scene, proof).allowed}, and the same proof, begun at the present w, allows ${countText(leftOf(proof)[index]!)}; this run makes ${countText(made)} more.`;
}

function describeBracket(scene: Scene, proof: Proof, index: number): string {
  const { path, norms, star, start } = proof;
  const sum = path.counts[index]! + start;
  const largest = isInseparable(scene.verdict)
    ? 'no line separates, so the largest margin γ* is 0'
    : star?.best === true
      ? `the largest margin γ* = ${boundText(star.margin, 3, 'down')}`
      : 'the largest margin γ* is not known';
  if (sum === 0) return `${largest}; w is 0 and bounds nothing yet.`;
  const margin = marginAt(scene, weightsAt(path, index), norms[index]!);
  return `${largest}; the margin of w is ${boundText(margin, 3, 'down')}, and ${quotientOf(proof)} = ${boundText(norms[index]! / sum, 3, 'up')}: γ* lies between them.`;
}
