import { type Algorithm, defaultAlgorithm } from '../../src/algorithm/algorithm.ts';
import type { Dataset, Point } from '../../src/data/dataset.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { LocalEngine } from '../../src/engine/local-engine.ts';
import { momentAt } from '../../src/engine/recording.ts';
import type { Verdict } from '../../src/engine/verdict.ts';
import type { Look, Scene } from '../../src/views/view.ts';

export const look: Look = {
  plane: { kind: 'features', horizontal: 0, vertical: 1 },
  window: null,
  turn: { yaw: 35, pitch: 25 },
  choices: {},
};

export function pointSet(points: readonly Point[], dimension: 1 | 2 = 2): Dataset {
  return { kind: 'points', name: 'points', dimension, points };
}

export interface SceneOptions {
  readonly algorithm?: Partial<Algorithm>;
  /** Default: the end. */
  readonly step?: number;
  /** Default: what the engine finds. */
  readonly verdict?: Verdict | null;
}

/** A run of the engine as views are given it. */
export async function sceneOf(dataset: Dataset, options: SceneOptions = {}): Promise<Scene> {
  const engine = new LocalEngine();
  const algorithm = { ...defaultAlgorithm, ...options.algorithm };
  const examples = await engine.open(dataset);
  const recording = await engine.run(algorithm, () => {});
  const verdict = options.verdict === undefined ? await (engine as Engine).verdict(() => {}) : options.verdict;
  return {
    dataset,
    algorithm,
    examples,
    recording,
    moment: momentAt(recording, options.step ?? recording.steps),
    verdict,
    curve: null,
    surface: null,
    selected: null,
    look,
  };
}

export function at(scene: Scene, step: number): Scene {
  return { ...scene, moment: momentAt(scene.recording, step) };
}

export function choosing(scene: Scene, view: string, choice: string): Scene {
  return { ...scene, look: { ...scene.look, choices: { ...scene.look.choices, [view]: choice } } };
}
