import { isSum } from '../run-path.ts';
import type { Scene, View } from '../view.ts';
import { drawBracket } from './bracket.ts';
import { drawCosine } from './cosine.ts';
import { drawCountdown } from './countdown.ts';
import { describeProof } from './describe.ts';
import { proofOf } from './quantities.ts';
import { drawScissors } from './scissors.ts';
import { needsStarText } from './text.ts';

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
