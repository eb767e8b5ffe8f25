import { HalfspaceError, quote } from '../errors.ts';
import { compareClasses, findClass, joinKey, typeOfClasses } from './class-names.ts';
import { evenSplit, holds, parseThreshold, thresholdLabel } from './label-threshold.ts';
import { numberCell } from './table-cell.ts';
import { compareCodePoints, type TableLabel } from './table-encoding.ts';

/** Maximum numbers of classes that a message lists, and that stand for too many. */
const listed = 10;
const examples = 3;
/** Maximum numbers of classes. More are taken for quantities, names or texts, which a classifier cannot learn. */
const mostFractions = 10;
const mostWholeNumbers = 100;
const mostTexts = 1000;

/**
 * Chooses the classes of a label column, and the positive one of two. A class is the text of its labels. If all classes
 * are numbers, the larger one is positive; otherwise the later one in code-point order, so true before false and yes
 * before no.
 *
 * @param counts the number of occurrences of each text ({@link cellText}), without missing values.
 * @param positive the positive class; all others are negative. A comparison, `>= 20`, makes two classes of numbers.
 * @param join true: texts that differ only in how they are written are one class, with the most frequent text.
 * @throws HalfspaceError `label-classes` for fewer than two classes, or too many to be classes; `option-invalid` if
 *   `positive` is not a class.
 */
export function chooseClasses(
  column: string,
  counts: ReadonlyMap<string, number>,
  positive?: string,
  join = false,
): TableLabel {
  const threshold = positive === undefined || counts.has(positive.trim()) ? null : parseThreshold(positive);
  if (threshold !== null) return thresholdLabel(column, [...counts.keys()], threshold);
  const joined = join ? joinedCounts(counts) : counts;
  const type = typeOfClasses(joined.keys());
  const classes = [...joined.keys()].sort(compareClasses(type));
  const where = { field: column };
  const described = () => describe(classes, joined);

  if (classes.length < 2)
    throw new HalfspaceError(
      'label-classes',
      `expected two classes; got ${classes.length === 0 ? 'none' : `one, ${described()}`}; label names another column (--label of the command)`,
      where,
    );
  const shared = { column, type, ...(join ? { join } : {}), classes };
  if (positive === undefined) {
    if (classes.length > 2) {
      const whole = type === 'number' && classes.every((name) => Number.isInteger(numberCell(name)));
      const most = type === 'text' ? mostTexts : whole ? mostWholeNumbers : mostFractions;
      if (classes.length > most)
        throw new HalfspaceError(
          'label-classes',
          `expected at most ${most} classes of ${type === 'text' ? 'text' : whole ? 'whole numbers' : 'numbers'}, or one named by positive (--positive of the command); got ${classes.length}: ${describe(classes, joined, examples)}${type === 'text' ? '' : `; ${thresholdHint(classes, joined)}`}`,
          where,
        );
      return { ...shared, positive: null, negative: null };
    }
    return { ...shared, positive: classes[1]!, negative: classes[0]! };
  }
  const given = classOf({ ...shared, positive: null, negative: null }, positive.trim());
  if (given === null)
    throw new HalfspaceError(
      'option-invalid',
      `expected the positive class to be one of ${described()}; got ${quote(positive)}`,
      where,
    );
  const negative = classes.length === 2 ? classes.find((name) => name !== given)! : null;
  return { ...shared, positive: given, negative };
}

/** Adds up texts that are written differently only, under the most frequent one. */
function joinedCounts(counts: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  const groups = new Map<string, { name: string; most: number; sum: number }>();
  const texts = [...counts].sort(([a], [b]) => compareCodePoints(a, b));
  for (const [text, count] of texts) {
    const group = groups.get(joinKey(text)) ?? { name: text, most: 0, sum: 0 };
    if (count > group.most) Object.assign(group, { name: text, most: count });
    group.sum += count;
    groups.set(joinKey(text), group);
  }
  return new Map(Array.from(groups.values(), ({ name, sum }) => [name, sum]));
}

/** Says how numbers become two classes. */
function thresholdHint(classes: readonly string[], counts: ReadonlyMap<string, number>): string {
  const byValue = new Map<number, number>();
  for (const name of classes) byValue.set(numberCell(name), (byValue.get(numberCell(name)) ?? 0) + counts.get(name)!);
  const split = evenSplit([...byValue]);
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
  if (type !== 'number' || positive !== null || classes.length <= mostCodes) return null;
  let rows = 0;
  for (const count of counts.values()) rows += count;
  if (rows >= rowsPerCode * classes.length) return null;
  return `column ${column} has ${classes.length} numbers in ${rows} rows, each taken for a class; if they are quantities, ${thresholdHint([...counts.keys()].sort(compareClasses(type)), counts)}`;
}

/** Returns the names of the negative and the positive class, or of all if none is positive. */
export function classNames({ positive, negative, classes }: TableLabel): readonly string[] {
  return positive === null ? classes : [negative ?? notClass(positive), positive];
}

/**
 * Returns the class of a label cell; null if training did not see it. A number may be written in another way, and a
 * text may have an extra dot at its end, because some published test sets have it after every label.
 *
 * @param text the result of {@link cellText}, not missing.
 */
export function matchClass(label: TableLabel, text: string): string | null {
  if (label.threshold !== undefined) {
    const number = numberCell(text);
    if (Number.isFinite(number)) return holds(label.threshold, number) ? label.positive : label.negative;
  }
  const name = classOf(label, text);
  if (name !== null || !text.endsWith('.')) return name;
  const shorter = text.slice(0, -1);
  return label.classes.includes(shorter) ? shorter : null;
}

/** Returns the class that a text names; null: none, or several. */
function classOf({ classes, join }: TableLabel, text: string): string | null {
  if (join !== true) return classes[findClass(classes, text)] ?? null;
  const key = joinKey(text);
  return classes.find((name) => joinKey(name) === key) ?? null;
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

function describe(classes: readonly string[], counts: ReadonlyMap<string, number>, most = listed): string {
  const some = classes.slice(0, most).map((name) => `${quote(name, 40)} (${counts.get(name)})`);
  return `${some.join(', ')}${classes.length > most ? `, and ${classes.length - most} more` : ''}`;
}

/** Returns the name of the class of all others. */
export function notClass(name: string): string {
  return `not ${name}`;
}
