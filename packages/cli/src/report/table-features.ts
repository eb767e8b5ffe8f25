import type { FeatureEncoding, TableColumn, TableEncoding, TextColumn } from 'halfspace/internal';
import { count, counted, listed } from './format.ts';

/** Returns how a model reads its data. */
export function readsLines(features: FeatureEncoding): string[] {
  switch (features.kind) {
    case 'indexed':
      return ['libsvm text: features by number'];
    case 'named':
      return [`Vowpal Wabbit text: ${counted(features.names.length, 'feature')} by name`];
    case 'hashed':
      return [`Vowpal Wabbit text: features hashed to 2^${features.bits}`];
    case 'table':
      return tableLines(features);
  }
}

/** Returns the columns that a table model reads, kind by kind, their encoding, and the treatment of missing values. */
function tableLines({ label, columns, crosses = [], leftOut, scale }: TableEncoding): string[] {
  const lines = [`a table; the class is in its column ${label.column}`];
  for (const kind of ['number', 'date', 'boolean', 'category'] as const) {
    const own = columns.filter((column) => column.kind === kind);
    if (own.length > 0) lines.push(`${kind === 'category' ? 'categories' : `${kind}s`}: ${list(own.map(described))}`);
  }
  for (const column of columns) if (column.kind === 'text') lines.push(textLine(column));
  if (crosses.length > 0) lines.push(`crossed: ${list(crosses.map((cross) => cross.columns.join(' × ')))}`);
  const missing = columns
    .filter((column) => column.missing.count > 0)
    .map(({ name, missing: { count: n } }) => `${name} (${n})`);
  if (scale === 'standard') lines.push('numbers and dates as (x − mean) / deviation of the training rows');
  if (missing.length > 0)
    lines.push(`missing in training: ${list(missing)}; they get the mean or no level, and a feature for missing`);
  if (leftOut.length > 0) lines.push(`left out: ${list(leftOut.map(({ name, reason }) => `${name} (${reason})`))}`);
  return lines;
}

function list(names: readonly string[]): string {
  return listed(names, 12);
}

/** Returns the name of a column that is not text, with its number of features if it has several. */
function described(column: TableColumn): string {
  if (column.kind === 'category') {
    const { name, levels, rare, others } = column;
    if (others !== undefined) return `${name} (${count(levels.length)}, others hashed to 2^${others.bits})`;
    return `${name} (${count(levels.length)}${rare === undefined ? '' : `, ${count(rare.levels)} rare ones as one`})`;
  }
  if ((column.kind === 'number' || column.kind === 'date') && column.edges !== undefined)
    return `${column.name} (${column.edges.length + 1} intervals)`;
  if (column.kind === 'date' && column.parts !== undefined) return `${column.name} (and ${column.parts.join(', ')})`;
  return column.name;
}

function textLine({ name, words, characters, lowercase, weighting, terms }: TextColumn): string {
  const sizes = ([least, most]: readonly [number, number]) => (least === most ? `${least}` : `${least} to ${most}`);
  const parts = [
    ...(words === null ? [] : [`${sizes(words)} words`]),
    ...(characters === null ? [] : [`${sizes(characters)} characters`]),
  ];
  const hashed = terms.kind === 'named' ? terms.others?.bits : terms.bits;
  const kept = [
    ...(terms.kind === 'named' ? [`${count(terms.names.length)} by name`] : []),
    ...(hashed === undefined ? [] : [`hashed to 2^${hashed}`]),
  ].join(', others ');
  return `text: ${name}, terms of ${parts.join(' and ')}, ${kept}, by ${weighting}${lowercase ? ', in lower case' : ''}`;
}
