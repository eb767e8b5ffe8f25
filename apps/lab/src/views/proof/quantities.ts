/**
 * Computes the quantities of the lectures' proof over a whole run.
 * Symbols: z = (x/divisor, c) with the constant c, whatever the kind of bias, as the blog lifts it; w_k the weights
 * after k updates, including the bias; R = max‖z‖; w* a unit vector and γ = min y⟨z, w*⟩ > 0 its margin.
 * Claims: an update adds y·z, so ⟨w_k, w*⟩ grows by at least γ. It is made where y⟨w, z⟩ ≤ τ, so ‖w_k‖² grows by at
 * most G = R² + 2τ (τ = 0 except for the rule `margin`). Hence kγ ≤ ⟨w_k, w*⟩ ≤ ‖w_k‖ ≤ √(kG), and k ≤ G/γ².
 * Source: Novikoff 1962; lecture 9, theorem 9.1; CS4780; FODA's (a) and (b); the blog. FODA's start, y·z of an
 * example, counts as an update.
 */
import { vectorAt } from '../../engine/examples.ts';
import { type Recording, squaredNorm } from '../../engine/recording.ts';
import type { Verdict } from '../../engine/verdict.ts';
import { isSum, type RunPath, runPath } from '../run-path.ts';
import type { Scene } from '../view.ts';

export interface Proof {
  readonly path: RunPath;
  /** R */
  readonly radius: number;
  /** G, the largest growth of ‖w‖² in an update. */
  readonly growth: number;
  /** τ */
  readonly threshold: number;
  /** ‖w_k‖ */
  readonly norms: Float64Array;
  /** Null: there is none, or none is known. */
  readonly star: Star | null;
  /** ⟨w_k, w*⟩; empty without w*. */
  readonly dots: Float64Array;
  /** G/γ², the largest number of updates; null without w*. */
  readonly bound: number | null;
}

/** The unit vector w* in the space of z, bias first. */
export interface Star {
  readonly vector: Float64Array;
  /** γ in the units of z. It is proved, so rounded down. */
  readonly margin: number;
  /** True if w* has the largest margin; false if it is the separator of this run. */
  readonly best: boolean;
}

const proofs = new WeakMap<Recording, { readonly verdict: Verdict | null; readonly proof: Proof | null }>();

/** Returns the quantities of a run; null: the run is no sum of examples, or has no weights. */
export function proofOf(scene: Scene): Proof | null {
  const { recording, verdict } = scene;
  const known = proofs.get(recording);
  if (known !== undefined && known.verdict === verdict) return known.proof;
  const proof = made(scene);
  proofs.set(recording, { verdict, proof });
  return proof;
}

/** Tests if it is known that no line separates. */
export function isInseparable(verdict: Verdict | null): boolean {
  return verdict?.kind === 'not-separable' || (verdict?.kind === 'undecided' && verdict.upper === 0);
}

function made(scene: Scene): Proof | null {
  const path = isSum(scene) ? runPath(scene) : null;
  if (path === null) return null;
  const { algorithm } = scene;
  const threshold = algorithm.rule === 'margin' ? Number(algorithm.options.margin ?? 1) : 0;
  const radius = radiusOf(scene);
  const growth = radius * radius + 2 * threshold;
  const star = starOf(scene);
  const { width, numbers, steps } = path;
  const norms = new Float64Array(steps.length);
  const dots = new Float64Array(star === null ? 0 : steps.length);
  for (let i = 0; i < steps.length; i++) {
    let [squares, dot] = [0, 0];
    for (let j = 0; j < width; j++) {
      const w = numbers[i * width + j]!;
      squares += w * w;
      if (star !== null) dot += w * star.vector[j]!;
    }
    norms[i] = Math.sqrt(squares);
    if (star !== null) dots[i] = dot;
  }
  const bound = star === null ? null : growth / star.margin ** 2;
  return { path, radius, growth, threshold, norms, star, dots, bound };
}

/** Returns R, including the constant. */
function radiusOf({ recording, examples }: Scene): number {
  const { report, absorbed, biasConstant } = recording;
  const measured = report.train?.radius ?? null;
  if (measured !== null) return absorbed ? measured : Math.sqrt(measured ** 2 + biasConstant ** 2);
  let largest = 0;
  for (let k = 0; k < examples.shown.length; k++)
    largest = Math.max(largest, squaredNorm(vectorAt(examples, k), recording));
  return Math.sqrt(largest + biasConstant ** 2);
}

/**
 * Returns w* for the run's own vectors: a separator (W, B) of (x, 1) is (W·divisor, B/c) of (x/divisor, c), with a
 * margin that shrinks as the vector grows. Where the largest margin is not known it returns the separator that the
 * run found: the theorem holds for every separator.
 */
function starOf({ verdict, recording }: Scene): Star | null {
  const { biasConstant, model, report } = recording;
  if (verdict?.kind === 'separable') {
    const { weights, bias, lower } = verdict.lifted;
    if ((biasConstant === 0 && bias !== 0) || !(lower > 0)) return null;
    const given = Math.sqrt(squaresOf(weights) + bias * bias);
    return unitStar(directionOfStar(verdict, recording)!, lower * given, true);
  }
  if (verdict?.kind !== 'undecided' || model.kind !== 'linear' || !((report.bracket?.lower ?? 0) > 0)) return null;
  const vector = Float64Array.of(model.bias, ...model.weights);
  return unitStar(vector, report.bracket!.lower * Math.sqrt(squaresOf(vector)), false);
}

/**
 * Returns the direction of the widest separator for the run's own vectors, bias first, of any length. Null: none is
 * known.
 */
export function directionOfStar(verdict: Verdict | null, { divisor, biasConstant }: Recording): Float64Array | null {
  if (verdict?.kind !== 'separable') return null;
  const { weights, bias } = verdict.lifted;
  return Float64Array.of(biasConstant === 0 ? 0 : bias / biasConstant, ...weights.map((w) => w * divisor));
}

function unitStar(vector: Float64Array, functional: number, best: boolean): Star {
  const length = Math.sqrt(squaresOf(vector));
  return { vector: vector.map((component) => component / length), margin: functional / length, best };
}

function squaresOf(vector: Float64Array): number {
  return vector.reduce((sum, component) => sum + component * component, 0);
}

/**
 * Returns the largest number of updates that can follow weights with ⟨w, w*⟩ = d and ‖w‖ = n: the largest m with d +
 * mγ ≤ √(n² + mG). From zero it is G/γ²; after k updates it is at most G/γ² − k.
 */
export function updatesLeft(dot: number, norm: number, growth: number, margin: number): number {
  const half = growth - 2 * dot * margin;
  const gap = Math.max(0, norm * norm - dot * dot);
  return Math.max(0, (half + Math.sqrt(Math.max(0, half * half + 4 * margin * margin * gap))) / (2 * margin * margin));
}

/** Returns min y⟨w, z⟩/‖w‖ over the drawn examples; 0 for w = 0. */
export function marginAt({ examples, recording }: Scene, w: Float64Array, norm: number): number {
  if (norm === 0) return 0;
  const { shown, vectors, labels, dimension } = examples;
  let least = Infinity;
  for (let k = 0; k < shown.length; k++) {
    let sum = 0;
    for (let j = 0; j < dimension; j++) sum += w[j + 1]! * vectors[k * dimension + j]!;
    least = Math.min(least, labels[shown[k]!]! * (sum / recording.divisor + w[0]! * recording.biasConstant));
  }
  return least / norm;
}
