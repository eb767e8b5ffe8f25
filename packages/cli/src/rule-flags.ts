import { fitsOption, onlineRules, type RuleDefinition, rangeOf, rules } from 'halfspace/rules';
import { usualRule } from './data/stream-state.ts';
import type { OptionSpec } from './options.ts';

type RuleOption = RuleDefinition['options'][string];

/** Options that only presets set. */
const withoutFlag = new Set(['updateWhen']);

/** Options of the command by name. */
type Specs = Record<string, OptionSpec>;

/** Returns the options of `train` that choose a rule. */
export function ruleOptions(): Specs {
  const about =
    'the update rule (default: chosen by cross-validation; with --order, --patience, --ledger, --scale unit-ball or max-norm: averaged)';
  return { rule: { argument: '<name>', about, choices: Object.keys(rules) }, ...listed(optionsOfRules()) };
}

/** Returns the options of `compare` that choose rules. */
export function candidateOptions(): Specs {
  const about = 'the rules to compare (default: all, each with its default options)';
  return { rules: { argument: '<name...>', about, choices: Object.keys(rules) }, ...listed(optionsOfRules()) };
}

/** Returns the options of `picture` that choose a rule. */
export function drawnOptions(): Specs {
  const about = 'the update rule (default: perceptron)';
  return { rule: { argument: '<name>', about, choices: Object.keys(rules) }, ...optionsOfRules() };
}

/** Lets every option with a value be a list of values to try. */
function listed(specs: Specs): Specs {
  return Object.fromEntries(
    Object.entries(specs).map(([name, spec]) => [name, spec.argument === undefined ? spec : { ...spec, listed: true }]),
  );
}

/** Returns the options of `learn` that choose a rule. */
export function onlineOptions(): Specs {
  const choices = onlineRules();
  const isOnline = (owner: string) => choices.some((rule) => rule === owner);
  const flags = [...ruleFlags()]
    .map(([name, { owners, spec }]) => [name, { owners: owners.filter(isOnline), spec }] as const)
    .filter(([, { owners }]) => owners.length > 0);
  return {
    rule: { argument: '<name>', about: `the update rule (default: ${usualRule})`, choices },
    ...optionsOfRules(flags),
  };
}

function optionsOfRules(flags: Iterable<readonly [string, RuleFlag]> = ruleFlags()): Specs {
  return Object.fromEntries([...flags].map(([name, { owners, spec }]) => [name, specOf(name, spec, owners)]));
}

function specOf(name: string, spec: RuleOption, owners: readonly string[]): OptionSpec {
  const abouts = new Map<string, string[]>();
  for (const owner of owners) {
    const about = aboutOf((rules as Record<string, RuleDefinition>)[owner]!.options[name]!);
    abouts.set(about, [...(abouts.get(about) ?? []), owner]);
  }
  const about = [...abouts].map(([each, of]) => `for --rule ${of.join(' or ')}: ${each}`).join('; ');
  if (spec.kind === 'flag') return { about };
  if (spec.kind === 'choice') return { argument: '<name>', about, choices: spec.values };
  return {
    argument: '<n>',
    about,
    expected: `${spec.whole === true ? '' : 'a number '}${rangeOf(spec)}`,
    parse(text) {
      const value = text.trim() === '' ? Number.NaN : Number(text);
      return fitsOption(spec, value) ? value : undefined;
    },
  };
}

function aboutOf(spec: RuleOption): string {
  return spec.kind === 'flag' || spec.default === null ? spec.about : `${spec.about} (default: ${spec.default})`;
}

interface RuleFlag {
  readonly owners: readonly string[];
  readonly spec: RuleOption;
}

/** Returns the options that have a flag, each with the rules that have it. */
export function ruleFlags(): Map<string, RuleFlag> {
  const flags = new Map<string, { owners: string[]; spec: RuleOption }>();
  for (const [rule, definition] of Object.entries<RuleDefinition>(rules))
    for (const [name, spec] of Object.entries(definition.options)) {
      if (withoutFlag.has(name)) continue;
      const known = flags.get(name);
      if (known === undefined) flags.set(name, { owners: [rule], spec });
      else known.owners.push(rule);
    }
  return flags;
}

/** Returns the options of rules that were given. */
export function givenRuleOptions(options: object): Record<string, unknown> {
  const flags = ruleFlags();
  return Object.fromEntries(Object.entries(options).filter(([name, value]) => flags.has(name) && value !== undefined));
}
