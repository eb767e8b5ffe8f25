import { numberText } from '../../picture/numbers.ts';
import type { View } from '../view.ts';
import { drawLineLift, separatingPoint } from './line.ts';
import { drawSpaceLift } from './space.ts';
import { turnHandle } from './turn-handle.ts';

/** Shows the bias as the weight of one more feature, the constant: a line off the origin becomes a plane through it. */
export const lift: View = {
  id: 'lift',
  title: 'Lift',
  question: 'What does the bias do?',
  missing({ moment, recording, examples }) {
    if (moment.present === null)
      return recording.model.kind === 'tree'
        ? 'A tree has no bias: it asks about one column at a time. Choose a rule that learns a line, such as perceptron.'
        : 'This rule keeps examples instead of weights and a bias. Choose a rule that learns a line, such as perceptron.';
    if (examples.dimension === 0)
      return 'No column of these data varies, so there is nothing to lift. Add an example at another place.';
    if (recording.biasConstant === 0)
      return 'This rule has no bias, so its line goes through the origin as it is. Choose a rule with a bias, such as perceptron.';
    return null;
  },
  draw: (scene, frame) => (scene.examples.dimension === 1 ? drawLineLift(scene, frame) : drawSpaceLift(scene, frame)),
  describe(scene) {
    const { examples, moment, recording, look } = scene;
    const { weights, bias } = moment.present!;
    const constant = String(recording.biasConstant);
    if (examples.dimension === 1) {
      const point = separatingPoint(scene);
      return `Each example x stands at (x, ${constant}). ${
        point === null
          ? 'The weight is 0, so no point separates the classes.'
          : `The separating point ${numberText(point)} has become a line through the origin, at right angles to (w, b) = (${numberText(weights[0]!)}, ${numberText(bias)}).`
      }`;
    }
    const { yaw, pitch } = look.turn;
    const others = examples.dimension > 2 ? ' All other features are at their means, which count with the bias.' : '';
    return `The examples stand at the height ${constant} of one more feature, the constant. The boundary is where a plane through the origin meets that height; the plane's normal is (w, b), with the bias ${numberText(bias)}.${others} Seen turned by ${Math.round(yaw)}°, from ${Math.round(pitch)}° above.`;
  },
  handle: ({ examples, look }) => (examples.dimension === 1 ? null : turnHandle(look)),
};
