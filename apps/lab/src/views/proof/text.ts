import { countText, numberText } from '../../picture/numbers.ts';
import { boundText, roundedTo, type Side } from '../../picture/rounding.ts';
import { amountText } from '../../picture/shares.ts';
import type { Scene } from '../view.ts';
import type { Bound, Judged } from './bound.ts';
import { boundOf } from './bound.ts';
import { isInseparable, type Proof } from './quantities.ts';

/** The terms of the proof as they are written. With the bias apart, v is (w, b) and v* is (w*, b*). */
interface Terms {
  /** ‖w‖ */
  readonly norm: string;
  /** ⟨w, w*⟩ */
  readonly dot: string;
  /** kγ */
  readonly lower: string;
  /** √k·R */
  readonly upper: string;
  /** The largest growth of ‖w‖² in an update: R² */
  readonly growth: string;
  /** (R/γ)² */
  readonly ratio: string;
}

/** Writes the terms of the proof in its space; for the rule `margin` with its threshold. */
export function terms(bound: Bound): Terms {
  const { threshold, space, start, constant, star } = bound;
  const apart = space === 'apart';
  const parts = ['R²', ...(apart ? [constant === 1 ? '1' : 'c²'] : []), ...(threshold === 0 ? [] : ['2τ'])];
  const growth = parts.join(' + ');
  const bracketed = parts.length > 1 ? `(${growth})` : growth;
  const length = apart && star !== null ? '(1 + b*²)' : '';
  const k = start === 0 ? 'k' : '(k + 1)';
  const plain = parts.length === 1;
  return {
    norm: apart ? `‖v‖${star === null ? '' : '‖v*‖'}` : '‖w‖',
    dot: apart ? '⟨v, v*⟩' : '⟨w, w*⟩',
    lower: `${k}γ`,
    upper: plain ? `√${k}·R` : `√(${k}${bracketed})${length === '' ? '' : '‖v*‖'}`,
    growth: `${length === '' ? growth : `${bracketed}${length}`}`,
    ratio: plain ? '(R/γ)²' : `${bracketed}${length}/γ²`,
  };
}

/**
 * Numbers of the bound as text, with so many digits that they give the bound's whole number. They are rounded to the
 * safe side: what follows from them holds.
 */
interface BoundNumbers {
  readonly radius: string;
  readonly margin: string;
  /** b*; empty where it is no number of its own. */
  readonly bias: string;
  /** The value of the ratio. */
  readonly ratio: string;
}

/** The most significant digits that are tried. */
const mostDigits = 12;

/**
 * Writes R rounded up, γ rounded down and b* rounded away from 0, with four digits, or with more where fewer would give
 * another whole number of updates: who puts the written numbers into the formula gets the written bound.
 */
export function boundNumbers(bound: Bound): BoundNumbers {
  const { radius, star, space } = bound;
  const bias = star === null || space !== 'apart' ? null : star.vector[0]!;
  const sides: readonly Side[] = ['up', 'down', bias !== null && bias < 0 ? 'down' : 'up'];
  for (let digits = 4; ; digits++) {
    const numbers = [radius, star?.margin ?? 0, bias ?? 0].map((value, k) => roundedTo(value, digits, sides[k]!));
    if (digits < mostDigits && bound.terms !== null && Math.floor(ratioOf(bound, numbers)) !== Math.floor(bound.terms))
      continue;
    return {
      radius: boundText(radius, digits, 'up'),
      margin: star === null ? '?' : boundText(star.margin, digits, 'down'),
      bias: bias === null ? '' : boundText(bias, digits, sides[2]!),
      ratio: bound.terms === null ? '?' : sameFloor(bound.terms),
    };
  }
}

function ratioOf({ space, constant, threshold }: Bound, [radius, margin, bias]: readonly number[]): number {
  const apart = space === 'apart';
  return ((radius! ** 2 + (apart ? constant ** 2 : 0) + 2 * threshold) * (apart ? 1 + bias! ** 2 : 1)) / margin! ** 2;
}

/**
 * Writes a positive upper bound with one decimal, rounded up, or with more where fewer would change the whole number
 * below it.
 */
function sameFloor(value: number): string {
  const floor = Math.floor(value);
  if (floor >= 1e9) return numberText(roundedTo(value, 3, 'up'));
  for (let decimals = 1; decimals <= 6; decimals++) {
    const rounded = roundedTo(value, String(floor).length + decimals, 'up');
    if (Math.floor(rounded) === floor)
      return rounded.toLocaleString('en', { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
  }
  return countText(floor);
}

/** Writes the number of updates that the theorem allows, and the number that the run made. Both count updates only. */
export function allowance(
  scene: Pick<Scene, 'recording'>,
  bound: Bound,
): { readonly allowed: string; readonly made: string } {
  const { recording } = scene;
  const made = recording.updates.length + (recording.skipped?.updates ?? 0);
  const most = bound.updates ?? 0;
  return {
    allowed: `${amountText(most, 'update')}${bound.start === 0 ? '' : ' after the start'}`,
    made: countText(made),
  };
}

/** Writes the bound with its numbers: `(R/γ)² = (6.103/0.3603)² = 286.9`. */
function ratioText(bound: Bound): string {
  const { radius, margin, bias, ratio } = boundNumbers(bound);
  const { space, constant, threshold } = bound;
  const parts = [
    `${radius}²`,
    ...(space === 'apart' ? [`${constant === 1 ? '1' : numberText(constant, 4)}²`] : []),
    ...(threshold === 0 ? [] : [`2·${numberText(threshold)}`]),
  ];
  const length = space === 'apart' ? `(1 + ${bias.startsWith('−') ? `(${bias})` : bias}²)` : '';
  const values = parts.length === 1 ? `(${radius}/${margin})²` : `(${parts.join(' + ')})${length}/${margin}²`;
  return `${terms(bound).ratio} = ${values} = ${ratio}`;
}

/** Writes the point where the blades meet, and the conclusion for this run. */
export function meetingText(scene: Scene, proof: Proof): string {
  const { recording } = scene;
  const { allowed, made } = allowance(scene, proof);
  const whose = proof.star!.best ? '' : ' The run itself found this w*.';
  const stopped = recording.report.stop === 'separated' || recording.report.stop === 'quiet';
  const at = proof.start === 0 ? '' : 'k + 1 = ';
  const names = proof.space === 'apart' ? ' v = (w, b), and ‖v*‖² = 1 + b*².' : '';
  return (
    `The blades meet at ${at}${ratioText(proof)}: at most ${allowed}. ` +
    (stopped ? `This run made ${made}.` : `This run has made ${made}.`) +
    whose +
    names
  );
}

/**
 * Writes how the two spaces are related, with R, γ and the bound of the other one. Empty where there is one space, or
 * no w*.
 */
export function relationText(judged: Judged, { space, hasBias, star, constant }: Bound): string {
  if (!hasBias || star === null) return '';
  const c = constant === 1 ? '1' : numberText(constant, 4);
  const other = boundOf(judged, space === 'apart' ? 'coordinate' : 'apart');
  if (other.star === null) return '';
  const { radius, margin } = boundNumbers(other);
  return space === 'apart'
    ? `As a coordinate: R = ${radius}, γ = ${margin}, of (x, ${c}) and (w*, b*).`
    : `Apart: R = ${radius}, γ = ${margin}, of x and w* alone; (R/γ)² is no bound then.`;
}

/** Writes the reason why there is only one blade. */
export function noStarText({ verdict }: Scene, proof: Proof): string {
  const { growth, norm } = terms(proof);
  if (isInseparable(verdict))
    return `No line separates: there is no w*, so no lower blade, and nothing ends the run. Even so, ${norm}² grows by at most ${growth} per update.`;
  if (verdict === null)
    return `The lab is still looking for a w*. In any case ${norm}² grows by at most ${growth} per update.`;
  return `It is not known if there is a w*. In any case ${norm}² grows by at most ${growth} per update.`;
}

/** Writes the reason why a picture that needs w* is missing. */
export function needsStarText({ verdict }: Scene): string {
  if (isInseparable(verdict))
    return 'No line separates these examples, so there is no w* to measure against. Choose “Scissors” or “Bracket on γ*”.';
  return verdict === null
    ? 'The lab is still looking for a w*.'
    : 'It is not known if there is a w*. Choose “Scissors” or “Bracket on γ*”.';
}
