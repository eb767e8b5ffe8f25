import type { TreeModel } from 'halfspace';
import type { Algorithm } from '../algorithm/algorithm.ts';
import type { Engine } from '../engine/engine.ts';
import type { LearningPoint, Recording } from '../engine/recording.ts';
import { isSuperseded } from '../engine/superseded.ts';
import { LatestJob } from './latest-job.ts';

/** Results that are computed only while a view shows them. */
type Extra = 'curve' | 'tree';

/** The part of the lab that extras read and write. */
export interface ExtrasState {
  readonly algorithm: Algorithm;
  readonly recording: Recording | null;
  readonly isRunning: boolean;
  /** Null: not known yet. */
  curve: readonly LearningPoint[] | null;
  /** Undefined: not known yet; null: none can be grown. */
  tree: TreeModel | null | undefined;
}

/** Computes what the shown views need besides the run: one result at a time, and none during a run. */
export class Extras {
  readonly #wishes = new Set<{ readonly what: Extra }>();
  readonly #engine: Engine;
  readonly #lab: ExtrasState;
  readonly #job = new LatestJob(() => this.#compute());

  constructor(engine: Engine, lab: ExtrasState) {
    this.#engine = engine;
    this.#lab = lab;
  }

  /** Computes a result now and after every run, until the returned function is called. */
  want(what: Extra): () => void {
    const wish = { what };
    this.#wishes.add(wish);
    this.refresh();
    return () => this.#wishes.delete(wish);
  }

  /** Computes the results that are wanted and not known. Call it after every run. */
  refresh(): void {
    void this.#job.request();
  }

  /** Catches all errors: a failed result does not affect the run; its view shows that it is missing. */
  async #compute(): Promise<void> {
    const [lab, engine] = [this.#lab, this.#engine];
    const { recording, algorithm } = lab;
    const isNeeded = (what: Extra) =>
      recording !== null &&
      !lab.isRunning &&
      lab.recording === recording &&
      [...this.#wishes].some((wish) => wish.what === what);
    if (isNeeded('curve') && lab.curve === null) {
      const curve = await engine.curve(algorithm).catch((error) => (isSuperseded(error) ? null : []));
      if (lab.recording === recording) lab.curve = curve;
    }
    if (isNeeded('tree') && lab.tree === undefined && recording?.model.kind !== 'tree') {
      const tree = await engine.tree(algorithm).catch((error) => (isSuperseded(error) ? undefined : null));
      if (lab.recording === recording) lab.tree = tree;
    }
  }
}
