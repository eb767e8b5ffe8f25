import { countText, numberText } from '../../picture/numbers.ts';
import { isSum, pathIndex } from '../run-path.ts';
import type { Scene, View } from '../view.ts';
import { drawBracket } from './bracket.ts';
import { drawCosine } from './cosine.ts';
import { drawCountdown } from './countdown.ts';
import { isInseparable, proofOf } from './quantities.ts';
import { drawScissors } from './scissors.ts';
import { needsStarText, terms } from './text.ts';

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
  question: 'Why must it stop?',
  choices,
  missing(scene) {
    if (!isSum(scene))
      return `The theorem is about sums of y·x, which the rule ${scene.algorithm.rule} does not make: choose a lecture, or the rule perceptron, averaged, voted or pocket.`;
    const numbers = proofOf(scene);
    if (numbers === null)
      return 'The weights of this run were not kept: choose the rule perceptron, or fewer examples.';
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
    const numbers = proofOf(scene);
    if (numbers === null) return 'No numbers of the proof.';
    const { path, norms, dots, star, bound, growth } = numbers;
    const index = pathIndex(path, scene);
    const k = path.counts[index]!;
    const words = terms(numbers);
    const above = `‖w‖ = ${numberText(norms[index]!)}, at most ${words.upper} = ${numberText(Math.sqrt(k * growth))}`;
    if (star === null)
      return `After ${countText(k)} updates ${above}. ${isInseparable(scene.verdict) ? 'No line separates, so nothing ends the run.' : 'Whether a line separates is not known yet.'}`;
    return `After ${countText(k)} updates ⟨w, w*⟩ = ${numberText(dots[index]!)}, at least kγ = ${numberText(k * star.margin)}; ${above}. Both meet at ${words.ratio} = ${numberText(bound!)} updates.`;
  },
};
