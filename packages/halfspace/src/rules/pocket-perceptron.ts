/**
 * The pocket algorithm: learns like the perceptron, and answers with the best of all weights so far.
 *
 * Objective: the fewest errors on the training examples, also where no hyperplane is without.
 * Update: that of perceptron.ts. run_π is how many examples in a row the present weights π got right. At an example that π gets right, when
 * run_π > run_W: π is judged on all training examples (the ratchet), and if it gets more of them right than the pocket W does, then W ← π and
 * run_W ← run_π. run_W stays as it was at the replacement, also while π = W gets further examples right.
 * Symbols: importance counts in what is right on all; a run counts examples, those of importance 0 left out.
 * Source: Gallant 1990, Perceptron-based learning algorithms (IEEE Transactions on Neural Networks 1), figure 3.
 * We differ: Gallant draws examples at random, here the caller orders them. Gallant's weights at the start have 0 examples right; here they are
 * judged too, so that the answer is never worse than they are. π is right on one of all examples when it gives its class, so a score of 0 is
 * right for the class `tie`; for Gallant it never is. π that was judged and not kept is not judged again before it changes, because that could
 * change nothing. Gallant stops when W gets all examples right; here the run ends as it does for the perceptron. Without `examples` there is no
 * ratchet (his figure 2): the weights with the longest run are kept, so run_W grows while π = W gets further examples right.
 */
import { checkBatch, checkScored, type StoredBatch } from '../batch.ts';
import { finite, type Members, members, number, whole } from '../json.ts';
import type { Block } from '../kernels/block.ts';
import { classOf, type Kernels } from '../kernels/kernels.ts';
import * as layout from '../kernels/layout.ts';
import type { LearnerLimits, LearnerState, LinearLearnerState, LinearParameters } from './learner.ts';
import { checkDoubles, checkLinearState } from './learner-state.ts';
import { MistakeDriven, type MistakeDrivenOptions, updateOptions } from './mistake-driven.ts';
import type { RuleDefinition } from './rule-definition.ts';
import { checkLearnerOptions } from './rule-options.ts';

export interface PocketPerceptronOptions extends MistakeDrivenOptions {
  /**
   * All training examples, for the ratchet; labels −1 or +1. Called in the middle of {@link PocketPerceptron.learn}, so what it does must leave the batch that is
   * being learned from valid.
   */
  readonly examples?: (() => Iterable<StoredBatch>) | undefined;
}

/** The relation of the present weights to the pocket: not compared since they changed; compared and not kept; kept in it. */
const standing = { open: 0, refused: 1, kept: 2 } as const;

export class PocketPerceptron extends MistakeDriven {
  readonly rule = 'pocket';
  readonly #examples: (() => Iterable<StoredBatch>) | null;
  readonly #pocket: Block<Float64Array>;
  #scores = new Float64Array(0);
  #pocketBias = 0;
  /** run_W: with the ratchet the run of the weights in the pocket when they were put there, without it their longest run. */
  #pocketRun = 0;
  /** Importance of the training examples that the pocket gets right; −1: not judged yet. */
  #pocketRight = -1;
  /** The run of the present weights. */
  #run = 0;
  #standing: number = standing.kept;

  /**
   * @param state where to go on from; given, the options are those of the state, but for `examples`.
   * @throws HalfspaceError `option-invalid`.
   */
  constructor(kernels: Kernels, options: PocketPerceptronOptions = {}, state?: LearnerState) {
    checkLearnerOptions('pocket', updateOptions, options);
    super(kernels, options, false);
    this.#examples = options.examples ?? null;
    this.#pocket = kernels.float64(0);
    if (state === undefined) return;
    const { scalars, vectors } = state as LinearLearnerState;
    this.restore({ ...(state as LinearLearnerState), scalars: scalars.subarray(0, layout.stateSize) });
    this.#pocket.array.set(vectors!.pocket!);
    const [bias, pocketRun, right, run, stands] = scalars.subarray(layout.stateSize);
    this.#pocketBias = bias!;
    this.#pocketRun = pocketRun!;
    this.#pocketRight = right!;
    this.#run = run!;
    this.#standing = stands!;
  }

  override learn(batch: StoredBatch, from = 0, to = batch?.rows): number {
    checkBatch(batch, from, to);
    if (this.stopped) return 0;
    this.reserve(batch.dimension);
    let at = from;
    while (at < to) {
      const { cleanStreak, updates } = this.progress;
      // Where the weights are compared already, or where examples of importance 0 make the clean streak longer than the
      // run, the next change of the weights is waited for; otherwise the first run longer than the pocket's.
      const open = this.#standing === standing.open;
      const missing = open ? this.#pocketRun + 1 - this.#run : Infinity;
      const pauses = {
        cleanStreak: cleanStreak + missing,
        updates: open && cleanStreak === this.#run ? Infinity : updates + 1,
      };
      const shown = this.#learnUntil(batch, at, to, pauses);
      if (shown === 0) break;
      this.#countRun(batch, at, at + shown, updates);
      at += shown;
    }
    return at - from;
  }

  /** Scores by the weights in the pocket. */
  override scoreInto(batch: StoredBatch, out: Float64Array): void {
    checkScored(batch, out, this.outputs);
    this.scoreBy(this.#pocket, this.#pocketBias, batch, out);
  }

  /** Returns a copy of the weights in the pocket. */
  override parameters(): LinearParameters {
    return { weights: this.#pocket.array.slice(0, this.dimension), bias: this.#pocketBias };
  }

  /** The starting weights are the first in the pocket. */
  override start(weights: Float64Array, bias: number): void {
    super.start(weights, bias);
    this.#keep();
  }

  override state(): LinearLearnerState {
    const { scalars, ...rest } = super.state();
    const own = [this.#pocketBias, this.#pocketRun, this.#pocketRight, this.#run, this.#standing];
    return {
      ...rest,
      scalars: Float64Array.of(...scalars, ...own),
      vectors: { pocket: this.#pocket.array.slice(0, this.dimension) },
    };
  }

  override free(): void {
    this.#pocket.free();
    super.free();
  }

  protected override resize(dimension: number): void {
    super.resize(dimension);
    this.#pocket.resize(dimension);
  }

  /** As `learn` of the perceptron, with pauses sooner than its limits, which stay what they are. */
  #learnUntil(batch: StoredBatch, from: number, to: number, pauses: LearnerLimits): number {
    const [cleanStreak, updates] = [
      this.scalars.array[layout.cleanStreakLimit]!,
      this.scalars.array[layout.updateLimit]!,
    ];
    this.limit({
      cleanStreak: Math.min(cleanStreak, pauses.cleanStreak!),
      updates: Math.min(updates, pauses.updates!),
    });
    const shown = super.learn(batch, from, to);
    this.limit({ cleanStreak, updates });
    return shown;
  }

  /** Takes examples [from, to), just learned from, into the run, and compares the weights where it has become the longest. */
  #countRun(batch: StoredBatch, from: number, to: number, updatesBefore: number): void {
    const { cleanStreak, updates } = this.progress;
    const changed = updates > updatesBefore;
    if (changed) this.#run = 0;
    const { importance } = batch;
    const first = changed ? to - cleanStreak : from;
    // Until the example that changed them, weights in the pocket went on with their run.
    if (changed && this.#grows) this.#pocketRun += counted(importance, from, to - 1 - cleanStreak);
    if (changed) this.#standing = standing.open;
    this.#run += counted(importance, first, to);
    if (this.#grows) this.#pocketRun = this.#run;
    else if (this.#standing === standing.open && this.#run > this.#pocketRun) this.#compare();
  }

  /** Whether the run of the weights in the pocket continues. */
  get #grows(): boolean {
    return this.#examples === null && this.#standing === standing.kept;
  }

  #compare(): void {
    if (this.#examples !== null) {
      if (this.#pocketRight < 0) this.#pocketRight = this.#rightOf(this.#pocket, this.#pocketBias);
      const right = this.#rightOf(this.weights, this.scalars.array[layout.bias]!);
      this.#standing = standing.refused;
      if (!(right > this.#pocketRight)) return;
      this.#pocketRight = right;
    }
    this.#keep();
  }

  #keep(): void {
    this.#pocket.array.set(this.weights.array);
    this.#pocketBias = this.scalars.array[layout.bias]!;
    this.#pocketRun = this.#run;
    this.#standing = standing.kept;
  }

  /** Returns the importance of the training examples that some weights classify correctly. */
  #rightOf(weights: Block<Float64Array>, bias: number): number {
    const state = this.scalars.array;
    const [c, tie] = [state[layout.biasConstant]!, state[layout.tie]!];
    let right = 0;
    for (const batch of this.#examples!()) {
      this.reserve(batch.dimension);
      if (this.#scores.length < batch.rows) this.#scores = new Float64Array(batch.rows);
      this.kernels.scoreInto(batch, weights, bias, c, this.#scores);
      const { labels, importance } = batch;
      for (let i = 0; i < batch.rows; i++)
        if (classOf(this.#scores[i]!, tie) === labels[i]) right += importance === null ? 1 : importance[i]!;
    }
    return right;
  }
}

/** Returns the number of examples in [from, to) with an importance above 0. */
function counted(importance: Float64Array | null, from: number, to: number): number {
  if (importance === null) return to - from;
  let count = 0;
  for (let i = from; i < to; i++) if (importance[i]! > 0) count++;
  return count;
}

function checkPocketState(state: Members): void {
  const length = checkLinearState(state, false, layout.stateSize + 5);
  checkDoubles(members(state.vectors, 'vectors').pocket, 'pocket', length);
  const [bias, pocketRun, right, run, standing] = (state.scalars as Float64Array).subarray(layout.stateSize);
  finite(bias, 'pocket bias');
  whole(pocketRun, 'pocket run');
  number(right, 'pocket right', -1);
  whole(run, 'run');
  whole(standing, 'standing', 0, 2);
}

export const pocket = {
  summary: 'the best weights that the perceptron has had',
  options: updateOptions,
  needsAllExamples: true,
  create: (kernels, options, state) => new PocketPerceptron(kernels, options, state),
  checkState: checkPocketState,
} as const satisfies RuleDefinition;
