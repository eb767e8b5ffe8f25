import { numberText } from '../../picture/numbers.ts';
import { scoresOf, shownLabels } from '../scores.ts';
import type { Scene, View } from '../view.ts';
import { drawCurves, shownMargins } from './curves.ts';
import { type Loss, losses, lossesFor, meanLoss, ownLoss } from './losses.ts';
import { drawSlice, sliceOf } from './slice.ts';
import { drawSurface, type SurfaceLoss, weightPlane } from './surface.ts';

const surfaces = (['perceptron', 'hinge', 'logistic', 'zero-one'] as const).map((id) => ({
  ...losses.find((loss) => loss.id === id)!,
  id,
  choice: `surface-${id}`,
}));

function chosen({
  look,
}: Scene): { readonly kind: 'curves' | 'all' | 'slice' } | { readonly kind: 'surface'; loss: SurfaceLoss } {
  const choice = look.choices.loss;
  const surface = surfaces.find((each) => each.choice === choice);
  if (surface !== undefined) return { kind: 'surface', loss: surface };
  return { kind: choice === 'slice' || choice === 'all' ? choice : 'curves' };
}

/** Shows the 0–1, perceptron, hinge and logistic loss: of one example, along the last update, and over two weights. */
export const loss: View = {
  id: 'loss',
  title: 'Loss',
  question: 'What is it descending?',
  choices: [
    { id: 'curves', title: 'Loss of one example' },
    { id: 'all', title: 'Loss over all margins' },
    { id: 'slice', title: 'Along the last update' },
    ...surfaces.map(({ choice, title }) => ({ id: choice, title: `Over two weights: ${title}` })),
  ],
  missing(scene) {
    const { moment, recording } = scene;
    if (moment.present === null)
      return recording.model.kind === 'tree'
        ? 'A tree has no weights, so it descends no loss. Choose a rule that learns a line, such as perceptron or SGD.'
        : 'This rule keeps examples instead of weights, so there is no slope to draw. Choose a rule that learns a line, such as perceptron or SGD.';
    if (chosen(scene).kind === 'surface' && scene.examples.dimension === 0)
      return 'No column of these data varies, so there is only the bias and nothing to draw it against. Look at the loss of one example.';
    if (chosen(scene).kind === 'slice' && sliceOf(scene) === null)
      return 'This run has no update, so there is no line through one. Look at the loss of one example.';
    return null;
  },
  draw(scene, frame) {
    const choice = chosen(scene);
    if (choice.kind === 'surface') return drawSurface(scene, choice.loss, frame);
    return choice.kind === 'slice' ? drawSlice(scene, frame) : drawCurves(scene, frame, choice.kind === 'all');
  },
  describe(scene) {
    const { recording, moment, examples } = scene;
    const labels = shownLabels(examples);
    const scores = scoresOf(scene, moment.present!);
    const mean = (each: Loss) => `${each.title} ${numberText(meanLoss(each, scores, labels, recording.tie))}`;
    const means = `Mean losses of the ${scores.length.toLocaleString('en')} drawn examples: ${lossesFor(recording).map(mean).join(', ')}.`;
    const choice = chosen(scene);
    if (choice.kind === 'slice') {
      const slice = sliceOf(scene)!;
      const change = lossesFor(recording).map(
        ({ id, title }) => `${title} from ${numberText(slice.before.get(id)!)} to ${numberText(slice.after.get(id)!)}`,
      );
      return `The update at step ${slice.step} changed the mean losses: ${change.join(', ')}.`;
    }
    if (choice.kind === 'surface') {
      const [u, v] = weightPlane(scene).titles;
      return `Contours of the mean ${choice.loss.title} loss over the ${u} and the ${v}, with all other weights as they are now, and the path of the weights. ${means}`;
    }
    const own = ownLoss(recording);
    const margins = shownMargins(scene);
    return [
      means,
      own === null ? '' : `This rule descends the ${own} loss.`,
      margins === null
        ? ''
        : `The example shown has the margin ${numberText(margins.after)}${moment.updated ? `, ${numberText(margins.before)} before its update` : ''}.`,
    ]
      .filter(Boolean)
      .join(' ');
  },
};
