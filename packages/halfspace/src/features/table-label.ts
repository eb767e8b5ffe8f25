import { HalfspaceError, quote } from '../errors.ts';
import { numberCell } from './table-cell.ts';
import { compareCodePoints, type TableLabel } from './table-encoding.ts';

/** How many classes a message lists. */
const listed = 10;
/** More classes than these are taken for a mistake: for quantities, names or texts, of which a classifier makes nothing. */
const mostFractions = 10;
const mostWholeNumbers = 100;
const mostTexts = 1000;

/**
 * Decides what the classes of a label column mean.
 *
 * All classes are numbers: the larger of two is the positive one. Otherwise it is the later one in code-point order, which
 * puts true over false and yes over no.
 *
 * @param counts how often each text occurs in the column, as {@link cellText} gives it; missing values not among them.
 * @param positive the class to set against the rest.
 * @throws HalfspaceError `label-classes` when there are fewer than two classes, or so many that they hardly are classes;
 *   `option-invalid` when `positive` is none of them.
 */
export function chooseClasses(column: string, counts: ReadonlyMap<string, number>, positive?: string): TableLabel {
  const type = [...counts.keys()].every((text) => Number.isFinite(numberCell(text))) ? 'number' : 'text';
  const merged = new Map<string, number>();
  for (const [text, count] of counts) {
    const name = className(type, text);
    merged.set(name, (merged.get(name) ?? 0) + count);
  }
  const order = type === 'number' ? (a: string, b: string) => Number(a) - Number(b) : compareCodePoints;
  const classes = [...merged.keys()].sort(order);
  const where = { field: column };
  const described = () => describe(classes, merged);

  if (classes.length < 2)
    throw new HalfspaceError(
      'label-classes',
      `expected two classes; got ${classes.length === 0 ? 'none' : `one, ${described()}`}`,
      where,
    );
  if (positive === undefined) {
    if (classes.length > 2) {
      const whole = type === 'number' && classes.every((name) => Number.isInteger(Number(name)));
      const most = type === 'text' ? mostTexts : whole ? mostWholeNumbers : mostFractions;
      if (classes.length > most)
        throw new HalfspaceError(
          'label-classes',
          `expected at most ${most} classes of ${type === 'text' ? 'text' : whole ? 'whole numbers' : 'numbers'}, or one named as positive (--positive CLASS); got ${classes.length}: ${described()}`,
          where,
        );
      return { column, type, classes, positive: null, negative: null };
    }
    return { column, type, classes, positive: classes[1]!, negative: classes[0]! };
  }
  const given =
    type === 'number' && Number.isFinite(numberCell(positive)) ? className(type, positive) : positive.trim();
  if (!merged.has(given))
    throw new HalfspaceError(
      'option-invalid',
      `expected the positive class to be one of ${described()}; got ${quote(positive)}`,
      where,
    );
  const negative = classes.length === 2 ? classes.find((name) => name !== given)! : null;
  return { column, type, classes, positive: given, negative };
}

/** The names of the negative and the positive class, or of all where none is positive. */
export function classNames({ positive, negative, classes }: TableLabel): readonly string[] {
  return positive === null ? classes : [negative ?? notClass(positive), positive];
}

/**
 * The class that a label cell names; null when it is none that training saw.
 *
 * One dot too many at the end of a text is overlooked, as some published test sets have it behind every label.
 *
 * @param text as {@link cellText} gives it, not missing.
 */
export function matchClass(label: TableLabel, text: string): string | null {
  if (label.type === 'number') {
    if (!Number.isFinite(numberCell(text))) return null;
    const name = className('number', text);
    return label.classes.includes(name) ? name : null;
  }
  if (label.classes.includes(text)) return text;
  const shorter = text.endsWith('.') ? text.slice(0, -1) : text;
  return label.classes.includes(shorter) ? shorter : null;
}

/** What {@link labelNumber} gives for a class that the model does not know. */
export const unknownClass = Infinity;

/**
 * The label of a cell: +1 or −1, or the position among the classes where none is positive; {@link unknownClass}, or NaN where `text` is
 * null, for a missing one.
 */
export function labelNumber(label: TableLabel, text: string | null): number {
  if (text === null) return Number.NaN;
  const name = matchClass(label, text);
  if (label.positive === null) return name === null ? unknownClass : label.classes.indexOf(name);
  if (name === label.positive) return 1;
  return name === label.negative || label.negative === null ? -1 : unknownClass;
}

function className(type: 'number' | 'text', text: string): string {
  return type === 'number' ? String(numberCell(text) + 0) : text;
}

function describe(classes: readonly string[], counts: ReadonlyMap<string, number>): string {
  const some = classes.slice(0, listed).map((name) => `${quote(name, 40)} (${counts.get(name)})`);
  return `${some.join(', ')}${classes.length > listed ? `, and ${classes.length - listed} more` : ''}`;
}

/** The name of "every class but this one". */
export function notClass(name: string): string {
  return `not ${name}`;
}
