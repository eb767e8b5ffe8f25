import type { Members } from '../json.ts';
import type { Kernels } from '../kernels/kernels.ts';
import type { Learner, LearnerState } from './learner.ts';
import type { OptionSpecs, OptionValue } from './rule-options.ts';

/** The weights that score: the last ones, or their mean over time. */
export type AnsweringWeights = 'last' | 'mean';

/** The step of the kernels at an example with the score a, as constants of kernels/layout.ts. */
export interface UpdateStep {
  /** True scores with the mean of the weights over the examples. Default false. */
  readonly averaging?: boolean;
  /** `updateAtMost`, `updateBelow`, or for two classes `updateSignDiffers`. Default `updateAtMost`. */
  readonly condition?: number;
  /** τ of the condition. Default 0. */
  readonly threshold?: number;
  /** Default `stepPerceptron`. */
  readonly stepKind?: number;
  /** C of the step kinds that use it. */
  readonly aggressiveness?: number;
}

/** Properties of an update rule for training, the command and the lab. Each rule's file exports one. */
export interface RuleDefinition {
  /** One line for the help. */
  readonly summary: string;
  /** Options of this rule that other rules may lack. */
  readonly options: OptionSpecs;
  /**
   * Checks options and adds defaults. Absent: {@link completeOptions} does. @throws HalfspaceError `option-invalid`.
   */
  readonly complete?: (given: object) => Record<string, OptionValue>;
  /**
   * Creates a learner. Absent for rules that do not learn example by example: the tree, and those with `minimises`.
   *
   * @param options complete and checked by {@link completeRuleOptions}, and those that all rules share.
   * @param state to continue from; if given, the options are those of the state.
   */
  // biome-ignore lint/suspicious/noExplicitAny: each rule has its own type for options that its specs have checked.
  readonly create?: (kernels: Kernels, options: any, state?: LearnerState) => Learner;
  /** Checks the numbers of a state for {@link create}; present if that is. @throws HalfspaceError `model-invalid`. */
  readonly checkState?: (state: Members) => void;
  /**
   * Returns a state of two classes without what is true of the examples so far only, for a run that continues with
   * others. Absent: the state is all that.
   */
  readonly forOtherExamples?: (state: LearnerState) => LearnerState;
  /** Returns the options of the multiclass update, for rules that have one. @param options as for `create`. */
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  readonly multiclass?: (options: any) => UpdateStep;
  /**
   * The weights that score: the last ones, or their mean over time; or a function of the complete options. Absent if
   * others score.
   */
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  readonly answersBy?: AnsweringWeights | ((options: any) => AnsweringWeights);
  /** The learner of all classes together, for options that ask for it; the strategy of its models is `joint`. */
  readonly joint?: JointDefinition;
  /** True if the learner looks at all examples (its option `examples`), which must be read before its first pass. */
  readonly needsAllExamples?: true;
  /** True if the rule finds the weights of all classes together from all examples at once, without passes. */
  readonly minimises?: true;
  /** True if the rule gives a dual function, which has no vector of weights to start from or to scale to length 1. */
  readonly dual?: true;
  /** True if the weights are sums of steps along single examples, so that a ledger can record and replay updates. */
  readonly recordable?: true;
}

/** A learner of three or more classes together, by another update than {@link RuleDefinition.multiclass}. */
interface JointDefinition {
  /** Returns true if the options of a rule ask for it. */
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  readonly isFor: (options: any) => boolean;
  /** The options that ask for it, for messages. */
  readonly name: string;
  /** Creates the learner for a number of classes; others may appear later. */
  readonly create: (
    kernels: Kernels,
    // biome-ignore lint/suspicious/noExplicitAny: as above.
    options: any,
    classes: number,
    state?: LearnerState,
  ) => Learner;
  /** Checks the numbers of a state for {@link create}. @throws HalfspaceError `model-invalid`. */
  readonly checkState: (state: Members) => void;
}
