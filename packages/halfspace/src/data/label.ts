import { HalfspaceError, quote } from '../errors.ts';
import { decimalKey } from '../features/class-names.ts';

/** The class of a row as a program holds it: text, a number, a truth value, or an integer of any size. */
export type Label = string | number | boolean | bigint;

/** The type of a model's labels, if they are not text. */
export type LabelType = 'number' | 'boolean' | 'bigint';

declare const labels: unique symbol;

/** The type of the labels of a source or of a model, for the compiler only; no value has this member. */
export interface Labelled<L extends Label> {
  readonly [labels]?: L;
}

/** The labels among the values of a field. */
export type LabelIn<V> = [Extract<V, Label>] extends [never] ? Label : Extract<V, Label>;

/**
 * Returns the text of a label, which is the name of its class; null: it is missing.
 *
 * @throws HalfspaceError `label-classes` for a value that names no class, and for integers beyond 2⁵³, whose last
 *   digits a number does not keep.
 */
export function labelText(label: unknown): string | null {
  switch (typeof label) {
    case 'string':
      return label === '' ? null : label;
    case 'boolean':
    case 'bigint':
      return String(label);
    case 'number':
      if (Number.isNaN(label)) return null;
      if (Number.isFinite(label) && !isInexact(label)) return String(label + 0);
      break;
    case 'undefined':
      return null;
    default:
      if (label === null) return null;
  }
  throw new HalfspaceError(
    'label-classes',
    isInexact(label)
      ? `expected a label whose digits a number keeps (up to 2^53), a bigint or text; got ${quote(label)}`
      : `expected the name of a class; got ${quote(label)}`,
  );
}

function isInexact(label: unknown): boolean {
  return Number.isInteger(label) && !Number.isSafeInteger(label);
}

/** Collects the types (`typeof`) of labels. */
export class LabelTypes {
  readonly #seen: Set<string>;

  constructor(types: Iterable<string> = []) {
    this.#seen = new Set(types);
  }

  /** Types so far, in code-point order. */
  get seen(): readonly string[] {
    return [...this.#seen].sort();
  }

  /** Returns true if the type is new. */
  add(type: string): boolean {
    if (this.#seen.has(type)) return false;
    this.#seen.add(type);
    return true;
  }

  /** Returns the type that gives back labels of these names; undefined: text. */
  of(names: readonly string[]): LabelType | undefined {
    const [type] = this.#seen;
    if (this.#seen.size !== 1) return this.#isNumeric() && names.every(isWhole) ? 'bigint' : undefined;
    if (type === 'boolean' || type === 'bigint') return type;
    if (type !== 'number' || !names.some((name) => decimalKey(name) !== null)) return undefined;
    if (names.every((name) => decimalKey(name) === null || decimalKey(String(Number(name))) === decimalKey(name)))
      return 'number';
    return names.every(isWhole) ? 'bigint' : undefined;
  }

  #isNumeric(): boolean {
    return this.#seen.size === 2 && this.#seen.has('number') && this.#seen.has('bigint');
  }
}

function isWhole(name: string): boolean {
  return /^-?[0-9]+$/.test(name);
}

/** Returns the label of a class as it was given. The class of all others, `not 3`, stays text. */
export function labelValue(name: string, type: LabelType | undefined): Label {
  if (type === 'boolean' && (name === 'true' || name === 'false')) return name === 'true';
  if (type === 'number' && Number.isFinite(Number(name))) return Number(name);
  if (type === 'bigint' && isWhole(name)) return BigInt(name);
  return name;
}
