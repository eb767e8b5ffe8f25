import { numberText } from '../../picture/numbers.ts';
import type { View } from '../view.ts';
import { drawLineLift, separatingPoint } from './line.ts';
import { drawSpaceLift } from './space.ts';

/** Shows the bias as the weight of one more feature, the constant: a line off the origin becomes a plane through it. */
export const lift: View = {
  id: 'lift',
  title: 'Lift',
  question: 'What does the bias do?',
  missing({ moment, recording, examples }) {
    if (moment.present === null)
      return recording.model.kind === 'tree'
        ? 'A tree has no bias: it asks about one column at a time. Choose a rule that learns a line, such as perceptron.'
        : 'This rule keeps examples in the place of weights and a bias. Choose a rule that learns a line, such as perceptron.';
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
  handle({ examples, look }) {
    if (examples.dimension === 1) return null;
    const { yaw, pitch } = look.turn;
    return {
      label: 'Turn the space',
      value: Math.round(yaw),
      least: -180,
      most: 180,
      text: `turned by ${Math.round(yaw)}°, seen from ${Math.round(pitch)}° above`,
      move: (before, dx, dy) => ({
        ...before,
        turn: {
          yaw: around(before.turn.yaw + dx * degreesPerPixel),
          pitch: Math.max(0, Math.min(90, before.turn.pitch + dy * degreesPerPixel)),
        },
      }),
    };
  },
};

const degreesPerPixel = 0.5;

/** Returns an angle in (−180, 180]. */
function around(degrees: number): number {
  return degrees - 360 * Math.ceil((degrees - 180) / 360);
}
