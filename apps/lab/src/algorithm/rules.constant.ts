import type { RuleName } from 'halfspace';
import { hasHyperplanes, hasPasses, type RuleDefinition, rules } from 'halfspace/rules';

type OptionSpecs = RuleDefinition['options'];

/** The parts of a rule's definition that are data. */
interface RuleSpec {
  /** One line for the user. */
  readonly summary: string;
  readonly options: OptionSpecs;
  /** True if the rule learns example by example, in passes. */
  readonly hasPasses: boolean;
  /** True if the rule looks for hyperplanes: all but the tree. */
  readonly hasHyperplanes: boolean;
}

/** The rules as data, computed at build time: the rules themselves stay in the worker. */
export const ruleSpecs = Object.fromEntries(
  Object.entries<RuleDefinition>(rules).map(([name, { summary, options }]) => [
    name,
    { summary, options, hasPasses: hasPasses(name as RuleName), hasHyperplanes: hasHyperplanes(name as RuleName) },
  ]),
) as Readonly<Record<RuleName, RuleSpec>>;
