import type { RuleName, RuleOptions, RuleWithOptions, Setting } from 'halfspace';
import { completeRuleOptions, hasPasses } from 'halfspace/rules';
import { number } from './format.ts';

interface NamedCandidate {
  readonly rule: RuleWithOptions;
  readonly multiclass: string;
  /** Absent: `straight`. */
  readonly shape?: 'straight' | 'bent' | 'crossed' | 'letters';
}

/** Options that are shown even with their default: the loss says which well-known method `sgd` is. */
const usuallyShown = ['loss'];

/** Returns a rule with the options that differ from their defaults: `sgd, loss hinge, alpha 0.001`. */
export function candidateName(
  { rule: { name: rule, ...given }, multiclass, shape = 'straight' }: NamedCandidate,
  alwaysShown: ReadonlySet<string> = new Set(usuallyShown),
): string {
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

/** Returns a function that names settings, with the options, class weights, sources and passes in which they differ. */
export function settingNames<S extends Setting & NamedCandidate>(
  all: readonly S[],
  sources: readonly { readonly name: string }[],
  showsPasses = false,
): (setting: S) => string {
  const differ = (of: (setting: S) => unknown) => new Set(all.map((each) => JSON.stringify(of(each)))).size > 1;
  const weighs = differ(({ classWeights }) => classWeights);
  const passes =
    showsPasses && new Set(all.filter(({ rule }) => hasPasses(rule.name)).map((each) => each.passes)).size > 1;
  const isVaried = ({ rule }: S) => {
    const alike = all
      .filter((each) => each.rule.name === rule.name)
      .map((each) => each.rule as Readonly<Record<string, unknown>>);
    return Object.keys(rule).filter((name) => alike.some((each) => each[name] !== alike[0]![name]));
  };
  const varied = new Map(all.map((each) => [each.rule.name, new Set([...usuallyShown, ...isVaried(each)])]));
  return (setting) =>
    [
      candidateName(setting, varied.get(setting.rule.name)),
      passes && hasPasses(setting.rule.name) ? `passes ${setting.passes}` : [],
      weighs ? `class weight ${weightsText(setting.classWeights)}` : [],
      sources.length > 1 ? sources[setting.source]!.name : [],
    ]
      .flat()
      .join(', ');
}

function weightsText(weights: Setting['classWeights']): string {
  if (weights === null || weights === 'balanced') return weights ?? 'none';
  return (
    Object.entries(weights)
      .map(([name, weight]) => `${name}=${weight}`)
      .join(' ') || 'none'
  );
}

/** Number of candidates that are named, of those that were not tried. */
const mostUntried = 5;

/** Returns lines on candidates that the budget of time left out. */
export function untriedLines(names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const more = names.length - mostUntried;
  return [
    `${names.length} of the candidates, because the time was over (--seconds)`,
    ...names.slice(0, mostUntried),
    ...(more > 0 ? [`… and ${more} more`] : []),
  ];
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
