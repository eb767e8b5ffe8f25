import { encodedColumns, type MeasuredColumn } from 'halfspace/internal';
import { placed, scalingOf } from '../columns.ts';
import { nodeScores, type TreeModel } from '../tree.ts';
import { number } from './dialect.ts';
import { refused, type SqlContext, type SqlScores } from './scores.ts';

/** Writes the scores of a tree as nested cases. */
export function treeScores(model: TreeModel, context: SqlContext): SqlScores {
  const { tree, features, classes } = model;
  const { columns } = placed(context.encoding);
  const encoded = encodedColumns(features);
  const own = encoded.map((each) => {
    const from = columns.find(({ first, width }) => each.first >= first && each.first < first + width)!;
    if (each.column.name !== from.column.name || ('edges' in from.column && from.column.edges))
      throw refused('a tree of numbers, booleans and categories', `one that splits by ${each.column.name}`);
    return { from: from.column, each };
  });
  const value = (c: number) => {
    const { from, each } = own[c]!;
    const x = context.cell(from);
    if (each.column.kind === 'category') return x;
    // Numbers went through the scaling of linear models and back.
    const { mean, deviation, indicator } = each;
    const back =
      mean === 0 && deviation === 1
        ? x
        : `((${x} - ${number(mean)}) / ${number(deviation)} * ${number(deviation)} + ${number(mean)})`;
    return indicator >= 0
      ? back
      : `COALESCE(${back}, ${number(scalingOf(from as MeasuredColumn, context.encoding).filled * deviation + mean)})`;
  };
  const scores = nodeScores(model);
  const node = (n: number, k: number): string => {
    const { split } = tree.nodes[n]!;
    if (split === null) return `CAST(${number(scores[n]![k]!)} AS ${context.dialect.double})`;
    const x = value(split.column);
    if (split.kind === 'missing')
      return `CASE WHEN ${x} IS NULL THEN ${node(split.children[1]!, k)} ELSE ${node(split.children[0]!, k)} END`;
    if (split.kind === 'number') {
      const [low, high] = split.children.map((child) => node(child, k));
      const isAbsent = split.missing === 0 ? `${x} IS NULL OR ` : '';
      return `CASE WHEN ${isAbsent}${x} <= ${number(split.threshold)} THEN ${low} ELSE ${high} END`;
    }
    // Rare levels, which are not listed, share the level behind the listed ones.
    const { from } = own[split.column]!;
    const levels = from.kind === 'category' ? from.levels : [];
    const missing = node(split.children[split.missing]!, k);
    const rare = split.levels.indexOf(levels.length);
    const cases = split.levels.flatMap((level, c) =>
      level < levels.length
        ? [`WHEN ${x} = ${context.dialect.text(levels[level]!)} THEN ${node(split.children[c]!, k)}`]
        : [],
    );
    const others = levels.map(context.dialect.text).join(', ');
    if (rare >= 0) cases.push(`WHEN ${x} NOT IN (${others}) THEN ${node(split.children[rare]!, k)}`);
    return `CASE ${cases.join(' ')} ELSE ${missing} END`;
  };
  return {
    expressions: Array.from({ length: classes.length === 2 ? 1 : classes.length }, (_, k) => node(0, k)),
    lists: [],
    joins: [],
    exactness: ['The scores are those of halfspace.'],
  };
}
