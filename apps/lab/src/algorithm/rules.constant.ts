import { type OptionSpecs, type RuleName, rules } from 'halfspace';

export interface RuleSpec {
  /** One line for a person. */
  readonly summary: string;
  readonly options: OptionSpecs;
}

const specOf = ({ summary, options }: RuleSpec): RuleSpec => ({ summary, options });

/** What the library's registry says of each rule, and what may be chosen of it. The rules themselves stay in the worker. */
export const ruleSpecs: Readonly<Record<RuleName, RuleSpec>> = {
  perceptron: specOf(rules.perceptron),
  averaged: specOf(rules.averaged),
  pocket: specOf(rules.pocket),
  voted: specOf(rules.voted),
  margin: specOf(rules.margin),
  'passive-aggressive': specOf(rules['passive-aggressive']),
  sgd: specOf(rules.sgd),
  arow: specOf(rules.arow),
  kernel: specOf(rules.kernel),
  tree: specOf(rules.tree),
};
