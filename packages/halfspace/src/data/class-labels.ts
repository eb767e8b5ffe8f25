import { HalfspaceError, quote } from '../errors.ts';
import { numberCell } from '../features/table-cell.ts';
import type { TableLabel } from '../features/table-encoding.ts';
import { chooseClasses, classNames, labelNumber, notClass, unknownClass } from '../features/table-label.ts';

/** The class of a row. Numbers and booleans stand for their text. */
export type ClassName = string | number | boolean;

/** Labels as numbers, and what they mean. */
export interface ClassLabels {
  /** Of two classes the negative and the positive one. */
  readonly classes: readonly string[];
  /** −1 and +1 for two classes, else positions. */
  readonly labels: Float64Array;
}

export interface ClassLabelOptions {
  /** Two or more classes in order; of two, the second is positive. Default: those of the rows. */
  readonly classes?: readonly ClassName[] | undefined;
  /** The class that is learned against all others. */
  readonly positive?: ClassName | undefined;
  /** Name of the data, for messages. */
  readonly source: string;
}

/**
 * Turns the classes of rows into labels. Without given classes they are in the order of `chooseClasses`: numbers rise,
 * other names follow their code points; of two, the second is positive.
 *
 * @throws HalfspaceError `label-missing`, `label-classes`, `option-invalid`, with the row.
 */
export function classLabels(
  given: ArrayLike<ClassName>,
  { classes, positive, source }: ClassLabelOptions,
): ClassLabels {
  const names = Array.from(given, (name, i) => textOf(name, source, i));
  const label = classes === undefined ? labelOf(names, positive, source) : givenLabel(classes, positive, source);
  const numbers = new Map<string, number>();
  const labels = Float64Array.from(names, (name, i) => {
    const number = numbers.get(name) ?? labelNumber(label, name);
    numbers.set(name, number);
    if (number === unknownClass)
      throw new HalfspaceError(
        'label-classes',
        `expected ${label.classes.map((each) => quote(each)).join(' or ')}; got ${quote(name)}`,
        { source, row: i + 1 },
      );
    return number;
  });
  return { classes: classNames(label), labels };
}

/** Returns the name of a class as text. @throws HalfspaceError `label-missing`, `label-classes`. */
function textOf(name: unknown, source: string, i: number): string {
  const where = { source, row: i + 1 };
  if (name === null || name === undefined || name === '' || Number.isNaN(name))
    throw new HalfspaceError('label-missing', 'expected a label; got none', where);
  if (typeof name === 'string' || typeof name === 'boolean') return String(name);
  if (typeof name === 'number' && Number.isFinite(name)) return String(name + 0);
  throw new HalfspaceError('label-classes', `expected the name of a class; got ${quote(name)}`, where);
}

function labelOf(names: readonly string[], positive: ClassName | undefined, source: string): TableLabel {
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
function givenLabel(given: readonly ClassName[], positive: ClassName | undefined, source: string): TableLabel {
  const texts = given.map((name) => String(name));
  const type = texts.every((text) => Number.isFinite(numberCell(text))) ? 'number' : 'text';
  const classes = type === 'number' ? texts.map((text) => String(numberCell(text) + 0)) : texts;
  if (classes.length < 2 || new Set(classes).size < classes.length)
    throw new HalfspaceError('label-classes', `expected two or more different classes; got ${quote(given)}`, {
      source,
    });
  const named = positive === undefined ? (classes.length === 2 ? classes[1]! : null) : String(positive);
  if (named === null) return { column: 'y', type, classes, positive: null, negative: null };
  if (!classes.includes(named))
    throw new HalfspaceError('option-invalid', `positive must be one of the classes; got ${quote(positive)}`, {
      source,
    });
  const [other] = classes.filter((name) => name !== named);
  const negative = classes.length === 2 && other !== notClass(named) ? other! : null;
  return { column: 'y', type, classes, positive: named, negative };
}
