import { type Label, type LabelType, LabelTypes, labelText, labelValue } from '../data/label.ts';
import { HalfspaceError, quote, quoteNames } from '../errors.ts';
import { compareClasses, findClass, typeOfClasses } from '../features/class-names.ts';
import { plainValue } from '../features/plain-value.ts';
import { valueText } from '../features/table-cell.ts';
import { nameBytes } from './size.ts';

/** Maximum number of classes. More are taken for quantities, which a classifier cannot learn. */
export const mostClasses = 1000;

/** Types of labels, by `typeof`, in code-point order. */
export interface LabelTypesState {
  /** Of the options `classes` and `positive`. */
  readonly given: readonly string[];
  /** Of the rows that were learned from. */
  readonly learned: readonly string[];
}

/**
 * The classes so far. The name of a class is the text of its labels, so it does not depend on other labels or on their
 * order: 1 and "1" are one class, "1" and "1.0" two.
 */
export class OnlineClasses {
  /** In the order in which they came. */
  readonly names: string[] = [];
  /** Bytes of the names. */
  bytes = 0;
  /** `number`: all classes are numbers. */
  type: 'number' | 'text' = 'number';
  /** Positions in `names`: rising if the option `classes` has them; else numbers by value, text by code points. */
  order: readonly number[] = [];
  /** The labels of the classes as they were given, in the order of `names`. */
  labels: readonly Label[] = [];
  /** Type of the labels that were learned from, or else of those of the options; undefined: text. */
  labelType: LabelType | undefined;
  readonly #isClosed: boolean;
  readonly #given: LabelTypes;
  readonly #learned: LabelTypes;
  /** Classes by the values that labels may have. */
  readonly #known = new Map<unknown, number>();

  /** @param isClosed true: no class may join. A label may then be the number of a class in another notation. */
  constructor(isClosed = false, names: readonly string[] = [], types?: LabelTypesState) {
    this.#isClosed = isClosed;
    this.#given = new LabelTypes(types?.given);
    this.#learned = new LabelTypes(types?.learned);
    for (const name of names) this.join(name);
  }

  get size(): number {
    return this.names.length;
  }

  get types(): LabelTypesState {
    return { given: this.#given.seen, learned: this.#learned.seen };
  }

  /** Records the type of a label of the options. */
  give(label: Label): void {
    if (this.#given.add(typeOf(label))) this.#refresh();
  }

  /** Records the type of a label that was learned from. */
  learn(label: Label): void {
    if (this.#learned.add(typeOf(label))) this.#refresh();
  }

  /**
   * Returns the position in `names` of a label's class; −1: a new class.
   *
   * @throws HalfspaceError `label-missing` for null, undefined and texts that stand for a missing value;
   *   `label-classes` for values that name no class.
   */
  find(label: unknown): number {
    const known = this.#known.get(label);
    if (known !== undefined) return known;
    const name = this.nameOf(label);
    return this.#isClosed ? findClass(this.names, name) : this.names.indexOf(name);
  }

  /** Returns the name of a label's class. @throws HalfspaceError as {@link find}. */
  nameOf(label: unknown): string {
    const value = plainValue(label);
    const isText = typeof value === 'string' || value instanceof Date;
    const text = isText ? valueText(value, 'label') : labelText(value);
    if (text === null) throw new HalfspaceError('label-missing', `expected a label; got ${quote(label)}`);
    return text;
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
    this.bytes += nameBytes(name);
    this.#known.set(name, position);
    const value = Number(name);
    if (String(value) === name) this.#known.set(value, position);
    if (name === 'true' || name === 'false') this.#known.set(name === 'true', position);
    this.type = typeOfClasses(this.names);
    const compare = compareClasses(this.type);
    const positions = this.names.map((_, k) => k);
    this.order = this.#isClosed ? positions : positions.sort((a, b) => compare(this.names[a]!, this.names[b]!));
    this.#refresh();
    return position;
  }

  #refresh(): void {
    const labelType = (this.#learned.seen.length > 0 ? this.#learned : this.#given).of(this.names);
    this.labelType = labelType;
    this.labels = this.names.map((name) => labelValue(name, labelType));
  }
}

/** Returns a label as it is kept: objects could change later, and a date is text. */
export function keptLabel(label: unknown): Label {
  const value = plainValue(label);
  return value instanceof Date ? valueText(value, 'label')! : (value as Label);
}

/** Returns the type of a label; a date is text. */
function typeOf(label: Label): string {
  const type = typeof plainValue(label);
  return type === 'object' ? 'string' : type;
}
