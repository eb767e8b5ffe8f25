import { crossSlot } from './cross/pair.ts';
import { partNames } from './date/parts.ts';
import {
  type CrossGroups,
  columnsByName,
  columnWidth,
  crossWidth,
  dimension,
  numberLevels,
  type TableColumn,
  type TableCross,
  type TableEncoding,
  type TextColumn,
  termCount,
} from './table-encoding.ts';
import { TermHash } from './text/hash.ts';
import { isOfCharacters } from './text/terms.ts';

/** Names of the features of a part of an encoding, made on demand. */
interface Part {
  readonly width: number;
  readonly name: (j: number) => string;
}

/** Returns all feature names in order: `mass`, `island=Biscoe`, `island=(rare)`, `message:free entry` … */
export function featureNames(encoding: TableEncoding): string[] {
  const name = featureNamer(encoding);
  return Array.from({ length: dimension(encoding) }, (_, j) => name(j));
}

/** Returns a function that names one feature, at a cost that does not depend on the number of features. */
export function featureNamer({
  columns,
  crosses = [],
}: Pick<TableEncoding, 'columns' | 'crosses'>): (j: number) => string {
  const parts = [
    ...columns.map((column) => () => columnPart(column)),
    ...crosses.map((cross) => () => crossPart(cross, columns)),
  ];
  const all = columnsByName(columns);
  const widths = [...columns.map(columnWidth), ...crosses.map((cross) => crossWidth(cross, all))];
  const made: (Part | undefined)[] = [];
  const firsts = [0];
  for (const width of widths) firsts.push(firsts.at(-1)! + width);
  return (j) => {
    let [from, to] = [0, parts.length]; // the last part that begins at or before j
    while (to - from > 1) {
      const middle = (from + to) >> 1;
      if (firsts[middle]! <= j) from = middle;
      else to = middle;
    }
    made[from] ??= parts[from]!();
    return made[from]!.name(j - firsts[from]!);
  };
}

function columnPart(column: TableColumn): Part {
  const own = column.kind === 'text' ? termPart(column) : listPart(ownNames(column));
  const name = (j: number) => (j < own.width ? own.name(j) : `${column.name} missing`);
  return { width: columnWidth(column), name };
}

function listPart(names: readonly string[]): Part {
  return { width: names.length, name: (j) => names[j]! };
}

function ownNames(column: Exclude<TableColumn, TextColumn>): string[] {
  const { name } = column;
  switch (column.kind) {
    case 'category':
    case 'set': {
      const is = column.kind === 'set' ? ' has ' : '=';
      const names = column.levels.map((level) => `${name}${is}${level}`);
      if (column.others !== undefined) for (let k = 0; k < 2 ** column.others.bits; k++) names.push(`${name}#${k}`);
      return column.rare === undefined ? names : [...names, `${name}${is}(rare)`];
    }
    case 'boolean':
      return [name];
    default: {
      if (column.kind === 'date' && column.parts !== undefined)
        return [name, ...column.parts.flatMap((part) => partNames(part).map((value) => `${name} ${part}=${value}`))];
      const { edges } = column;
      const words = numberLevels(column).map((word) => `${name}=${word}`);
      if (edges === undefined) return [name, ...words];
      return [
        `${name} < ${edges[0]}`,
        ...edges.slice(1).map((edge, k) => `${edges[k]} ≤ ${name} < ${edge}`),
        `${name} ≥ ${edges.at(-1)}`,
        ...words,
      ];
    }
  }
}

function termPart(column: TextColumn): Part {
  const { name, terms } = column;
  const named = (term: string) =>
    isOfCharacters(term) ? `${name}~${JSON.stringify(term.slice(1))}` : `${name}:${term}`;
  if (terms.kind === 'named') {
    const count = terms.names.length;
    return { width: termCount(terms), name: (j) => (j < count ? named(terms.names[j]!) : `${name}#${j - count}`) };
  }
  const slots = new Map<number, string>();
  const hash = new TermHash(terms.bits);
  for (const term of terms.names ?? []) {
    const slot = hash.of(term);
    slots.set(slot, joined(slots.get(slot), named(term)));
  }
  return { width: 2 ** terms.bits, name: (j) => slots.get(j) ?? `${name}#${j}` };
}

function crossPart({ columns: pair, bits, groups }: TableCross, columns: readonly TableColumn[]): Part {
  const all = columnsByName(columns);
  const [first, second] = pair.map((name, k) => groupPart(all.get(name)!, groups?.[k])) as [Part, Part];
  const pairs = first.width * second.width;
  const width = Math.min(2 ** bits, pairs);
  const named = (number: number) =>
    `${first.name(Math.floor(number / second.width))} × ${second.name(number % second.width)}`;
  if (pairs <= 2 ** bits) return { width, name: named };
  // To find the pairs with the same hash, all pairs must be hashed.
  const slots = new Map<number, string>();
  for (let number = 0; number < Math.min(pairs, mostPairs); number++) {
    const slot = crossSlot(number, pairs, bits);
    slots.set(slot, joined(slots.get(slot), named(number)));
  }
  return { width, name: (j) => slots.get(j) ?? `${pair.join(' × ')} #${j}` };
}

/** Names groups of features: of intervals by their ends, of others by their first and last ones. */
function groupPart(column: TableColumn, groups: CrossGroups | undefined): Part {
  const part = columnPart(column);
  if (groups == null) return part;
  if ('edges' in column && column.edges !== undefined) {
    const { edges } = column;
    const coarse = columnPart({ ...column, edges: groups.flatMap((start) => edges[start - 1] ?? []) });
    if (coarse.width === groups.length + 1) return coarse;
  }
  const starts = [0, ...groups, part.width];
  const name = (group: number) => `${part.name(starts[group]!)} … ${part.name(starts[group + 1]! - 1)}`;
  return { width: groups.length + 1, name };
}

/** In a larger cross, only features of the first pairs get the names of their pairs. */
const mostPairs = 1 << 20;

/** Joins names of terms or pairs with the same hash. */
function joined(names: string | undefined, name: string): string {
  if (names === undefined) return name;
  return names.length > 200 ? names : `${names} or ${name}`;
}
