import { quote } from '../errors.ts';
import { cellText, numberCell } from './table-cell.ts';
import { compareCodePoints } from './table-encoding.ts';

/*
 * The one place that decides which class a text means. A class is the text of its labels, exactly. Numbers only decide
 * the order of classes, and let a text name the class of equal value if no other class has this value.
 */

/** Maximum number of groups of similar classes that a note lists. */
const listedGroups = 3;
/** The advice on similar classes where `joinLabels` is no option. */
export const writeAlike = 'write them alike if they are one class';

/** Returns a text that is equal for decimal numbers of equal value, without rounding; null if `text` is no number. */
export function decimalKey(text: string): string | null {
  const value = numberCell(text);
  if (!Number.isFinite(value)) return null;
  const [, sign, whole, fraction = '', exponent = '0'] = /^([+-]*)(\d*)\.?(\d*)(?:e(.+))?$/i.exec(
    text.trim().replace(/_/g, ''),
  )!;
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const short = digits.replace(/0+$/, '');
  if (short === '') return '0';
  const power = BigInt(exponent) - BigInt(fraction.length) + BigInt(digits.length - short.length);
  return `${sign!.endsWith('-') ? '-' : ''}${short}e${power}`;
}

/** Returns a text that is equal for labels that `joinLabels` makes one class. */
export function joinKey(text: string): string {
  return decimalKey(text) ?? text.normalize('NFKC').toLowerCase().replace(/\.$/, '').replace(/\s+/g, ' ');
}

/** Compares names of classes: numbers by value, equal values and other names by code points. */
export function compareClasses(type: 'number' | 'text'): (a: string, b: string) => number {
  if (type === 'text') return compareCodePoints;
  return (a, b) => numberCell(a) - numberCell(b) || a.length - b.length || compareCodePoints(a, b);
}

/** Returns `number` if all names are finite numbers. */
export function typeOfClasses(names: Iterable<string>): 'number' | 'text' {
  for (const name of names) if (!Number.isFinite(numberCell(name))) return 'text';
  return 'number';
}

/** Returns names of classes in the order of a model: numbers by value, others by code points. */
export function sortedClasses(names: readonly string[]): string[] {
  return [...names].sort(compareClasses(typeOfClasses(names)));
}

/**
 * Returns the position of the class that a text names: the class of the same text, else the only class of equal value,
 * so that 1.0 names the class 1; −1: none, or several.
 */
export function findClass(classes: readonly string[], text: string): number {
  const exact = classes.indexOf(text);
  if (exact !== -1) return exact;
  const key = decimalKey(text);
  if (key === null) return -1;
  const equal = classes.findIndex((name) => decimalKey(name) === key);
  const next = classes.findIndex((name, k) => k > equal && decimalKey(name) === key);
  return next === -1 ? equal : -1;
}

/** Returns a note on labels that are one class because only the blanks around them differ; null: there are none. */
export function blanksNote(words: readonly (string | null)[]): string | null {
  const first = new Map<string, string>();
  for (const word of words) {
    const text = cellText(word);
    if (text === null) continue;
    const other = first.get(text);
    if (other !== undefined)
      return `labels that differ only in the blanks around them are one class: ${quote(other)}, ${quote(word)}`;
    first.set(text, word!);
  }
  return null;
}

/**
 * Returns a note on classes that `joinLabels` would join; null: there are none.
 * @param counts number of occurrences of each name. Default: not said.
 */
export function similarNote(
  classes: readonly string[],
  counts?: ReadonlyMap<string, number>,
  remedy = 'the option joinLabels makes one class of them (--join-labels of the command)',
): string | null {
  const groups = new Map<string, string[]>();
  for (const name of classes) {
    const key = joinKey(name);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [name]);
    else group.push(name);
  }
  const similar = [...groups.values()].filter((group) => group.length > 1);
  if (similar.length === 0) return null;
  const count = (name: string) => (counts === undefined ? '' : ` (${counts.get(name)})`);
  const some = similar
    .slice(0, listedGroups)
    .map((group) => group.map((name) => `${quote(name, 40)}${count(name)}`).join(', '));
  const more = similar.length > listedGroups ? `; and ${similar.length - listedGroups} more such groups` : '';
  return `labels that differ only in how they are written are different classes: ${some.join('; ')}${more}; ${remedy}`;
}
