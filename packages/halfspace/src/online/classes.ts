import { HalfspaceError, quote, quoteNames } from '../errors.ts';
import { cellText, numberCell } from '../features/table-cell.ts';
import { compareCodePoints } from '../features/table-encoding.ts';

/** A label: a class by its name, number or truth. */
export type Label = string | number | boolean | bigint;

/** Maximum number of classes. More are taken for quantities, which a classifier cannot learn. */
export const mostClasses = 1000;

export interface ClassesState {
  /** In the order in which they came. */
  readonly names: readonly string[];
}

/**
 * The classes so far. Their names follow a table's label column: 1, 1.0 and "1" are the same class as long as all
 * classes are numbers; otherwise classes are compared as text, without surrounding blanks.
 */
export class OnlineClasses {
  /** In the order in which they came. */
  readonly names: string[] = [];
  /** `number`: all classes are numbers. */
  type: 'number' | 'text' = 'number';
  /** The positions in `names`, rising by name: numbers by value, text by code points. */
  order: readonly number[] = [];
  /** Classes by the values that labels may have. */
  readonly #known = new Map<unknown, number>();

  constructor(names: readonly string[] = []) {
    for (const name of names) this.join(name);
  }

  get size(): number {
    return this.names.length;
  }

  /**
   * Returns the position in `names` of a label's class; −1: a new class.
   *
   * @throws HalfspaceError `label-missing` for null, undefined and texts that stand for a missing value;
   *   `label-classes` for values that name no class.
   */
  find(label: unknown): number {
    return this.#known.get(label) ?? this.names.indexOf(this.nameOf(label));
  }

  /** Returns the name of a label's class. @throws HalfspaceError as {@link find}. */
  nameOf(label: unknown): string {
    if (typeof label === 'boolean' || typeof label === 'bigint') return String(label);
    if (typeof label === 'number' && Number.isFinite(label)) return String(label + 0);
    if (typeof label !== 'string' && label !== null && label !== undefined && !Number.isNaN(label))
      throw new HalfspaceError('label-classes', `expected a label, text, a number or a truth; got ${quote(label)}`);
    const text = typeof label === 'string' ? cellText(label) : null;
    if (text === null) throw new HalfspaceError('label-missing', `expected a label; got ${quote(label)}`);
    const number = this.type === 'number' ? numberCell(text) : Number.NaN;
    return Number.isFinite(number) ? String(number + 0) : text;
  }

  /** Checks that a class may join. @throws HalfspaceError `label-classes` if there are too many. */
  checkRoom(name: string): void {
    if (this.size < mostClasses) return;
    throw new HalfspaceError(
      'label-classes',
      `expected at most ${mostClasses} classes, or one named by the option "positive"; got ${quote(name)} besides ${quoteNames(this.names)}`,
    );
  }

  /** Adds a class by its name. Returns its position. */
  join(name: string): number {
    const position = this.names.push(name) - 1;
    const value = numberCell(name);
    if (!Number.isFinite(value)) this.type = 'text';
    this.#known.set(name, position);
    if (Number.isFinite(value) && String(value) === name) this.#known.set(value, position);
    const byValue = (a: string, b: string) => Number(a) - Number(b);
    const compare = this.type === 'number' ? byValue : compareCodePoints;
    this.order = this.names.map((_, k) => k).sort((a, b) => compare(this.names[a]!, this.names[b]!));
    return position;
  }
}
