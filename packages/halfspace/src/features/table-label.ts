import { HalfspaceError, quote } from '../errors.ts';
import { evenSplit, holds, parseThreshold, thresholdLabel } from './label-threshold.ts';
import { numberCell } from './table-cell.ts';
import { compareCodePoints, type TableLabel } from './table-encoding.ts';

/** Maximum number of classes that a message lists. */
const listed = 10;
/** Maximum numbers of classes. More are taken for quantities, names or texts, which a classifier cannot learn. */
const mostFractions = 10;
const mostWholeNumbers = 100;
const mostTexts = 1000;

/**
 * Chooses the classes of a label column, and the positive one of two. If all classes are numbers, it is the larger one;
 * otherwise the later one in code-point order, so true before false and yes before no.
 *
 * @param counts the number of occurrences of each text ({@link cellText}), without missing values.
 * @param positive the positive class; all others are negative. A comparison, `>= 20`, makes two classes of numbers.
 * @throws HalfspaceError `label-classes` for fewer than two classes, or too many to be classes; `option-invalid` if
 *   `positive` is not a class.
 */
export function chooseClasses(column: string, counts: ReadonlyMap<string, number>, positive?: string): TableLabel {
  const threshold = positive === undefined || counts.has(positive.trim()) ? null : parseThreshold(positive);
  if (threshold !== null) return thresholdLabel(column, [...counts.keys()], threshold);
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
          `expected at most ${most} classes of ${type === 'text' ? 'text' : whole ? 'whole numbers' : 'numbers'}, or one named by positive (--positive of the command); got ${classes.length}: ${described()}${type === 'text' ? '' : `; ${thresholdHint(classes, merged)}`}`,
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

/** Says how numbers become two classes. */
function thresholdHint(classes: readonly string[], counts: ReadonlyMap<string, number>): string {
  const split = evenSplit(classes.map((name) => [Number(name), counts.get(name)!]));
  return `to predict a quantity is regression; positive: "${split}" makes two classes of it (--positive '${split}' of the command)`;
}

/** Maximum number of different whole numbers that are surely codes, and the rows that each of more has at least. */
const mostCodes = 20;
const rowsPerCode = 5;

/** Returns a note if the classes may be quantities: many whole numbers, with few rows each; else null. */
export function quantityNote(
  { column, type, positive, classes }: TableLabel,
  counts: ReadonlyMap<string, number>,
): string | null {
  let rows = 0;
  const merged = new Map<string, number>();
  if (type !== 'number' || positive !== null || classes.length <= mostCodes) return null;
  for (const [text, count] of counts) {
    const name = className(type, text);
    merged.set(name, (merged.get(name) ?? 0) + count);
    rows += count;
  }
  if (rows >= rowsPerCode * classes.length) return null;
  return `column ${column} has ${classes.length} numbers in ${rows} rows, each taken for a class; if they are quantities, ${thresholdHint(classes, merged)}`;
}

/** Returns the names of the negative and the positive class, or of all if none is positive. */
export function classNames({ positive, negative, classes }: TableLabel): readonly string[] {
  return positive === null ? classes : [negative ?? notClass(positive), positive];
}

/**
 * Returns the class of a label cell; null if training did not see it. Ignores an extra dot at the end of a text,
 * because some published test sets have it after every label.
 *
 * @param text the result of {@link cellText}, not missing.
 */
export function matchClass(label: TableLabel, text: string): string | null {
  if (label.threshold !== undefined) {
    const number = numberCell(text);
    if (Number.isFinite(number)) return holds(label.threshold, number) ? label.positive : label.negative;
  }
  if (label.type === 'number') {
    if (!Number.isFinite(numberCell(text))) return null;
    const name = className('number', text);
    return label.classes.includes(name) ? name : null;
  }
  if (label.classes.includes(text)) return text;
  const shorter = text.endsWith('.') ? text.slice(0, -1) : text;
  return label.classes.includes(shorter) ? shorter : null;
}

/** The result of {@link labelNumber} for a class that the model does not know. */
export const unknownClass = Infinity;

/**
 * Returns the label of a cell: +1 or −1, or the position of the class if none is positive; {@link unknownClass}; or NaN
 * if `text` is null, a missing label.
 */
export function labelNumber(label: TableLabel, text: string | null): number {
  if (text === null) return Number.NaN;
  const name = matchClass(label, text);
  if (label.positive === null) return name === null ? unknownClass : label.classes.indexOf(name);
  if (name === label.positive) return 1;
  return name === label.negative || label.negative === null ? -1 : unknownClass;
}

/** Returns a text that is equal for labels of one class, whatever the type of the column turns out to be. */
export function labelKey(text: string): string {
  return Number.isFinite(numberCell(text)) ? className('number', text) : text;
}

function className(type: 'number' | 'text', text: string): string {
  return type === 'number' ? String(numberCell(text) + 0) : text;
}

function describe(classes: readonly string[], counts: ReadonlyMap<string, number>): string {
  const some = classes.slice(0, listed).map((name) => `${quote(name, 40)} (${counts.get(name)})`);
  return `${some.join(', ')}${classes.length > listed ? `, and ${classes.length - listed} more` : ''}`;
}

/** Returns the name of the class of all others. */
export function notClass(name: string): string {
  return `not ${name}`;
}
