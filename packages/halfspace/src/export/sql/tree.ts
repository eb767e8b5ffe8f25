import { partWidths } from '../../features/date/parts.ts';
import type { CategoryColumn, DateColumn, MeasuredColumn } from '../../features/table-encoding.ts';
import { encodedColumns } from '../../model/tree/encoded-columns.ts';
import { type PlacedColumn, placed, scalingOf } from '../columns.ts';
import { nodeScores, type TreeModel } from '../tree.ts';
import { number } from './dialect.ts';
import type { SqlRow } from './row.ts';
import type { SqlScores } from './scores.ts';

/** Writes the scores of a tree as nested cases. */
export function treeScores(model: TreeModel, row: SqlRow): SqlScores {
  const { tree, features, classes } = model;
  const { columns, crosses } = placed(row.encoding);
  const { dialect } = row;
  const encoded = encodedColumns(features);
  const fromOf = (feature: number) => columns.find(({ first, width }) => feature >= first && feature < first + width);
  /** Returns the value of a split's column: a category's text, the position of an interval, or a number. */
  const value = (c: number): string => {
    const { first, indicator, mean, deviation } = encoded[c]!;
    const from = fromOf(first);
    if (from === undefined) {
      const at = crosses.filter((cross) => first >= cross.first).length - 1;
      return is(row.slot(crosses[at]!, at), first - crosses[at]!.first);
    }
    if (from.column.kind === 'category') return row.cell(from);
    if (isInterval(from)) return row.place(from);
    if (first > from.first) return partValue(from as PlacedColumn & { column: DateColumn }, first, row);
    const x = row.cell(from);
    // Numbers went through the scaling of linear models and back.
    const back =
      mean === 0 && deviation === 1
        ? x
        : `((${x} - ${number(mean)}) / ${number(deviation)} * ${number(deviation)} + ${number(mean)})`;
    return indicator >= 0
      ? back
      : `COALESCE(${back}, ${number(scalingOf(from.column as MeasuredColumn, row.encoding).filled * deviation + mean)})`;
  };
  const scores = nodeScores(model);
  const node = (n: number, k: number): string => {
    const { split } = tree.nodes[n]!;
    if (split === null) return `CAST(${number(scores[n]![k]!)} AS ${dialect.double})`;
    const from = fromOf(encoded[split.column]!.first);
    const x = value(split.column);
    if (split.kind === 'missing')
      return `CASE WHEN ${from !== undefined && isInterval(from) ? row.cell(from) : x} IS NULL THEN ${node(split.children[1]!, k)} ELSE ${node(split.children[0]!, k)} END`;
    if (split.kind === 'number') {
      const [low, high] = split.children.map((child) => node(child, k));
      const isAbsent = split.missing === 0 ? `${x} IS NULL OR ` : '';
      return `CASE WHEN ${isAbsent}${x} <= ${number(split.threshold)} THEN ${low} ELSE ${high} END`;
    }
    const missing = node(split.children[split.missing]!, k);
    if (isInterval(from!)) {
      const cases = split.levels.map((level, c) => `WHEN ${x} = ${level} THEN ${node(split.children[c]!, k)}`);
      return `CASE ${cases.join(' ')} ELSE ${missing} END`;
    }
    // Rare levels, which are not listed, share the level behind the listed ones.
    const { levels } = from!.column as CategoryColumn;
    const rare = split.levels.indexOf(levels.length);
    const cases = split.levels.flatMap((level, c) =>
      level < levels.length ? [`WHEN ${x} = ${dialect.text(levels[level]!)} THEN ${node(split.children[c]!, k)}`] : [],
    );
    const others = levels.map(dialect.text).join(', ');
    if (rare >= 0) cases.push(`WHEN ${x} NOT IN (${others}) THEN ${node(split.children[rare]!, k)}`);
    return `CASE ${cases.join(' ')} ELSE ${missing} END`;
  };
  return {
    expressions: Array.from({ length: classes.length === 2 ? 1 : classes.length }, (_, k) => node(0, k)),
    exactness: ['The scores are those of halfspace.'],
  };
}

function isInterval({ column }: PlacedColumn): boolean {
  return 'edges' in column && column.edges !== undefined;
}

/** Writes the value of a one-hot feature: 1 or 0. */
function is(place: string, expected: number): string {
  return `CASE WHEN ${place} = ${expected} THEN 1 ELSE 0 END`;
}

/** Writes the value of a feature of a date's parts. */
function partValue(from: PlacedColumn & { readonly column: DateColumn }, feature: number, row: SqlRow): string {
  let next = from.first + 1;
  for (const part of from.column.parts ?? []) {
    if (feature < next + partWidths[part]) return is(row.part(from, part), feature - next);
    next += partWidths[part];
  }
  throw new Error('no part of the date has this feature');
}
