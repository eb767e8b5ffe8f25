import type { RuleName, RuleOptions, RuleWithOptions } from 'halfspace';
import { completeRuleOptions } from 'halfspace/rules';
import { number } from './format.ts';

interface NamedCandidate {
  readonly rule: RuleWithOptions;
  readonly multiclass: string;
  /** Absent: `straight`. */
  readonly shape?: 'straight' | 'bent' | 'crossed' | 'letters';
}

/** Options that are shown even with their default: the loss says which well-known method `sgd` is. */
const alwaysShown = new Set(['loss']);

/** Returns a rule with the options that differ from their defaults: `sgd, loss hinge, alpha 0.001`. */
export function candidateName({
  rule: { name: rule, ...given },
  multiclass,
  shape = 'straight',
}: NamedCandidate): string {
  const options = given as RuleOptions;
  const shown = Object.entries(options).flatMap(([name, value]) => {
    if (!alwaysShown.has(name) && usual(rule, options, name) === value) return [];
    return [value === true ? name : `${name} ${typeof value === 'number' ? number(value) : value}`];
  });
  return [
    rule,
    ...shown,
    ...(multiclass === 'kesler' ? ['kesler'] : []),
    ...(shape === 'straight' ? [] : [shape]),
  ].join(', ');
}

/** Returns a candidate with the name and the options of its rule side by side, as `--json` prints it. */
export function flatCandidate<C extends NamedCandidate>({ rule: { name, ...options }, ...rest }: C): object {
  return { rule: name, options, ...rest };
}

/** Returns the default of an option, given the other options; undefined if these are not valid without it. */
function usual(rule: RuleName, options: RuleOptions, name: string): unknown {
  const { [name]: _, ...others } = options;
  try {
    return completeRuleOptions(rule, others)[name];
  } catch {
    return undefined;
  }
}
