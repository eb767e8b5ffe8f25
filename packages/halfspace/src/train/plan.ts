import type { Strategy } from '../model/multiclass/model.ts';
import type { RuleOptions } from '../rules/registry.ts';
import type { PerceptronVariant, PresetName } from './presets.ts';

/** Factors of the importance by class: `balanced`, or numbers above 0; classes without a number have factor 1. */
export type ClassWeights = 'balanced' | Readonly<Record<string, number>>;

/** The options of a run, complete and checked. Plain data. */
export interface TrainPlan {
  readonly as: PresetName | null;
  readonly variant: PerceptronVariant;
  /** All options of the rule. */
  readonly ruleOptions: RuleOptions;
  readonly multiclass: Strategy;
  readonly classWeights: ClassWeights | null;
  readonly patience: number | null;
  readonly seed: number;
  readonly holdout: number;
  readonly marginGap: number | null;
}
