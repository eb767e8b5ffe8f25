import type { LearnerState } from '../rules/learner.ts';
import type { OneVersusRestState } from '../rules/one-versus-rest.ts';
import { definitionOf } from '../rules/registry.ts';
import type { EarlyStopping } from './early-stopping.ts';
import type { RunObserver, RunState } from './observer.ts';
import type { RunExamples } from './run-examples.ts';
import type { TrainState } from './train-state.ts';

type KeptState = Pick<TrainState, 'learner' | 'random' | 'passes'>;

/** Keeps the state after the last pass, or with early stopping after the best pass. */
export class StateKeeper implements RunObserver {
  readonly #examples: RunExamples;
  readonly #early: EarlyStopping | null;
  #kept: KeptState | null = null;
  /** The state after the last pass, if early stopping may choose it later. */
  #last: KeptState | null = null;

  /** @param early observes the run before this one. */
  constructor(examples: RunExamples, early: EarlyStopping | null) {
    this.#examples = examples;
    this.#early = early;
  }

  endPass(run: RunState): undefined {
    if (this.#early?.best === run.pass) this.#kept = this.#stateOf(run, run.pass);
  }

  lastPass(run: RunState): void {
    if (this.#early === null || run.isClean) this.#last = this.#stateOf(run, run.pass - 1);
  }

  end({ pass }: RunState): void {
    if (this.#early === null || this.#early.best === pass - 1) this.#kept = this.#last ?? this.#kept;
  }

  /** Returns the state, once the run has ended. */
  state(): TrainState {
    const { plan, source, biasConstant, divisor, classes, intake } = this.#examples;
    const { variant, ruleOptions, multiclass, seed } = plan;
    const { rule, bias, tie, scaling } = variant;
    return {
      ...{ rule, options: ruleOptions, multiclass: intake.many ? multiclass : null },
      ...{
        bias,
        biasConstant,
        tie,
        scaling,
        divisor,
        classes,
        labelType: source.labelType,
        features: source.encoding(),
        seed,
      },
      ...this.#kept!,
    };
  }

  #stateOf({ learner }: RunState, passes: number): KeptState {
    return {
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
