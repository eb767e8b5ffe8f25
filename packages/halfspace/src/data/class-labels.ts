import { HalfspaceError, quote } from '../errors.ts';
import { findClass, typeOfClasses } from '../features/class-names.ts';
import type { TableLabel } from '../features/table-encoding.ts';
import { chooseClasses, classNames, labelNumber, notClass, unknownClass } from '../features/table-label.ts';
import { type Label, type LabelType, LabelTypes, labelText } from './label.ts';
import type { UnknownClasses } from './unknown-classes.ts';

/** Labels as numbers, and what they mean. */
export interface ClassLabels {
  /** Of two classes the negative and the positive one. */
  readonly classes: readonly string[];
  /** −1 and +1 for two classes, else positions. */
  readonly labels: Float64Array;
  /** Undefined: they are text. */
  readonly labelType: LabelType | undefined;
}

export interface ClassLabelOptions {
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
  const texts = Array.from(given, (name, i) => textOf(name, source, i));
  const label = classes === undefined ? labelOf(texts, positive, source) : givenLabel(classes, positive, source);
  const numbers = new Map<string, number>();
  const labels = Float64Array.from(texts, (name, i) => {
    let number = numbers.get(name) ?? labelNumber(label, name);
    if (number === unknownClass && unknown !== undefined) number = unknown.labelOf(name);
    numbers.set(name, number);
    if (number === unknownClass)
      throw new HalfspaceError(
        'label-classes',
        `expected ${label.classes.map((each) => quote(each)).join(' or ')}; got ${quote(name)}`,
        { source, row: i + 1 },
      );
    return number;
  });
  const names = classNames(label);
  const types = new LabelTypes();
  for (const each of Array.from(given)) types.add(typeof each);
  return { classes: names, labels, labelType: types.of(names) };
}

/** Returns the name of a class as text. @throws HalfspaceError `label-missing`, `label-classes`. */
function textOf(label: unknown, source: string, i: number): string {
  const where = { source, row: i + 1 };
  try {
    const text = labelText(label);
    if (text !== null) return text;
  } catch (error) {
    throw error instanceof HalfspaceError ? error.at(where) : error;
  }
  throw new HalfspaceError('label-missing', 'expected a label; got none', where);
}

function labelOf(names: readonly string[], positive: Label | undefined, source: string): TableLabel {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  try {
    return chooseClasses('y', counts, positive === undefined ? undefined : String(positive));
  } catch (error) {
    if (!(error instanceof HalfspaceError)) throw error;
    throw new HalfspaceError(error.code, error.message, { source });
  }
}

/** Returns the label of classes whose order is given. The negative class of a model may stand for all others. */
function givenLabel(given: readonly Label[], positive: Label | undefined, source: string): TableLabel {
  const classes = given.map((name) => String(name));
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
