import type { LearnerState } from '../rules/learner.ts';
import type { OneVersusRestState } from '../rules/one-versus-rest.ts';
import { definitionOf } from '../rules/registry.ts';
import type { EarlyStopping } from './early-stopping.ts';
import type { RunObserver, RunState } from './observer.ts';
import type { RunExamples } from './run-examples.ts';
import type { TrainState } from './train-state.ts';

/** Keeps the state after the last pass, or with early stopping after the best pass. */
export class StateKeeper implements RunObserver {
  readonly #examples: RunExamples;
  readonly #early: EarlyStopping | null;
  #kept: Pick<TrainState, 'learner' | 'random' | 'passes'> | null = null;

  /** @param early observes the run before this one. */
  constructor(examples: RunExamples, early: EarlyStopping | null) {
    this.#examples = examples;
    this.#early = early;
  }

  endPass(run: RunState): undefined {
    if (this.#early?.best === run.pass) this.#keep(run, run.pass);
  }

  lastPass(run: RunState): void {
    if (this.#early === null) this.#keep(run, run.pass - 1);
  }

  /** Returns the state, once the run has ended. */
  state(): TrainState {
    const { plan, source, biasConstant, divisor, classes, intake } = this.#examples;
    const { variant, ruleOptions, multiclass, seed } = plan;
    const { rule, bias, tie, scaling } = variant;
    return {
      ...{ rule, options: ruleOptions, multiclass: intake.many ? multiclass : null },
      ...{ bias, biasConstant, tie, scaling, divisor, classes, features: source.encoding(), seed },
      ...this.#kept!,
    };
  }

  #keep({ learner }: RunState, passes: number): void {
    this.#kept = {
      learner: forOtherExamples(learner.state()),
      random: this.#examples.randomState,
      passes: this.#examples.passesBefore + passes,
    };
  }
}

function forOtherExamples(state: LearnerState): LearnerState {
  if ('machines' in state) {
    const parts = state as OneVersusRestState;
    const whole: OneVersusRestState = { ...parts, machines: parts.machines.map(forOtherExamples) };
    return whole;
  }
  return definitionOf(state.rule).forOtherExamples?.(state) ?? state;
}
