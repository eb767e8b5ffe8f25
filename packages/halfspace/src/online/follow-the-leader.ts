/**
 * Follow the leader: several rules learn every row, and the one with the fewest recent mistakes answers.
 *
 * Objective: as few mistakes as the best of the rules at each time, also if the world changes: where nothing changes,
 * rules whose steps shrink are better; after a change, rules that forget.
 * Update, at each row, by the scores of every rule i before it learns:   mᵢ ← λ·mᵢ + [rule i is wrong]; then every rule
 * learns, and the leader, which answers, becomes the first i with the least m.
 * If the mistakes of the first rule become more frequent (ADWIN, drift/adwin.ts), all rules but the last begin again
 * from zero, because their steps have shrunk too far to follow: mᵢ ← max m + 1. The last one leads meanwhile.
 * Symbols: λ = 0.995, so about the latest 200 rows count. A rule is wrong if its score does not have the sign of the
 * class or, of more classes, if the score of the class is not above all others.
 * Source: follow the best expert: Hannan 1957; Cesa-Bianchi & Lugosi 2006, Prediction, Learning, and Games, chapter 3,
 * with the discounted losses of section 2.11. Herbster & Warmuth 1998, Tracking the best expert (Machine Learning 32),
 * has a best expert that changes. ADWIN with a learner that begins again: Bifet & Gavaldà 2007.
 * Differences: the experts learn. Weights over experts would mix them; one leader can be explained and exported. λ is
 * fixed: the best on streams that change of those that lose at most 0.002 where nothing changes. r = 0.3 of arow
 * obeys corrections sooner than 1, and passive-aggressive with its usual bound 1 follows labels that are like the last
 * ones: `ten-streams.mjs` of the benchmarks has the accuracies. A row counts once,
 * whatever its importance above 0: mistakes choose a rule, importance teaches it.
 */
import type { PlainRow } from '../kernels/plain-row.ts';
import type { LinearParameters } from '../rules/learner.ts';
import { completeRuleOptions, followTheLeader } from '../rules/registry.ts';
import { Adwin } from './drift/adwin.ts';
import { restoreDetector } from './drift/detectors.ts';
import { OneVersusRestRows } from './one-versus-rest.ts';
import type { OnlinePlan } from './options.ts';
import type {
  FollowTheLeaderState,
  NamedRule,
  OneVersusRestRowsState,
  RowLearners,
  RowLearnersState,
} from './row-learners.ts';

/** The rules; sgd learns once and answers by the mean of its weights, and by the last. The first one leads at first. */
const comparedRules: readonly NamedRule[] = [
  { rule: 'arow', options: completeRuleOptions('arow', { r: 0.3 }) },
  { rule: 'sgd', options: completeRuleOptions('sgd', { answer: 'mean' }) },
  { rule: 'sgd', options: completeRuleOptions('sgd', { answer: 'last' }) },
  { rule: 'passive-aggressive', options: completeRuleOptions('passive-aggressive', {}) },
];
/** The position of the learner of each rule, and the rule of each learner. */
const learnerOf = [0, 1, 1, 2] as const;
const learningRules = [0, 1, 3].map((m) => comparedRules[m]!);
/** Position of the rule of the last weights. */
const byLast = 2;

const decay = 0.995;

/** See the head of this file. */
export class FollowTheLeader implements RowLearners {
  readonly rules = comparedRules;
  readonly learners = learningRules.length;
  readonly prepared: number[][] = comparedRules.map(() => []);
  leader = 0;
  readonly #open: boolean;
  readonly #learners: OneVersusRestRows[];
  readonly #mistakes: Float64Array;
  readonly #drift: Adwin;
  #classes: number;
  #dimension: number;

  /** @param open, classes as of {@link OneVersusRestRows}. */
  constructor(open: boolean, classes: number, state?: FollowTheLeaderState) {
    const first = state?.learners[0];
    this.#open = open;
    this.#classes = first?.classes ?? classes;
    this.#dimension = (first?.nobody ?? first?.machines[0])?.weights.length ?? 0;
    this.#learners = learningRules.map((_, l) => this.#create(l, state?.learners[l]));
    this.#mistakes = state?.mistakes.slice() ?? new Float64Array(comparedRules.length);
    this.#drift = state === undefined ? new Adwin() : (restoreDetector(state.drift) as Adwin);
    this.#choose();
  }

  get mistakes(): readonly number[] {
    return [...this.#mistakes];
  }

  join(): void {
    this.#classes++;
    for (const learner of this.#learners) learner.join();
  }

  reserve(dimension: number): void {
    this.#dimension = dimension;
    for (const learner of this.#learners) learner.reserve(dimension);
  }

  answerInto(row: PlainRow, out: number[]): number {
    return this.#leading.answerInto(row, out, this.leader === byLast);
  }

  prepare(row: PlainRow, answers: readonly number[]): number {
    let most = 0;
    for (let m = 0; m < comparedRules.length; m++) {
      const own = this.prepared[m]!;
      const learner = this.#learners[learnerOf[m]!]!;
      if (m === byLast) {
        learner.currentInto(own);
        for (let k = 0; k < own.length; k++) most = Math.max(most, Math.abs(own[k]!));
        continue;
      }
      if (m !== this.leader) learner.answerInto(row, own);
      else for (let k = 0; k < answers.length; k++) own[k] = answers[k]!;
      most = Math.max(most, learner.prepare(row, own));
    }
    return most;
  }

  learn(row: PlainRow, k: number, importance: number, prepared: boolean): void {
    if (!prepared) {
      const answers: number[] = [];
      this.answerInto(row, answers);
      this.prepare(row, answers);
    }
    for (const learner of this.#learners) learner.learn(row, k, importance, true);
    if (this.prepared[0]!.length === 0) return;
    const mistakes = this.#mistakes;
    for (let m = 0; m < mistakes.length; m++)
      mistakes[m] = mistakes[m]! * decay + (isRight(this.prepared[m]!, k) ? 0 : 1);
    if (this.#drift.update(isRight(this.prepared[0]!, k) ? 0 : 1)) this.#restart();
    this.#choose();
  }

  get updates(): number {
    return this.#leading.updates;
  }

  parameters(): LinearParameters[] {
    return this.#leading.parameters(this.leader === byLast);
  }

  state(): FollowTheLeaderState {
    return {
      learners: this.#learners.map((learner) => learner.state()),
      mistakes: this.#mistakes.slice(),
      drift: this.#drift.state(),
    };
  }

  get #leading(): OneVersusRestRows {
    return this.#learners[learnerOf[this.leader]!]!;
  }

  #create(l: number, state?: OneVersusRestRowsState): OneVersusRestRows {
    const { rule, options } = learningRules[l]!;
    return new OneVersusRestRows(rule, options, this.#open, this.#classes, state);
  }

  #restart(): void {
    const mistakes = this.#mistakes;
    mistakes.fill(Math.max(...mistakes) + 1, 0, -1);
    for (let l = 0; l < this.#learners.length - 1; l++) {
      this.#learners[l] = this.#create(l);
      this.#learners[l]!.reserve(this.#dimension);
    }
  }

  #choose(): void {
    const mistakes = this.#mistakes;
    this.leader = 0;
    for (let m = 1; m < mistakes.length; m++) if (mistakes[m]! < mistakes[this.leader]!) this.leader = m;
  }
}

/** Tests if scores give class k, without a tie. */
function isRight(scores: readonly number[], k: number): boolean {
  if (scores.length === 1) return k === 1 ? scores[0]! > 0 : scores[0]! < 0;
  for (let c = 0; c < scores.length; c++) if (c !== k && !(scores[c]! < scores[k]!)) return false;
  return true;
}

type PlannedRule = Pick<OnlinePlan, 'rule' | 'ruleOptions'>;

/** Returns the rules that learn by a plan, and the number of answers that are compared. */
export function learningRulesOf({ rule, ruleOptions }: PlannedRule): { rules: readonly NamedRule[]; answers: number } {
  if (rule !== followTheLeader) return { rules: [{ rule, options: ruleOptions }], answers: 1 };
  return { rules: learningRules, answers: comparedRules.length };
}

/** Creates the learners of a plan. @param open, classes as of {@link OneVersusRestRows}. */
export function createRowLearners(
  plan: PlannedRule,
  open: boolean,
  classes: number,
  state?: RowLearnersState,
): RowLearners {
  if (plan.rule === followTheLeader) return new FollowTheLeader(open, classes, state as FollowTheLeaderState);
  const { rule, ruleOptions } = plan;
  return new OneVersusRestRows(rule, ruleOptions, open, classes, state as OneVersusRestRowsState);
}
