import { HalfspaceError, quote } from '../errors.ts';
import { checkOptionNames } from '../features/option-names.ts';
import { definitionOf, type RuleName, type RuleOptions, type rules } from './registry.ts';
import type { GivenOptions } from './rule-options.ts';

/** The rule of this name, with its options. Absent ones have their defaults. */
export type RuleNamed<R extends RuleName> = {
  [N in R]: { readonly name: N } & GivenOptions<(typeof rules)[N]['options']>;
}[R];

/** A rule with its options: `{ name: 'passive-aggressive', aggressiveness: 0.1 }`. Absent ones have their defaults. */
export type RuleWithOptions = RuleNamed<RuleName>;

/** An update rule: its name, for the default options; or its name and options. */
export type Rule = RuleName | RuleWithOptions;

/** The rule of this name, with its options, each a value or a list of values to try. */
export type RuleToTryNamed<R extends RuleName> = {
  [N in R]: { readonly name: N } & ListsOf<GivenOptions<(typeof rules)[N]['options']>>;
}[R];

/** A rule to try: its name, or its name and options, each of them a value or a list of values. */
export type RuleToTry = RuleName | RuleToTryNamed<RuleName>;

type ListsOf<O> = { readonly [K in keyof O]: O[K] | readonly NonNullable<O[K]>[] };

/**
 * Returns the name and the options of a rule. The values of the options are not checked.
 *
 * @param allowed the names that the message for an unknown name lists. Default: those of all rules.
 * @throws HalfspaceError `option-invalid` for an unknown name, an option that the rule does not have, or a value of
 *   another form.
 */
export function partsOf(
  rule: Rule | RuleToTry,
  allowed?: readonly string[],
): { readonly name: RuleName; readonly options: object } {
  const { name, ...options } = typeof rule === 'object' && rule !== null ? rule : { name: rule };
  if (typeof name !== 'string')
    throw new HalfspaceError(
      'option-invalid',
      `rule must be a name or { name: …, and its options }; got ${typeof rule === 'object' && rule !== null ? 'an object without a name' : quote(rule)}`,
    );
  checkOptionNames(options, Object.keys(definitionOf(name, allowed).options), `the rule ${name}`);
  return { name, options };
}

/** Returns a rule with all its options, in the form that `train` takes. */
export function ruleOf(name: RuleName, options: RuleOptions): RuleWithOptions {
  return { name, ...options } as RuleWithOptions;
}
