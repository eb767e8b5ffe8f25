/**
 * Computes R, γ, w* and the bound on updates in one of two spaces. Everything that shows one of these quantities asks
 * here: the verdict, the plane, the proof, the claims and questions of tours, and exports.
 *
 * Symbols: x as the run sees it (divided by `divisor`), c the constant that the bias is multiplied by.
 *
 * Bias as a coordinate: z = (x, c) and w includes b. R = max‖z‖; w* has length 1, b* included; γ = min y⟨z, w*⟩. An
 * update adds y·z where y⟨w, z⟩ ≤ τ, so ‖w‖² grows by at most G = R² + 2τ and ⟨w, w*⟩ by at least γ. Hence k ≤ G/γ².
 *
 * Bias apart: R = max‖x‖; ‖w*‖ = 1 without b*; γ is the distance of the nearest point to the widest line. The run still
 * learns b, so the proof follows ⟨w, w*⟩ + b·b* ≤ ‖(w, b)‖·‖(w*, b*)‖ and gives k ≤ (R² + c² + 2τ)(1 + b*²)/γ².
 * (R/γ)² alone is no bound there.
 *
 * Source: Novikoff 1962; lecture 9, theorem 9.1; CS4780; FODA's (a) and (b); the blog, which lifts x to (x, 1).
 */
import type { Algorithm } from '../../algorithm/algorithm.ts';
import { startsAtExample } from '../../algorithm/variant.ts';
import { type Examples, vectorAt } from '../../engine/examples.ts';
import { type Recording, squaredNorm } from '../../engine/recording.ts';
import type { Verdict } from '../../engine/verdict.ts';
import type { Look } from '../view.ts';

export type Space = 'coordinate' | 'apart';

export const spaces: readonly { readonly id: Space; readonly title: string }[] = [
  { id: 'coordinate', title: 'as a coordinate' },
  { id: 'apart', title: 'apart' },
];

export function spaceOf({ space }: Look): Space {
  return space === 'apart' ? 'apart' : 'coordinate';
}

/** A run with a verdict on its data. */
export interface Judged {
  readonly algorithm: Algorithm;
  readonly examples: Examples;
  readonly recording: Recording;
  readonly verdict: Verdict | null;
}

export interface Bound {
  /** `coordinate` also for a run without a bias, where both spaces are the same. */
  readonly space: Space;
  readonly hasBias: boolean;
  /** R */
  readonly radius: number;
  /** τ */
  readonly threshold: number;
  /** c */
  readonly constant: number;
  /** Null: there is none, or none is known. */
  readonly star: Star | null;
  /** The largest growth in an update of (‖w‖·‖w*‖)², b and b* included. */
  readonly growth: number;
  /** The largest number of terms of the sum w; null without w*. Not a whole number; rounded up. */
  readonly terms: number | null;
  /** Number of terms that are no updates: FODA starts at y·x of an example. */
  readonly start: 0 | 1;
  /** The largest number of updates: ⌊terms⌋ − start; null without w*. */
  readonly updates: number | null;
}

export interface Star {
  /** b*, then w*. The length without b* is 1 if the bias is apart, else the length with it. */
  readonly vector: Float64Array;
  /** ‖(w*, b*)‖ */
  readonly length: number;
  /** γ; proved, so rounded down. */
  readonly margin: number;
  /** True if no other w* has a larger margin in this space. */
  readonly best: boolean;
}

export function boundOf(judged: Judged, asked: Space): Bound {
  const { algorithm, recording } = judged;
  const constant = recording.biasConstant;
  const hasBias = constant !== 0;
  const space = hasBias ? asked : 'coordinate';
  const threshold = algorithm.rule === 'margin' ? Number(algorithm.options.margin ?? 1) : 0;
  const start = startsAtExample(algorithm) ? 1 : 0;
  const radius = radiusOf(judged, space);
  const star = starOf(judged, space);
  const lifted = space === 'apart' ? radius ** 2 + constant ** 2 : radius ** 2;
  const growth = (lifted + 2 * threshold) * (star?.length ?? 1) ** 2;
  const terms = star === null ? null : (growth / star.margin ** 2) * (1 + roundingOf(judged));
  const updates = terms === null ? null : Math.max(0, Math.floor(terms) - start);
  return { space, hasBias, radius, threshold, constant, star, growth, terms, start, updates };
}

/** Returns a bound on the relative error of the ratio: its norms are sums of squares, one for each feature. */
const roundingOf = ({ examples }: Judged): number => (8 * examples.dimension + 64) * 2 ** -53;

function radiusOf({ recording, examples }: Judged, space: Space): number {
  const { report, absorbed, biasConstant } = recording;
  const measured = report.train?.radius ?? null;
  const all = examples.shown.length === examples.rows;
  if (measured !== null && absorbed === (space === 'coordinate')) return measured;
  if (measured !== null && (space === 'coordinate' || !all))
    return Math.sqrt(Math.max(0, measured ** 2 + (space === 'coordinate' ? 1 : -1) * biasConstant ** 2));
  let largest = 0;
  for (let k = 0; k < examples.shown.length; k++)
    largest = Math.max(largest, squaredNorm(vectorAt(examples, k), recording));
  return Math.sqrt(largest + (space === 'coordinate' ? biasConstant ** 2 : 0));
}

/**
 * Returns w* for the run's own vectors. Where the largest margin is not known it returns the separator that the run
 * found: the theorem holds for every separator.
 */
function starOf({ verdict, recording }: Judged, space: Space): Star | null {
  const { biasConstant, divisor, model, report } = recording;
  if (verdict?.kind === 'separable') {
    const { weights, bias, lower } = space === 'apart' ? verdict : verdict.lifted;
    if ((biasConstant === 0 && bias !== 0) || !(lower > 0)) return null;
    const given = Math.sqrt(squaresOf(weights) + (space === 'apart' ? 0 : bias * bias));
    // Other constants than that of (x, 1), divided like x, have another widest separator.
    const best = space === 'apart' || biasConstant === 0 || Math.abs(biasConstant * divisor - 1) < 1e-9;
    return unitStar(directionOf(verdict, recording, space), lower * given, best, space);
  }
  if (verdict?.kind !== 'undecided' || model.kind !== 'linear' || !((report.bracket?.lower ?? 0) > 0)) return null;
  const vector = Float64Array.of(model.bias, ...model.weights);
  return unitStar(vector, report.bracket!.lower * Math.sqrt(squaresOf(vector)), false, space);
}

/** Returns w* as a line of x as encoded, and the score at the nearest examples; null: none is proved. */
export function starLine(
  verdict: Verdict | null,
  space: Space,
): { readonly weights: Float64Array; readonly bias: number; readonly level: number } | null {
  if (verdict?.kind !== 'separable') return null;
  const { weights, bias, lower } = space === 'apart' ? verdict : verdict.lifted;
  return { weights, bias, level: lower * Math.sqrt(squaresOf(weights) + (space === 'apart' ? 0 : bias * bias)) };
}

/** Returns the direction of w* for the run's own vectors, bias first, of any length. Null: none is proved. */
export function directionOfStar(verdict: Verdict | null, recording: Recording, space: Space): Float64Array | null {
  return verdict?.kind === 'separable' ? directionOf(verdict, recording, space) : null;
}

/** A separator (W, B) of (x, 1) is (W·divisor, B/c) of (x/divisor, c). */
function directionOf(
  verdict: Extract<Verdict, { kind: 'separable' }>,
  { divisor, biasConstant }: Recording,
  space: Space,
): Float64Array {
  const { weights, bias } = space === 'apart' && biasConstant !== 0 ? verdict : verdict.lifted;
  return Float64Array.of(biasConstant === 0 ? 0 : bias / biasConstant, ...weights.map((w) => w * divisor));
}

function unitStar(vector: Float64Array, functional: number, best: boolean, space: Space): Star {
  const all = Math.sqrt(squaresOf(vector));
  const unit = space === 'apart' ? Math.sqrt(squaresOf(vector.subarray(1))) : all;
  return {
    vector: vector.map((component) => component / unit),
    length: space === 'apart' ? all / unit : 1,
    margin: functional / unit,
    best,
  };
}

function squaresOf(vector: Float64Array): number {
  return vector.reduce((sum, component) => sum + component * component, 0);
}
