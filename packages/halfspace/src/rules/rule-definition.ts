import type { Members } from '../json.ts';
import type { Kernels } from '../kernels/kernels.ts';
import type { Learner, LearnerState } from './learner.ts';
import type { MulticlassPerceptronOptions } from './multiclass-perceptron.ts';
import type { OptionSpecs, OptionValue } from './rule-options.ts';

/** Everything that training, the command and the lab need to know of an update rule. Each rule's file exports one. */
export interface RuleDefinition {
  /** One line for a person. */
  readonly summary: string;
  /** The options that this rule has and others may lack. */
  readonly options: OptionSpecs;
  /** Completes and checks options, where {@link completeOptions} by each option's range is not enough. @throws HalfspaceError `option-invalid`. */
  readonly complete?: (given: object) => Record<string, OptionValue>;
  /**
   * Creates a learner. Absent for a rule that does not learn example by example, in passes: the tree.
   *
   * @param options complete and checked: {@link completeRuleOptions}, and those that all rules share.
   * @param state where to go on from; given, the options are those of the state.
   */
  // biome-ignore lint/suspicious/noExplicitAny: each rule has its own type for options that its specs have checked.
  readonly create?: (kernels: Kernels, options: any, state?: LearnerState) => Learner;
  /** Checks the numbers of a state that {@link create} goes on from; present with it. @throws HalfspaceError `model-invalid`. */
  readonly checkState?: (state: Members) => void;
  /** Returns the options of the multiclass update, for rules that have one. @param options as for `create`. */
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  readonly multiclass?: (options: any) => MulticlassPerceptronOptions;
  /**
   * The weights that the learner answers with: the last ones, which depend on the order of the last examples, or their mean over time.
   * Absent where it answers with others, or where an option decides.
   */
  readonly answersBy?: 'last' | 'mean';
  /** Whether the learner looks at all examples (its option `examples`), which must be read before its first pass. */
  readonly needsAllExamples?: true;
  /** Whether the learner answers by a dual function, which has no vector of weights that could start elsewhere or be brought to length 1. */
  readonly dual?: true;
  /** Whether the weights are sums of steps along single examples, so that a ledger can record and replay the updates. */
  readonly recordable?: true;
}
