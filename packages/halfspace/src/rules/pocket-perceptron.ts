/**
 * The pocket algorithm: learns like the perceptron, and scores with the best weights so far.
 *
 * Objective: the fewest errors on the training examples, also if no hyperplane separates them.
 * Update: that of perceptron.ts. The current weights π are evaluated on all training examples (the ratchet). If π
 * classifies more of them correctly than the pocket W, then W ← π.
 *   Up to 1,000 training examples: π is evaluated after every update, so no weights of the run are better than W.
 *   More: run_π is the number of examples in a row that π classified correctly. At such an example with run_π > run_W,
 *   π is evaluated; if it is kept, run_W ← run_π. run_W does not grow while π = W.
 * Symbols: evaluation on all examples counts by importance; runs count the examples of importance above 0.
 * Source: Gallant 1990, Perceptron-based learning algorithms (IEEE Transactions on Neural Networks 1), figure 3.
 * Differences: the caller orders the examples; Gallant draws them at random, and evaluates at longer runs only. In a
 * fixed order good weights may have no run at all: over exclusive or, each example is wrong when its turn comes. The
 * initial weights are evaluated too, so the result is never worse than they are; Gallant's count as 0 correct. In the
 * evaluation, a score of 0 is correct for the class `tie`; for Gallant it never is. If π was evaluated and not kept, it
 * is not evaluated again before it changes. The run ends as it does for the perceptron; Gallant's ends when W is
 * correct on all examples. Without `examples` there is no ratchet (his figure 2): the weights with the longest run are
 * kept, so run_W grows while π = W.
 */
import { checkBatch, checkScored, type StoredBatch } from '../batch.ts';
import { type Members, members, number, whole } from '../json.ts';
import type { Block } from '../kernels/block.ts';
import { classOf, type Kernels } from '../kernels/kernels.ts';
import * as layout from '../kernels/layout.ts';
import type { SharedOptions } from './kernel-memory-learner.ts';
import type { LearnerLimits, LearnerState, LinearLearnerState, LinearParameters } from './learner.ts';
import { checkDoubles, checkLinearState } from './learner-state.ts';
import { conditions, MistakeDriven, updateOptions } from './mistake-driven.ts';
import type { RuleDefinition } from './rule-definition.ts';
import { checkLearnerOptions, type GivenOptions } from './rule-options.ts';

interface PocketPerceptronOptions extends SharedOptions, GivenOptions<typeof updateOptions> {
  /**
   * Yields all training examples for the ratchet, with labels −1 or +1. It is called in the middle of {@link
   * PocketPerceptron.learn}, so it must leave the batch in use valid.
   */
  readonly examples?: (() => Iterable<StoredBatch>) | undefined;
}

/** Largest number of training examples on which the weights are judged after every update. */
export const mostJudgedAlways = 1000;

/** Result of comparing the current weights with the pocket: not compared since they changed; not kept; kept. */
const standing = { open: 0, refused: 1, kept: 2 } as const;

export class PocketPerceptron extends MistakeDriven {
  readonly #examples: (() => Iterable<StoredBatch>) | null;
  /** True: all weights are judged; false: those with the longest run. Null: the training examples were not counted. */
  #judgesAll: boolean | null;
  readonly #pocket: Block<Float64Array>;
  #scores = new Float64Array(0);
  #pocketBias = 0;
  /** run_W: with the ratchet, the run of the pocket when it was replaced; without it, its longest run. */
  #pocketRun = 0;
  /** Importance of the training examples that the pocket classifies correctly; −1: not evaluated yet. */
  #pocketRight = -1;
  /** run_π, the run of the current weights. */
  #run = 0;
  #standing: number = standing.kept;

  /**
   * @param state to continue from; if given, the options are those of the state, except `examples`.
   * @throws HalfspaceError `option-invalid`.
   */
  constructor(kernels: Kernels, options: PocketPerceptronOptions = {}, state?: LearnerState) {
    checkLearnerOptions('pocket', updateOptions, options);
    super(kernels, 'pocket', options, { condition: conditions[options.updateWhen ?? 'at-most-zero'] });
    this.#examples = options.examples ?? null;
    this.#judgesAll = this.#examples === null ? false : null;
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
    this.#judgesAll ??= this.#countsUpTo(mostJudgedAlways);
    // Weights of a run on other examples are not judged yet.
    if (this.#judgesAll && this.#standing === standing.open) this.#compare();
    let at = from;
    while (at < to) {
      const { cleanStreak, updates } = this.progress;
      // Learns until the run exceeds that of the pocket; or until the next update, if all weights are compared, or
      // these are already, or examples of importance 0 make the clean streak longer than the run.
      const open = this.#standing === standing.open && !this.#judgesAll;
      // The run may exceed it already if the learner continues with other examples.
      const missing = open ? Math.max(1, this.#pocketRun + 1 - this.#run) : Infinity;
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

  /** Scores with the pocket. */
  override scoreInto(batch: StoredBatch, out: Float64Array): void {
    checkScored(batch, out, this.outputs);
    this.scoreBy(this.#pocket, this.#pocketBias, batch, out);
  }

  /** Returns a copy of the pocket. */
  override parameters(): LinearParameters {
    return { weights: this.#pocket.array.slice(0, this.dimension), bias: this.#pocketBias };
  }

  /** Starts from given weights, which are the first pocket. */
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

  /** Learns as the perceptron does, but pauses earlier than its limits, which stay unchanged. */
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

  /** Adds examples [from, to), just learned from, to the run, and compares the weights if it has become the longest. */
  #countRun(batch: StoredBatch, from: number, to: number, updatesBefore: number): void {
    const { cleanStreak, updates } = this.progress;
    const changed = updates > updatesBefore;
    if (changed) this.#run = 0;
    const { importance } = batch;
    const first = changed ? to - cleanStreak : from;
    // Up to the example that changed the weights, the run of the pocket continued.
    if (changed && this.#grows) this.#pocketRun += counted(importance, from, to - 1 - cleanStreak);
    if (changed) this.#standing = standing.open;
    this.#run += counted(importance, first, to);
    if (this.#grows) this.#pocketRun = this.#run;
    else if (this.#standing === standing.open && (this.#judgesAll || this.#run > this.#pocketRun)) this.#compare();
  }

  /** True if the run of the pocket continues. */
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

  /** Tests if there are at most so many training examples. */
  #countsUpTo(most: number): boolean {
    let count = 0;
    for (const { rows } of this.#examples!()) {
      count += rows;
      if (count > most) return false;
    }
    return true;
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

/** Forgets how many examples the pocket got right, and that other weights were worse: it depends on the examples. */
function forOtherExamples(state: LearnerState): LearnerState {
  const scalars = (state as LinearLearnerState).scalars.slice();
  const own = scalars.subarray(layout.stateSize);
  own[2] = -1;
  if (own[4] === standing.refused) own[4] = standing.open;
  return { ...state, scalars } as LinearLearnerState;
}

function checkPocketState(state: Members): void {
  const length = checkLinearState(state, false, layout.stateSize + 5);
  checkDoubles(members(state.vectors, 'vectors').pocket, 'pocket', length);
  const [bias, pocketRun, right, run, standing] = (state.scalars as Float64Array).subarray(layout.stateSize);
  number(bias, 'pocket bias');
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
  forOtherExamples,
} as const satisfies RuleDefinition;
