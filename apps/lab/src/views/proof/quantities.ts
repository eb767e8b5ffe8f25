/**
 * Computes the quantities of the lectures' proof over a whole run: kγ ≤ ⟨w, w*⟩ ≤ ‖w‖ ≤ √(kG), where w_k are the
 * weights after k terms of the sum, the bias included. Symbols and claims: `bound.ts`. With the bias apart ‖w‖ and G
 * are those of its longer inequality.
 */
import type { Recording } from '../../engine/recording.ts';
import type { Verdict } from '../../engine/verdict.ts';
import { isSum, type RunPath, runPath } from '../run-path.ts';
import type { Scene } from '../view.ts';
import { type Bound, boundOf, type Space, spaceOf } from './bound.ts';

export interface Proof extends Bound {
  readonly path: RunPath;
  /** ‖w_k‖ as a coordinate; ‖(w_k, b_k)‖·‖(w*, b*)‖ apart. */
  readonly norms: Float64Array;
  /** ⟨w_k, w*⟩, b·b* included; empty without w*. */
  readonly dots: Float64Array;
}

const proofs = new WeakMap<Recording, Map<Space, { readonly verdict: Verdict | null; readonly proof: Proof | null }>>();

/** Returns the quantities of a run in the space of its look; null: the run is no sum of examples, or has no weights. */
export function proofOf(scene: Scene): Proof | null {
  const { recording, verdict, look } = scene;
  const space = spaceOf(look);
  const known = proofs.get(recording) ?? new Map();
  proofs.set(recording, known);
  if (known.get(space)?.verdict !== verdict || !known.has(space))
    known.set(space, { verdict, proof: made(scene, space) });
  return known.get(space)!.proof;
}

/** Tests if it is known that no line separates. */
export function isInseparable(verdict: Verdict | null): boolean {
  return verdict?.kind === 'not-separable' || (verdict?.kind === 'undecided' && verdict.upper === 0);
}

function made(scene: Scene, space: Space): Proof | null {
  const path = isSum(scene) ? runPath(scene) : null;
  if (path === null) return null;
  const bound = boundOf(scene, space);
  const { star } = bound;
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
    norms[i] = Math.sqrt(squares) * (star?.length ?? 1);
    if (star !== null) dots[i] = dot;
  }
  return { ...bound, path, norms, dots };
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
