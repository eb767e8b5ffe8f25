import { HalfspaceError, quote } from '../errors.ts';
import { checkOptionNames } from '../features/option-names.ts';

/** The values that an option may have, as data. Checks and messages follow from it. */
export type OptionRange = NumberRange | ChoiceRange | { readonly kind: 'flag' };

interface NumberRange {
  readonly kind: 'number';
  /** Smallest value; excluded if `open` says so. Default −∞, excluded. */
  readonly from?: number;
  /** Largest value; excluded if `open` says so. Default ∞, excluded. */
  readonly to?: number;
  /** The bounds that are excluded. */
  readonly open?: 'from' | 'to' | 'both';
  /** True allows whole numbers only. */
  readonly whole?: boolean;
}

interface ChoiceRange {
  readonly kind: 'choice';
  readonly values: readonly (string | number)[];
}

/** An option of a rule, as data: for the checks of `train`, the flags of the command and the controls of the lab. */
type OptionSpec = NumberOption | ChoiceOption | FlagOption;

interface NumberOption extends NumberRange {
  /** Null: the rule works without a value. */
  readonly default: number | null;
  /** One line for the help, without range and default. */
  readonly about: string;
}

interface ChoiceOption extends ChoiceRange {
  readonly values: readonly string[];
  readonly default: string;
  readonly about: string;
}

/** An option that is on or off; off by default. */
interface FlagOption {
  readonly kind: 'flag';
  readonly about: string;
}

export type OptionSpecs = Readonly<Record<string, OptionSpec>>;
export type OptionValue = number | string | boolean;

/** The type of the value that a spec allows. */
export type ValueOf<S extends OptionSpec> = S extends { kind: 'choice'; values: readonly (infer V)[] }
  ? V
  : S extends FlagOption
    ? boolean
    : number;

/** Options as the caller gives them; each may be absent. */
export type GivenOptions<S extends OptionSpecs> = { readonly [K in keyof S]?: ValueOf<S[K]> | undefined };

/** Checks options and adds defaults; one without a default stays absent. @throws HalfspaceError `option-invalid`. */
export function completeOptions(specs: OptionSpecs, given: object): Record<string, OptionValue> {
  const complete: Record<string, OptionValue> = {};
  for (const [name, spec] of Object.entries(specs)) {
    const value = (given as Readonly<Record<string, unknown>>)[name];
    if (value !== undefined) checkOption(name, spec, value);
    const chosen = value ?? (spec.kind === 'flag' ? false : spec.default);
    if (chosen !== null) complete[name] = chosen as OptionValue;
  }
  return complete;
}

/**
 * Refuses options that a learner of this rule does not have. Every learner accepts the shared options, and `seed` and
 * `examples`, which a run gives to every rule.
 *
 * @throws HalfspaceError `option-invalid`.
 */
export function checkLearnerOptions(rule: string, specs: OptionSpecs, given: object): void {
  const names = new Set([...Object.keys(specs), 'biasConstant', 'tie', 'seed', 'examples']);
  checkOptionNames(given, [...names], `the rule ${rule}`);
}

/** @throws HalfspaceError `option-invalid` for a value outside the range of an option. */
export function checkOption(name: string, range: OptionRange, value: unknown): void {
  if (!fitsOption(range, value))
    throw new HalfspaceError('option-invalid', `${name} must be ${rangeOf(range)}; got ${quote(value)}`);
}

/** Returns a range as text: `in [0, ∞)`, `a whole number from 1`, `one of pa, pa-1`. */
export function rangeOf(spec: OptionRange): string {
  if (spec.kind === 'choice') return `one of ${spec.values.join(', ')}`;
  if (spec.kind === 'flag') return 'true or false';
  const { from = -Infinity, to = Infinity, whole = false } = spec;
  if (whole) return to === Infinity ? `a whole number from ${from}` : `a whole number in [${from}, ${to}]`;
  const [left, right] = [isOpen(spec, 'from') ? '(' : '[', isOpen(spec, 'to') ? ')' : ']'];
  return `in ${left}${infinite(from)}, ${infinite(to)}${right}`;
}

/** Returns true if an option may have this value. */
export function fitsOption(spec: OptionRange, value: unknown): boolean {
  if (spec.kind === 'choice') return (spec.values as readonly unknown[]).includes(value);
  if (spec.kind === 'flag') return typeof value === 'boolean';
  const { from = -Infinity, to = Infinity, whole = false } = spec;
  if (typeof value !== 'number' || !Number.isFinite(value) || (whole && !Number.isSafeInteger(value))) return false;
  return (isOpen(spec, 'from') ? value > from : value >= from) && (isOpen(spec, 'to') ? value < to : value <= to);
}

function isOpen({ from, to, open }: NumberRange, side: 'from' | 'to'): boolean {
  return (side === 'from' ? from : to) === undefined || open === side || open === 'both';
}

function infinite(bound: number): string {
  return bound === Infinity ? '∞' : bound === -Infinity ? '−∞' : String(bound);
}
