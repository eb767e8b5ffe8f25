import type { FeatureEncoding, TableColumn, TableEncoding } from 'halfspace';
import { numberLevels, writtenAs } from 'halfspace/models';
import { printable } from 'halfspace/printable';
import { count, counted, listed, number } from './format.ts';

type TextColumn = Extract<TableColumn, { kind: 'text' }>;

/** A column as a model reads it, in words. */
interface ReadColumn {
  readonly name: string;
  /** The kind, and how its cells are written if not plainly: `number 1.234,5 €`. */
  readonly read: string;
  /** The values: mean ± deviation, levels, terms. */
  readonly values: string;
  /** Number of missing values in training. */
  readonly missing: number;
}

/** Returns how a model reads each column of its table. */
export function readColumns({ columns }: TableEncoding): ReadColumn[] {
  return columns.map((column) => ({
    name: column.name,
    read: `${column.kind}${writtenAs(column)}`,
    values: valuesOf(column),
    missing: column.missing.count,
  }));
}

/** Returns the columns of a table and those that were left out, for programs; empty for other data. */
export function columnsJson(features: FeatureEncoding): object {
  if (features.kind !== 'table') return {};
  return { columns: readColumns(features), leftOut: features.leftOut };
}

const longestName = 22;
const width = 69;

/** Returns a line for each column, at most `most`, then the numbers of further ones and the columns left out. */
export function columnLines(encoding: TableEncoding, most = 12): string[] {
  const all = readColumns(encoding);
  const shown = all.length <= most ? all : all.slice(0, most - 2);
  const names = shown.map(({ name }) => shortened(printable(name), longestName));
  const [wide, kinds] = [widest(names), widest(shown.map(({ read }) => read))];
  const lines = shown.map(({ read, values, missing }, c) => {
    const rest = missing === 0 ? values : `${count(missing)} missing; ${values}`;
    return shortened(`${names[c]!.padEnd(wide)}  ${read.padEnd(kinds)}  ${printable(rest)}`, width).trimEnd();
  });
  if (shown.length < all.length) lines.push(furtherLine(encoding.columns.slice(shown.length)));
  const { leftOut } = encoding;
  if (leftOut.length === 0) return lines;
  const reasons = leftOut.map(({ name, reason }) => `${name} (${reason.replaceAll('-', ' ')})`);
  return [...lines, `left out: ${listed(reasons, most)}`];
}

/** Counts the kinds of further columns. */
export function furtherLine(columns: readonly { readonly kind: string }[]): string {
  const kinds = new Map<string, number>();
  for (const { kind } of columns) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  return `and ${count(columns.length)} more: ${Array.from(kinds, ([kind, n]) => `${count(n)} × ${kind}`).join(', ')}`;
}

function widest(texts: readonly string[]): number {
  return texts.reduce((most, text) => Math.max(most, text.length), 0);
}

/** Cuts a text that is longer than `most`. */
export function shortened(text: string, most: number): string {
  const letters = [...text];
  return letters.length <= most ? text : `${letters.slice(0, most - 1).join('')}…`;
}

function valuesOf(column: TableColumn): string {
  switch (column.kind) {
    case 'number': {
      const words = numberLevels(column);
      const instead = words.length === 0 ? '' : `, or ${listed(words, 20)}`;
      return `${number(column.mean)} ± ${number(column.deviation)}${intervals(column.edges)}${column.trend === undefined ? '' : `, ${column.trend}`}${instead}`;
    }
    case 'date': {
      const parts = column.parts === undefined ? '' : `, and its ${column.parts.join(', ')}`;
      const spread =
        column.format === 'time'
          ? `${clockOf(column.mean)} ± ${counted(Math.round(column.deviation * 1440), 'minute')}`
          : `${dayOf(column.mean)} ± ${counted(Math.round(column.deviation), 'day')}`;
      return `${spread}${intervals(column.edges)}${parts}`;
    }
    case 'boolean':
      return `${(100 * column.mean).toFixed(1)} % true`;
    case 'category':
    case 'set': {
      const { levels, rare, others } = column;
      const rest = rare === undefined ? '' : `, and ${count(rare.levels)} rare ones as one`;
      const hashed = others === undefined ? '' : `, others hashed to 2^${others.bits}`;
      return `${counted(levels.length, 'level')}${rest}${hashed}: ${listed(levels.slice(0, 20), 20)}`;
    }
    case 'text':
      return termsOf(column);
  }
}

function intervals(edges: readonly number[] | undefined): string {
  return edges === undefined ? '' : ` in ${edges.length + 1} intervals`;
}

/** Returns the date of a number of days since 1970-01-01; beyond the years of dates, the number. */
function clockOf(days: number): string {
  const minutes = Math.round(days * 1440);
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
}

function dayOf(days: number): string {
  const date = new Date(days * 86_400_000);
  return Number.isNaN(date.getTime()) ? `day ${number(days)}` : date.toISOString().slice(0, 10);
}

function termsOf({ words, characters, lowercase, weighting, terms }: TextColumn): string {
  const sizes = ([least, most]: readonly [number, number]) => (least === most ? `${least}` : `${least} to ${most}`);
  const parts = [
    ...(words === null ? [] : [`${sizes(words)} words`]),
    ...(characters === null ? [] : [`${sizes(characters)} characters`]),
  ];
  const hashed = terms.kind === 'named' ? terms.others?.bits : terms.bits;
  const kept = [
    ...(terms.kind === 'named' ? [counted(terms.names.length, 'term')] : []),
    ...(hashed === undefined ? [] : [`hashed to 2^${hashed}`]),
  ].join(', others ');
  return `${kept} of ${parts.join(' and ')}, ${weighting}${lowercase ? '' : ', by case'}`;
}
