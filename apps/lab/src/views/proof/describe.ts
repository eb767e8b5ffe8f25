import { countText, numberText } from '../../picture/numbers.ts';
import { boundText } from '../../picture/rounding.ts';
import { amountText } from '../../picture/shares.ts';
import { pathIndex, weightsAt } from '../run-path.ts';
import type { Scene } from '../view.ts';
import { quotientOf } from './bracket.ts';
import { cosinesOf } from './cosine.ts';
import { leftOf } from './countdown.ts';
import { isInseparable, marginAt, type Proof } from './quantities.ts';
import { allowance, boundNumbers, terms } from './text.ts';

/** Describes the chosen picture of the proof, with its numbers at the moment. */
export function describeProof(scene: Scene, proof: Proof, choice: string): string {
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
