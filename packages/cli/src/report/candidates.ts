import { completeRuleOptions, type RuleName, type RuleOptions } from 'halfspace';
import { number } from './format.ts';

/** Told even where it is the usual one: it says what a rule is better known as. */
const alwaysTold = new Set(['loss']);

/** A rule and those of its options that would be others if they were left out: `sgd, loss hinge, alpha 0.001`. */
export function candidateName(candidate: {
  readonly rule: RuleName;
  readonly options: RuleOptions;
  readonly multiclass: string;
}): string {
  const { rule, options, multiclass } = candidate;
  const told = Object.entries(options).flatMap(([name, value]) => {
    if (!alwaysTold.has(name) && usual(rule, options, name) === value) return [];
    return [value === true ? name : `${name} ${typeof value === 'number' ? number(value) : value}`];
  });
  return [rule, ...told, ...(multiclass === 'kesler' ? ['kesler'] : [])].join(', ');
}

/** What an option is where it is left out and the others are as they are; undefined where these others do not go without it. */
function usual(rule: RuleName, options: RuleOptions, name: string): unknown {
  const { [name]: _, ...others } = options;
  try {
    return completeRuleOptions(rule, others)[name];
  } catch {
    return undefined;
  }
}
