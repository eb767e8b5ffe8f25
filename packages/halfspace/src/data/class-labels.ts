import { HalfspaceError, type Place, quote } from '../errors.ts';
import { findClass, typeOfClasses } from '../features/class-names.ts';
import type { TableLabel } from '../features/table-encoding.ts';
import { chooseClasses, classNames, labelNumber, notClass, unknownClass } from '../features/table-label.ts';
import { readable } from '../readable.ts';
import { type Label, type LabelType, LabelTypes, labelText } from './label.ts';
import type { UnknownClasses } from './unknown-classes.ts';

/** Labels as numbers, and what they mean. */
interface ClassLabels {
  /** Of two classes the negative and the positive one. */
  readonly classes: readonly string[];
  /** −1 and +1 for two classes, else positions. */
  readonly labels: Float64Array;
  /** Undefined: they are text. */
  readonly labelType: LabelType | undefined;
}

interface ClassLabelOptions {
  /** Two or more classes in order; of two, the second is positive. Default: those of the rows. */
  readonly classes?: readonly Label[] | undefined;
  /** The class that is learned against all others. */
  readonly positive?: Label | undefined;
  /** Name of the data, for messages. */
  readonly source: string;
  /** Takes the classes that are not among `classes`. Default: they are refused. */
  readonly unknown?: UnknownClasses | undefined;
}

/**
 * Turns the classes of rows into labels. Without given classes they are in the order of `chooseClasses`: numbers rise,
 * other names follow their code points; of two, the second is positive.
 *
 * @throws HalfspaceError `label-missing`, `label-classes`, `option-invalid`, with the row.
 */
export function classLabels(
  given: ArrayLike<Label>,
  { classes, positive, source, unknown }: ClassLabelOptions,
): ClassLabels {
  const all = readable('labels', () => Array.from(given));
  const texts = all.map((name, i) => classText(name, { source, row: i + 1 }));
  const counts = new Map<string, number>();
  for (const name of texts) counts.set(name, (counts.get(name) ?? 0) + 1);
  const label = chosenLabel(counts, { classes, positive, source });
  const numberOf = labelNumbers(label, unknown);
  const labels = Float64Array.from(texts, (name, i) => numberOf(name, { source, row: i + 1 }));
  const names = classNames(label);
  const types = new LabelTypes();
  for (const each of all) types.add(typeof each);
  return { classes: names, labels, labelType: types.of(names) };
}

/** Returns the name of a class as text. @throws HalfspaceError `label-missing`, `label-classes`. */
export function classText(label: unknown, where: Place): string {
  try {
    const text = labelText(label);
    if (text !== null) return text;
  } catch (error) {
    throw error instanceof HalfspaceError ? error.at(where) : error;
  }
  throw new HalfspaceError('label-missing', 'expected a label; got none', where);
}

/**
 * Returns the label with the given classes, else with those of the rows.
 *
 * @param counts number of rows of each class.
 * @throws HalfspaceError `label-classes`, `option-invalid`.
 */
export function chosenLabel(
  counts: ReadonlyMap<string, number>,
  { classes, positive, source }: Omit<ClassLabelOptions, 'unknown'>,
): TableLabel {
  if (classes !== undefined) return givenLabel(classes, positive, source);
  try {
    return chooseClasses('y', counts, positive === undefined ? undefined : String(positive));
  } catch (error) {
    if (!(error instanceof HalfspaceError)) throw error;
    throw new HalfspaceError(error.code, error.message, { source });
  }
}

/**
 * Returns a function that returns the number of a class, which throws `label-classes` for one that the label lacks.
 *
 * @param unknown takes these classes instead.
 */
export function labelNumbers(label: TableLabel, unknown?: UnknownClasses): (name: string, where: Place) => number {
  const numbers = new Map<string, number>();
  return (name, where) => {
    let number = numbers.get(name) ?? labelNumber(label, name);
    if (number === unknownClass && unknown !== undefined) number = unknown.labelOf(name);
    numbers.set(name, number);
    if (number !== unknownClass) return number;
    const expected = label.classes.map((each) => quote(each)).join(' or ');
    throw new HalfspaceError('label-classes', `expected ${expected}; got ${quote(name)}`, where);
  };
}

/** Returns the label of classes whose order is given. The negative class of a model may stand for all others. */
function givenLabel(given: readonly Label[], positive: Label | undefined, source: string): TableLabel {
  const classes = Array.from(given, (name) => String(name));
  const type = typeOfClasses(classes);
  if (classes.length < 2 || new Set(classes).size < classes.length)
    throw new HalfspaceError('label-classes', `expected two or more different classes; got ${quote(given)}`, {
      source,
    });
  const named = positive === undefined ? (classes.length === 2 ? classes[1]! : null) : String(positive);
  if (named === null) return { column: 'y', type, classes, positive: null, negative: null };
  const found = classes[findClass(classes, named)];
  if (found === undefined)
    throw new HalfspaceError('option-invalid', `positive must be one of the classes; got ${quote(positive)}`, {
      source,
    });
  const [other] = classes.filter((name) => name !== found);
  const negative = classes.length === 2 && other !== notClass(found) ? other! : null;
  return { column: 'y', type, classes, positive: found, negative };
}
