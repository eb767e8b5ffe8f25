import { shownAt, vectorAt } from '../../engine/examples.ts';
import { type Proof, proofOf } from '../../views/proof/quantities.ts';
import { pathIndex, weightsAt } from '../../views/run-path.ts';
import type { Scene } from '../../views/view.ts';

/** The terms of the proof at one update of a run. x stands for (x, c): the constant is a coordinate. */
interface UpdateTerms {
  /** Number of the update, from 1. */
  readonly k: number;
  /** The example, by its number in the data. */
  readonly row: number;
  /** ⟨w, w*⟩ before and after; null without w*. */
  readonly dot: readonly [before: number, after: number] | null;
  /** ‖w‖² before and after. */
  readonly square: readonly [before: number, after: number];
  /** y⟨w, x⟩ before the update. */
  readonly score: number;
  /** y⟨x, w*⟩; null without w*. */
  readonly pull: number | null;
  /** ‖x‖² */
  readonly length: number;
}

/**
 * Returns the terms of the update at the scene's moment. Null: it is before the first one, or a very long run did not
 * keep it.
 */
export function updateTerms(scene: Scene): UpdateTerms | null {
  const { recording, examples, moment } = scene;
  const proof = proofOf(scene);
  if (proof === null || !recording.complete || moment.updates === 0) return null;
  const index = pathIndex(proof.path, scene);
  const row = recording.rows[recording.updates[moment.updates - 1]! - 1]!;
  const position = shownAt(examples, row);
  if (position < 0 || index < 1) return null;
  const x = vectorAt(examples, position);
  const lifted = Float64Array.of(recording.biasConstant, ...x.map((value) => value / recording.divisor));
  const y = examples.labels[row]!;
  const dotOf = (vector: Float64Array) => lifted.reduce((sum, value, j) => sum + value * vector[j]!, 0);
  return {
    k: moment.updates,
    row,
    dot: proof.star === null ? null : [proof.dots[index - 1]!, proof.dots[index]!],
    square: [proof.norms[index - 1]! ** 2, proof.norms[index]! ** 2],
    score: y * dotOf(weightsAt(proof.path, index - 1)),
    pull: proof.star === null ? null : y * dotOf(proof.star.vector),
    length: lifted.reduce((sum, value) => sum + value * value, 0),
  };
}

/** Returns the proof with w*; null: no line separates, or it is not known yet. */
export function provedBound(scene: Scene): (Proof & { readonly star: NonNullable<Proof['star']> }) | null {
  const proof = proofOf(scene);
  return proof === null || proof.star === null ? null : { ...proof, star: proof.star };
}
