import type { Strategy } from '../model/multiclass/model.ts';
import type { RuleOptions } from '../rules/registry.ts';
import type { PerceptronVariant, PresetName } from './presets.ts';

/** Factors of the importance of each class's examples: `balanced`, or numbers above 0 by class, 1 for the others. */
export type ClassWeights = 'balanced' | Readonly<Record<string, number>>;

/** The options of a run, complete and checked: plain data. */
export interface TrainPlan {
  readonly as: PresetName | null;
  readonly variant: PerceptronVariant;
  /** The rule's own options, complete. */
  readonly ruleOptions: RuleOptions;
  readonly multiclass: Strategy;
  readonly classWeights: ClassWeights | null;
  readonly patience: number | null;
  readonly seed: number;
  readonly holdout: number;
  readonly marginGap: number | null;
}
