import { listedItems, membersOf } from '../features/set/members.ts';
import { compareCodePoints, type SetForm } from '../features/table-encoding.ts';

/** A form of sets in which the cells of a column may be written. */
export interface SetEvidence {
  readonly form: SetForm;
  /** True: the cells are surely sets. False: this is the likeliest form if they are. */
  readonly isSure: boolean;
}

/** Conditions under which a mark is taken for one between values. */
interface Demand {
  /** Smallest number of different sets. */
  readonly sets: number;
  /** Smallest share of the values that also stand in another set. */
  readonly recurring: number;
  /** Smallest share of values that stand first in a set and last in one. */
  readonly free: number;
  /** True: numbers of values may all be equal. */
  readonly mayBeEven?: boolean;
  /** True: values may be numbers. */
  readonly mayBeNumbers?: boolean;
  /** True: no cell begins with the mark, as paths do. */
  readonly isInside?: boolean;
  /** True: there are fewer values than sets, rare ones included. */
  readonly isClosed?: boolean;
  /** True: two values stand in one order in all sets, and most pairs occur, which no sentences do. */
  readonly isOrdered?: boolean;
}

const strong: Demand = { sets: 5, recurring: 0.7, free: 0.34, mayBeEven: true, mayBeNumbers: true };
const usual: Demand = { sets: 6, recurring: 0.9, free: 0.34, mayBeNumbers: true, isClosed: true };

/** The marks that are tried, the surest first. Commas also stand in names and sentences; blanks, anywhere. */
const marks: readonly (readonly [mark: string, demand: Demand])[] = [
  [';', strong],
  ['|', strong],
  ['\n', strong],
  ['；', strong],
  ['、', strong],
  [' / ', { ...strong, mayBeNumbers: false }],
  [',', usual],
  ['，', usual],
  ['/', { ...usual, sets: 8, free: 0.5, mayBeNumbers: false, isInside: true }],
  [' ', { sets: 16, recurring: 0.98, free: 0.6, isClosed: true, isOrdered: true }],
];

/** Numbers of different cells that are looked at, and of their letters on average. */
const mostCells = 1000;
const mostLetters = 1000;
/** Smallest share of cells in brackets in a column of lists. */
const leastListed = 0.9;
/** Largest share of sets with a value twice. */
const mostTwice = 0.02;

/**
 * Tells if the cells of a column are sets: their values recur, and in other company; there are more different sets than
 * values; and any value can be the first or the last. So names such as `Doe, Jane`, addresses, dates, paths and
 * quantities are none: their parts keep their places. Sentences hardly repeat their parts.
 *
 * @param cells different cells, with their numbers of occurrences.
 * @param separator the mark that was asked for. Default: the cells show it.
 * @returns null: no cell has several values.
 */
export function setEvidence(cells: Iterable<readonly [string, number]>, separator?: string): SetEvidence | null {
  if (separator !== undefined) return { form: { separator }, isSure: true };
  const texts: string[] = [];
  let letters = 0;
  for (const [text] of cells) {
    texts.push(text);
    letters += text.length;
    if (texts.length === mostCells) break;
  }
  if (letters > texts.length * mostLetters) return null;
  const listed = texts.filter((text) => listedItems(text) !== null);
  if (listed.length > 0 && listed.length >= leastListed * texts.length)
    return { form: {}, isSure: areSets(listed, undefined, { ...strong, sets: 2, recurring: 0.3, free: 0 }) };
  let likely: SetEvidence | null = null;
  let most = 0;
  for (const [mark, demand] of marks) {
    const several = texts.filter((text) => text.includes(mark)).length;
    if (several < 2) continue;
    const form = { separator: mark };
    if (demand.isInside === true && texts.some((text) => text.startsWith(mark))) continue;
    if (areSets(texts, mark, demand)) return { form, isSure: true };
    if (several > most) [likely, most] = [{ form, isSure: false }, several];
  }
  return likely;
}

/** Values of a set, and what is known of them. */
interface Value {
  sets: number;
  isFirst: boolean;
  isLast: boolean;
}

const startsAsNumber = /^[-+−$€£]?[\d.]/;
const wholeNumber = /^\d{1,4}$/;

function areSets(texts: readonly string[], mark: string | undefined, demand: Demand): boolean {
  const values = new Map<string, Value>();
  const sets = new Set<string>();
  const lengths = new Map<number, number>();
  let [several, twice, longest] = [0, 0, 0];
  const lists: (readonly string[])[] = [];
  for (const text of texts) {
    const members = [...membersOf(text, mark)];
    if (members.length === 0) continue;
    lists.push(members);
    const parts = mark === undefined ? members.length : text.split(mark).filter((part) => part.trim() !== '').length;
    if (parts > members.length) twice++;
    if (parts > 1) several++;
    longest = Math.max(longest, parts);
    lengths.set(parts, (lengths.get(parts) ?? 0) + 1);
    const key = JSON.stringify([...members].sort(compareCodePoints));
    const isNew = !sets.has(key);
    sets.add(key);
    members.forEach((member, at) => {
      const value = values.get(member) ?? { sets: 0, isFirst: false, isLast: false };
      values.set(member, value);
      if (isNew) value.sets++;
      value.isFirst ||= at === 0;
      value.isLast ||= at === members.length - 1;
    });
  }
  const all = [...values.values()];
  const recurring = all.filter((value) => value.sets > 1);
  if (several < 3 || sets.size < demand.sets || twice > mostTwice * several) return false;
  if (mark !== undefined && sets.size <= (demand.isClosed === true ? all : recurring).length) return false;
  if (sumOfSets(recurring) < demand.recurring * sumOfSets(all)) return false;
  const free = recurring.filter((value) => value.isFirst && value.isLast).length;
  if (free < demand.free * recurring.length) return false;
  // A fixed number of parts are fields rather than values.
  const isEven = Math.max(...lengths.values()) > 0.95 * lists.length;
  if (isEven && mark !== undefined && (demand.mayBeEven !== true || free < 0.6 * recurring.length)) return false;
  const names = [...values.keys()];
  if (names.filter((name) => startsAsNumber.test(name)).length * 2 > names.length) {
    const areCodes = names.every((name) => wholeNumber.test(name)) && lists.every(isRising);
    return areCodes && demand.mayBeNumbers === true && !isEven && longest > 2;
  }
  return demand.isOrdered !== true || areOrdered(lists, names.length, longest);
}

function sumOfSets(values: readonly Value[]): number {
  return values.reduce((sum, value) => sum + value.sets, 0);
}

function isRising(list: readonly string[]): boolean {
  return list.every((member, at) => at === 0 || Number(list[at - 1]) < Number(member));
}

/** Tests if no two values stand in both orders, and most pairs occur. */
function areOrdered(lists: readonly (readonly string[])[], values: number, longest: number): boolean {
  if (longest < 3 || lists.length < 2 * values || lists.some((list) => list.some((each) => startsAsNumber.test(each))))
    return false;
  const pairs = new Set<string>();
  for (const list of lists)
    for (let b = 1; b < list.length; b++)
      for (let a = 0; a < b; a++) {
        if (pairs.has(`${list[b]} ${list[a]}`)) return false;
        pairs.add(`${list[a]} ${list[b]}`);
      }
  return pairs.size * 4 > values * (values - 1);
}
