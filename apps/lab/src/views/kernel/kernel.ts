import { companionKey, type Lifted, type LiftMap } from '../../engine/companion.ts';
import type { Examples } from '../../engine/examples.ts';
import { liftedFeature, liftNames } from '../../engine/lift-maps.ts';
import { momentAt, scoreOf } from '../../engine/recording.ts';
import { textMark } from '../../picture/marks.ts';
import type { Frame, Picture } from '../../picture/picture.ts';
import { fitText } from '../../picture/text-width.ts';
import { progressText } from '../compare/rails.ts';
import { turnHandle } from '../lift/turn-handle.ts';
import type { Scene, View } from '../view.ts';
import { drawKernelSpace } from './picture.ts';

const mapOf = ({ look }: Scene): LiftMap => (look.choices.kernel === 'circle' ? 'circle' : 'product');

const requestOf = (scene: Scene) => ({ kind: 'lifted', map: mapOf(scene), algorithm: scene.algorithm }) as const;

/** Returns the run in three features. Null: it failed; undefined: not known yet. */
function runOf(scene: Scene): Lifted | null | undefined {
  return scene.companions?.[companionKey(requestOf(scene))] as Lifted | null | undefined;
}

function wrongCount({ vectors, shown, labels }: Examples, { recording }: Lifted, map: LiftMap, step: number): number {
  const { present } = momentAt(recording, step);
  let wrong = 0;
  shown.forEach((row, k) => {
    const [x, y] = [vectors[2 * k]!, vectors[2 * k + 1]!];
    const score = scoreOf(present!, [x, y, liftedFeature(map, x, y)], recording);
    if ((score > 0 || (score === 0 && recording.tie > 0) ? 1 : -1) !== labels[row]) wrong++;
  });
  return wrong;
}

/** Says how the run in three features goes on: `(x1, x2, x1·x2): 3 updates, 0 wrong`. */
function standText(scene: Scene, run: Lifted): string {
  const map = mapOf(scene);
  const step = scene.step ?? scene.moment.step;
  const wrong = wrongCount(scene.examples, run, map, step);
  return progressText({ name: `(x1, x2, ${liftNames[map]})`, recording: run.recording, wrong }, step);
}

/** Shows a third feature that a kernel has in itself: a plane separates in space, a curve in the plane. */
export const kernel: View = {
  id: 'kernel',
  title: 'Kernel lift',
  question: 'What does a kernel do?',
  entrance: { duration: 2400, title: 'Lift again' },
  choices: [
    { id: 'product', title: 'Height x1·x2' },
    { id: 'circle', title: 'Height x1² + x2²' },
  ],
  missing(scene) {
    if (scene.examples.dimension !== 2)
      return 'The lift needs two features: with the third one it fills the space. Open points of a plane, such as XOR.';
    return runOf(scene) === null ? 'The perceptron cannot learn these data. Open other data.' : null;
  },
  offers: () => [
    { title: 'XOR', preset: 'xor', choice: 'product' },
    { title: 'Circles', preset: 'circles', choice: 'circle' },
  ],
  companion: (scene) => (scene.examples.dimension === 2 ? requestOf(scene) : null),
  draw(scene, frame) {
    const run = runOf(scene) ?? null;
    return run === null ? waiting(frame) : drawRun(scene, run, frame);
  },
  describe(scene) {
    const run = runOf(scene) ?? null;
    if (run === null) return 'The run in three features is being computed.';
    const { yaw, pitch } = scene.look.turn;
    return `Each example stands at the height ${liftNames[mapOf(scene)]} over its place. ${standText(scene, run)}. The plane that separates them meets the surface above a curve, which is drawn on the ground. Seen turned by ${Math.round(yaw)}°, from ${Math.round(pitch)}° above.`;
  },
  handle: (scene) => (runOf(scene) == null ? null : turnHandle(scene.look)),
};

function waiting({ width, height, text }: Frame): Picture {
  const style = { anchor: 'middle', fill: 'muted' } as const;
  return { width, height, marks: [textMark([width / 2, height / 2], 'the run is being computed …', text, style)] };
}

function drawRun(scene: Scene, run: Lifted, frame: Frame): Picture {
  const { width, height, text } = frame;
  const moment = momentAt(run.recording, scene.step ?? scene.moment.step);
  // Bold letters are wider than the estimate.
  const words = fitText(standText(scene, run), text * 1.05, width - text * 1.2);
  const marks = drawKernelSpace(scene, { map: mapOf(scene), moment }, frame);
  return {
    width,
    height,
    marks: [...marks, textMark([text * 0.6, text * 0.9], words, text * 0.92, { weight: 'bold', id: 'stand' })],
  };
}
