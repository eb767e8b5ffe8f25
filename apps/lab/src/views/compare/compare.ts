import { createKernels, type DenseBatch } from 'halfspace/rules';
import type { Algorithm } from '../../algorithm/algorithm.ts';
import { catalogue, choiceById, choiceOf, choose } from '../../algorithm/catalogue.ts';
import { ruleSpecs } from '../../algorithm/rules.constant.ts';
import { companionKey, type Rival } from '../../engine/companion.ts';
import type { Examples } from '../../engine/examples.ts';
import { classOf, momentAt, type Recording } from '../../engine/recording.ts';
import { scorerAt } from '../../engine/scorer.ts';
import { textMark } from '../../picture/marks.ts';
import type { Frame, Picture } from '../../picture/picture.ts';
import { cacheOf } from '../cache.ts';
import { groundOf, plane } from '../plane/plane.ts';
import type { Scene, View } from '../view.ts';
import { curvedSurface } from './curved.ts';
import { progressText, type Runner, railMarks, railsHeight } from './rails.ts';

/** Changes of the shown algorithm itself: another order, another seed. */
const changes: readonly {
  readonly id: string;
  readonly title: string;
  readonly short: string;
  readonly change: Partial<Algorithm>;
}[] = [
  {
    id: 'shuffled-once',
    title: 'The same, shuffled once',
    short: 'shuffled once',
    change: { order: 'shuffled-once' },
  },
  {
    id: 'shuffled',
    title: 'The same, shuffled every pass',
    short: 'shuffled every pass',
    change: { order: 'shuffled' },
  },
  { id: 'random', title: 'The same, drawn at random', short: 'drawn at random', change: { order: 'random' } },
  { id: 'cyclic', title: 'The same, in turn', short: 'in turn', change: { order: 'cyclic' } },
];

/** The rivals that can be chosen, the default first. */
const rivals: readonly { readonly id: string; readonly title: string }[] = [
  ...changes.map(({ id, title }) => ({ id, title })),
  ...catalogue.flatMap(({ choices }) => choices.map(({ id, title }) => ({ id, title }))),
];

const idOf = ({ look }: Pick<Scene, 'look'>): string => {
  const chosen = look.choices.compare;
  return rivals.some(({ id }) => id === chosen) ? chosen! : rivals[0]!.id;
};

/** Returns the rival's algorithm. Seed, held-out share and passes are those of the shown run. */
export function rivalOf(scene: Pick<Scene, 'look' | 'algorithm'>): Algorithm {
  const { algorithm } = scene;
  const id = idOf(scene);
  const changed = changes.find((each) => each.id === id);
  if (changed === undefined) return choose(choiceById(id), algorithm);
  return ruleSpecs[algorithm.rule].hasPasses ? { ...algorithm, ...changed.change } : algorithm;
}

/** Returns the names of the two runs: `Perceptron`, `Perceptron, shuffled once`. */
function namesOf(scene: Pick<Scene, 'look' | 'algorithm'>): readonly [shown: string, rival: string] {
  const { title } = choiceOf(scene.algorithm);
  const id = idOf(scene);
  const change = changes.find((each) => each.id === id);
  return [title, change === undefined ? choiceById(id).title : `${title}, ${change.short}`];
}

/** Returns the rival's run. Null: it failed; undefined: not known yet. */
function rivalRun(scene: Scene): Rival | null | undefined {
  return scene.companions?.[companionKey({ kind: 'rival', algorithm: rivalOf(scene) })] as Rival | null | undefined;
}

const stepOf = ({ step, moment }: Scene): number => step ?? moment.step;

/** Returns the scene that the plane would have if the rival were the shown run. */
function rivalScene(scene: Scene, { recording, examples }: Rival): Scene {
  const moment = momentAt(recording, stepOf(scene));
  return { ...scene, algorithm: rivalOf(scene), recording, examples, moment, surface: null, motion: null };
}

/** Returns the two runs in words and numbers at the present step. */
function runnersOf(scene: Scene, rival: Rival): readonly [shown: Runner, rival: Runner] {
  const names = namesOf(scene);
  const step = stepOf(scene);
  return [
    { name: names[0], recording: scene.recording, wrong: wrongAt(scene.recording, scene.examples, step) },
    { name: names[1], recording: rival.recording, wrong: wrongAt(rival.recording, rival.examples, step) },
  ];
}

/** Shows another algorithm, or another order, on the same data: the plane of its run at the step of the timeline. */
export const compare: View = {
  id: 'compare',
  title: 'Compare',
  question: 'What if I reorder?',
  choices: rivals,
  missing: (scene) =>
    rivalRun(scene) === null ? 'This algorithm cannot learn these data. Choose another one to compare.' : null,
  companion: (scene) => ({ kind: 'rival', algorithm: rivalOf(scene) }),
  draw(scene, frame) {
    const rival = rivalRun(scene) ?? null;
    return rival === null ? waiting(frame) : drawBoth(scene, rival, frame);
  },
  describe(scene) {
    const rival = rivalRun(scene) ?? null;
    if (rival === null) return 'The other run is being computed.';
    const step = stepOf(scene);
    const texts = runnersOf(scene, rival).map((runner) => progressText(runner, step));
    return `Two runs after ${step.toLocaleString('en')} examples. ${texts.join('. ')}. The picture is the plane of the second run.`;
  },
};

function waiting({ width, height, text }: Frame): Picture {
  const words = textMark([width / 2, height / 2], 'the other run is being computed …', text, {
    anchor: 'middle',
    fill: 'muted',
  });
  return { width, height, marks: [words] };
}

/** The frame of the plane above the rails; one object for each frame, because the plane keeps its ground by it. */
const upper = new WeakMap<Frame, Frame>();

function drawBoth(scene: Scene, rival: Rival, frame: Frame): Picture {
  const { width, height, text } = frame;
  const above = upper.get(frame) ?? { width, height: height - railsHeight(text), text };
  upper.set(frame, above);
  const other = rivalScene(scene, rival);
  const ground = groundOf(other, above)!;
  const surface = curvedSurface(other, ground);
  const picture = plane.draw({ ...other, surface }, above);
  const last = Math.max(scene.recording.steps, rival.recording.steps);
  const rails = railMarks(runnersOf(scene, rival), { step: stepOf(scene), last }, frame);
  return { width, height, marks: [...picture.marks, ...rails] };
}

const cached = cacheOf<Recording, number | null>(64);

/** Counts the drawn examples on their wrong side at a step of a run; null: there is no model yet. */
const wrongAt = (recording: Recording, examples: Examples, step: number): number | null =>
  cached(recording, () => countWrong(recording, examples, step), String(step));

function countWrong(recording: Recording, examples: Examples, step: number): number | null {
  const scorer = scorerAt(recording, step, createKernels());
  if (scorer === null) return null;
  const { shown, vectors, dimension, labels } = examples;
  const truth = Float64Array.from(shown, (row) => labels[row]!);
  const batch: DenseBatch = {
    kind: 'dense',
    rows: shown.length,
    dimension,
    values: vectors,
    labels: truth,
    importance: null,
  };
  const scores = new Float64Array(shown.length);
  try {
    scorer.scoreInto(batch, scores);
  } finally {
    scorer.free();
  }
  return scores.reduce((wrong, score, k) => wrong + (classOf(score, recording.tie) === truth[k] ? 0 : 1), 0);
}
