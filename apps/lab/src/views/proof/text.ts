import { countText, numberText } from '../../picture/numbers.ts';
import { startCount } from '../run-path.ts';
import type { Scene } from '../view.ts';
import { isInseparable, type Proof } from './quantities.ts';

/** Writes the terms of the proof; for the rule `margin` with its threshold. */
export function terms({ threshold }: Proof): {
  readonly upper: string;
  readonly ratio: string;
  readonly growth: string;
} {
  return threshold === 0
    ? { upper: '√k·R', ratio: '(R/γ)²', growth: 'R²' }
    : { upper: '√(k(R² + 2τ))', ratio: '(R² + 2τ)/γ²', growth: 'R² + 2τ' };
}

/**
 * Writes the number of updates that the theorem allows, and the number that the run made. The proof counts the terms of
 * the sum w: the updates, and FODA's start, which is no update. So such a run has one more step than updates, and each
 * text says which it counts.
 */
export function allowance(scene: Scene, { bound, path }: Proof): { readonly allowed: string; readonly made: string } {
  const start = startCount(scene);
  const steps = path.counts.at(-1)!;
  const most = Math.floor(bound ?? 0);
  return start === 0
    ? { allowed: `${countText(most)} ${most === 1 ? 'update' : 'updates'}`, made: countText(steps) }
    : {
        allowed: `${countText(most)} steps (the start is one)`,
        made: `${countText(steps - start)} updates, ${countText(steps)} steps with the start`,
      };
}

/** Writes what k counts. */
export function countedTerm(scene: Scene): string {
  return startCount(scene) === 0 ? 'updates k' : 'steps k: the start, then updates';
}

/** Writes the point where the blades meet, and the conclusion for this run. */
export function meetingText(scene: Scene, proof: Proof): string {
  const { recording } = scene;
  const { bound, radius, star, threshold } = proof;
  const { allowed, made } = allowance(scene, proof);
  const [R, gamma] = [numberText(radius), numberText(star!.margin)];
  const values = threshold === 0 ? `(${R}/${gamma})²` : `(${R}² + 2·${numberText(threshold)})/${gamma}²`;
  const whose = star!.best ? '' : ' With a w* that this run found itself.';
  const stopped = recording.report.stop === 'separated' || recording.report.stop === 'quiet';
  return (
    `The blades meet at ${terms(proof).ratio} = ${values} = ${numberText(bound!)}: at most ${allowed}. ` +
    `This run ${stopped ? 'made' : 'has made'} ${made}.${whose}`
  );
}

/** Writes the reason why there is only one blade. */
export function noStarText({ verdict }: Scene, proof: Proof): string {
  const { growth } = terms(proof);
  if (isInseparable(verdict))
    return `No line separates: there is no w*, so no lower blade, and nothing ends the run. Still ‖w‖² grows by at most ${growth} an update.`;
  if (verdict === null)
    return `Whether there is a w* is being found out. In any case ‖w‖² grows by at most ${growth} an update.`;
  return `Whether there is a w* is not known. In any case ‖w‖² grows by at most ${growth} an update.`;
}

/** Writes the reason why a picture that needs w* is missing. */
export function needsStarText({ verdict }: Scene): string {
  if (isInseparable(verdict))
    return 'No line separates these examples, so there is no w* to measure against. Choose “Scissors” or “Bracket on γ*”.';
  return verdict === null
    ? 'Whether there is a w* is being found out.'
    : 'Whether there is a w* is not known. Choose “Scissors” or “Bracket on γ*”.';
}
