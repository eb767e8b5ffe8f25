import { type RuleDefinition, type RuleName, rules } from 'halfspace';
import { number } from './format.ts';

/** A rule and those of its options that are not the defaults: `sgd, loss hinge, alpha 0.001`. */
export function contestantName(contestant: {
  readonly rule: RuleName;
  readonly options: Readonly<Record<string, number | string | boolean>>;
  readonly multiclass: string;
}): string {
  const { options: specs }: RuleDefinition = rules[contestant.rule];
  const told = Object.entries(contestant.options).flatMap(([name, value]) => {
    const spec = specs[name];
    const usual = spec === undefined || spec.kind === 'flag' ? false : spec.default;
    if (value === usual || usual === null) return [];
    return [`${name} ${typeof value === 'number' ? number(value) : value}`];
  });
  return [contestant.rule, ...told, ...(contestant.multiclass === 'kesler' ? ['kesler'] : [])].join(', ');
}
