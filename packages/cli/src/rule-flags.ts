import { type Command, InvalidArgumentError, Option } from 'commander';
import { fitsOption, type OptionSpec, type RuleDefinition, rangeOf, rules } from 'halfspace';

/** What lectures decide and people need not: it has no flag. */
const withoutFlag = new Set(['updateWhen']);

/** `--rule`, and a flag for every option that some rule has, from what the library says of them. */
export function addRuleFlags(command: Command): void {
  command.optionsGroup('The rule:');
  command.addOption(
    new Option(
      '--rule <name>',
      'the update rule (default: chosen by cross-validation; with --order, --patience, --ledger, --scale unit-ball or max-norm: averaged)',
    ).choices(Object.keys(rules)),
  );
  addOptionFlags(command);
}

/** `--rules`, and the same flags, for a comparison. */
export function addCandidateFlags(command: Command): void {
  command.optionsGroup('The rules:');
  command.addOption(
    new Option('--rules <name...>', 'which to compare (default: all, each with its defaults)').choices(
      Object.keys(rules),
    ),
  );
  addOptionFlags(command);
}

function addOptionFlags(command: Command): void {
  for (const [name, { owners, spec }] of ruleFlags()) {
    const flag = flagOf(name);
    const about = `for --rule ${owners.join(' or ')}: ${spec.about}`;
    if (spec.kind === 'flag') command.option(flag, about);
    else if (spec.kind === 'choice')
      command.addOption(new Option(`${flag} <name>`, `${about} (default: ${spec.default})`).choices(spec.values));
    else
      command.option(
        `${flag} <n>`,
        spec.default === null ? about : `${about} (default: ${spec.default})`,
        numberWithin(spec),
      );
  }
}

/** The options that some rule has, and which rules. */
export function ruleFlags(): Map<string, { readonly owners: string[]; readonly spec: OptionSpec }> {
  const flags = new Map<string, { owners: string[]; spec: OptionSpec }>();
  for (const [rule, definition] of Object.entries<RuleDefinition>(rules))
    for (const [name, spec] of Object.entries(definition.options)) {
      if (withoutFlag.has(name)) continue;
      const known = flags.get(name);
      if (known === undefined) flags.set(name, { owners: [rule], spec });
      else known.owners.push(rule);
    }
  return flags;
}

/** `--l1-ratio` for `l1Ratio`. */
export function flagOf(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

function numberWithin(spec: OptionSpec & { kind: 'number' }): (text: string) => number {
  return (text) => {
    const value = text.trim() === '' ? Number.NaN : Number(text);
    if (fitsOption(spec, value)) return value;
    throw new InvalidArgumentError(`Expected ${spec.whole === true ? '' : 'a number '}${rangeOf(spec)}.`);
  };
}
