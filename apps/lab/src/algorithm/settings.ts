import type { RuleName } from 'halfspace';
import { type RuleDefinition, rangeOf } from 'halfspace/rules';
import type { Algorithm } from './algorithm.ts';
import { ruleSpecs } from './rules.constant.ts';

type OptionSpec = RuleDefinition['options'][string];
type OptionValue = number | string | boolean;

/** An option of a rule as a form field. */
interface Setting {
  readonly name: string;
  readonly title: string;
  readonly spec: OptionSpec;
  /** The value that is set, or the default; null: none. */
  readonly value: OptionValue | null;
}

const titles: Readonly<Record<string, string>> = {
  updateWhen: 'Update when',
  margin: 'Margin τ',
  variant: 'Variant',
  aggressiveness: 'C',
  loss: 'Loss',
  penalty: 'Penalty',
  alpha: 'Strength α',
  l1Ratio: 'Share of L1, ρ',
  schedule: 'Step length',
  rate: 'First step η₀',
  power: 'Power p',
  answer: 'Predict with',
  r: 'r',
  average: 'Average',
  kernel: 'Kernel',
  degree: 'Degree p',
  gamma: 'Factor γ',
  coef0: 'Constant c₀',
  aggregate: 'Predict with',
  budget: 'Mistakes kept, at most',
  criterion: 'Split by',
  maxDepth: 'Maximum depth',
  minLeaf: 'Minimum leaf size',
  pruning: 'Pruning',
  multiway: 'A branch per level, up to',
};

const choices: Readonly<Record<string, string>> = {
  'at-most-zero': 'y·a ≤ 0',
  'below-zero': 'y·a < 0',
  'sign-differs': 'y ≠ sgn(a)',
  pa: 'PA: no limit',
  'pa-1': 'PA-I: at most C',
  'pa-2': 'PA-II: softened by C',
  l2: 'L2: ½‖w‖²',
  l1: 'L1: ‖w‖₁',
  'elastic-net': 'elastic net',
  none: 'none',
  adaptive: 'adaptive, per weight',
  'inverse-scaling': 'falls with time',
  constant: 'constant',
  mean: 'the mean over time',
  last: 'the last weights',
  averaged: 'the mean over time',
  voted: 'a vote',
  linear: 'linear',
  polynomial: 'polynomial',
  rbf: 'Gaussian (RBF)',
  gini: 'Gini impurity',
  'information-gain': 'information gain',
  'gain-ratio': 'gain ratio',
};

/** Returns the title of a choice's value. */
export function choiceTitle(value: string): string {
  return choices[value] ?? value;
}

/** Returns the options that can be set: none for a lecture, and those that apply for a rule. */
export function settingsOf({ as, rule, options }: Algorithm): Setting[] {
  if (as !== null) return [];
  const specs = Object.entries(ruleSpecs[rule].options);
  return specs
    .filter(([name]) => !(rule === 'sgd' && name === 'loss') && applies(rule, name, valuesOf(rule, options)))
    .map(([name, spec]) => ({ name, title: titles[name] ?? name, spec, value: valuesOf(rule, options)[name] ?? null }));
}

/** Returns an algorithm with an option set; null: its default. Options that no longer apply are dropped. */
export function withOption(algorithm: Algorithm, name: string, value: OptionValue | null): Algorithm {
  const { [name]: _, ...others } = algorithm.options;
  const given = value === null ? others : { ...others, [name]: value };
  const values = valuesOf(algorithm.rule, given);
  const options = Object.fromEntries(Object.entries(given).filter(([each]) => applies(algorithm.rule, each, values)));
  return { ...algorithm, options };
}

type Values = Readonly<Record<string, OptionValue | null>>;

/** Returns all options, with defaults for absent ones. */
function valuesOf(rule: RuleName, options: Algorithm['options']): Values {
  const specs = Object.entries(ruleSpecs[rule].options);
  const values = Object.fromEntries(
    specs.map(([name, spec]) => [name, options[name] ?? (spec.kind === 'flag' ? false : spec.default)]),
  );
  if (rule !== 'sgd') return values;
  const sparse = values.penalty === 'l1' || values.penalty === 'elastic-net';
  return {
    ...values,
    rate: values.rate ?? (values.schedule === 'adaptive' ? 0.5 : 0.01),
    answer: options.answer ?? (sparse ? 'last' : 'mean'),
  };
}

/** Tests if an option applies beside the others; the library refuses one that does not. */
function applies(rule: RuleName, name: string, values: Values): boolean {
  switch (`${rule} ${name}`) {
    case 'passive-aggressive aggressiveness':
      return values.variant !== 'pa';
    case 'sgd alpha':
      return values.penalty !== 'none';
    case 'sgd l1Ratio':
      return values.penalty === 'elastic-net';
    case 'sgd power':
      return values.schedule === 'inverse-scaling';
    case 'kernel degree':
    case 'kernel coef0':
      return values.kernel === 'polynomial';
    case 'kernel gamma':
      return values.kernel !== 'linear';
    case 'kernel budget':
      return values.aggregate === 'last';
    default:
      return true;
  }
}

/** Reads a number as people type it: with a comma or a point, − or -, an exponent. Null: the text is no number. */
export function parseNumber(text: string): number | null {
  const plain = text
    .trim()
    .replace('−', '-')
    .replace(/^([-+]?\d*),(\d+)$/, '$1.$2');
  if (!/^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(plain)) return null;
  return Number(plain);
}

/** Says which numbers an option takes: `a number in (0, ∞)`. */
export function wantedNumber(spec: OptionSpec): string {
  const range = rangeOf(spec);
  const whole = range.replace(/^a whole number /, '');
  return whole === range ? `a number ${range}` : `a whole number ${whole}`;
}

/** Returns the message for a text that is no allowed number. */
export function wrongNumber(wanted: string, text: string): string {
  const got = text.trim();
  return `Type ${wanted}; “${got.length > 20 ? `${got.slice(0, 20)}…` : got}” is not one.`;
}
