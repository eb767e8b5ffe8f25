import type { LinearModel, MulticlassModel } from 'halfspace';
import type { CategoryColumn, TableEncoding } from 'halfspace/internal';
import { type PlacedColumn, placed, scalingOf } from '../columns.ts';
import { type ScoreFunction, scoreFunctions } from '../weights.ts';
import { number } from './dialect.ts';
import type { SqlContext, SqlScores } from './scores.ts';

/** From this number of levels on, the weights of a category stand in a list that is joined. */
const mostCases = 200;

/** Writes the scores of linear functions: one term per column. */
export function linearScores(model: LinearModel | MulticlassModel, context: SqlContext): SqlScores {
  const { dialect, encoding, own } = context;
  const functions = scoreFunctions(model);
  const { columns } = placed(encoding);
  const lists: string[] = [];
  const joins: string[] = [];
  for (const each of columns) {
    const { column, at, first } = each;
    if (column.kind !== 'category' || column.levels.length < mostCases) continue;
    const name = dialect.quote(own(`levels_${at + 1}`));
    const names = ['level', ...functions.map((_, k) => `w${k + 1}`)].map(dialect.quote);
    const rows = column.levels.map((level, l) => [dialect.text(level), ...functions.map((f) => term(f, first + l, 1))]);
    lists.push(`${name} AS (\n  ${listOf(rows, names, dialect.name === 'bigquery', dialect.double)}\n)`);
    joins.push(`LEFT JOIN ${name} ON ${name}.${names[0]} = ${context.cell(column)}`);
  }
  const expressions = functions.map((f, k) => {
    const terms = columns.map((each) => columnTerm(each, f, k, context));
    return `(${[`CAST(${number(f.offset)} AS ${dialect.double})`, ...terms].join('\n    + ')})`;
  });
  return { expressions, lists, joins, exactness: exactness(functions, columns, encoding) };
}

/** Writes rows of weights as a list with these columns. */
function listOf(
  rows: readonly (readonly string[])[],
  names: readonly string[],
  isBigQuery: boolean,
  double: string,
): string {
  if (isBigQuery) {
    const [first, ...others] = rows;
    const named = first!.map((value, k) => `${value} AS ${names[k]}`).join(', ');
    return [`SELECT ${named}`, ...others.map((row) => `SELECT ${row.join(', ')}`)].join(' UNION ALL ');
  }
  const typed = names.map((name, k) => (k === 0 ? name : `CAST(${name} AS ${double}) AS ${name}`));
  return `SELECT ${typed.join(', ')} FROM (VALUES ${rows.map((row) => `(${row.join(', ')})`).join(', ')}) AS l(${names.join(', ')})`;
}

/** Returns the literal of a feature's term for a value. */
function term({ weightOf, of }: ScoreFunction, feature: number, value: number): string {
  return number(weightOf(feature) * (value / of.divisor));
}

function columnTerm(each: PlacedColumn, f: ScoreFunction, k: number, context: SqlContext): string {
  const { column, first, width } = each;
  const { dialect, encoding, cell } = context;
  const x = cell(column);
  const absent = column.missing.indicator ? term(f, first + width - 1, 1) : '0';
  const one = (value: string) => `CAST(${value} AS ${dialect.double})`;
  if (column.kind === 'category')
    return one(levelTerm(each as typeof each & { column: CategoryColumn }, f, k, absent, context));
  if (column.kind === 'text') throw new Error('refused before');
  if ('edges' in column && column.edges !== undefined) {
    const cases = column.edges.map((edge, e) => `WHEN ${x} < ${number(edge)} THEN ${term(f, first + e, 1)}`);
    return one(
      `CASE WHEN ${x} IS NULL THEN ${absent} ${cases.join(' ')} ELSE ${term(f, first + column.edges.length, 1)} END`,
    );
  }
  const { mean, deviation, filled } = scalingOf(column, encoding);
  const missing = `${term(f, first, filled)} + ${absent}`;
  const scaled = mean === 0 && deviation === 1 ? x : `(${x} - ${number(mean)}) / ${number(deviation)}`;
  const divided = f.of.divisor === 1 ? `(${scaled})` : `((${scaled}) / ${number(f.of.divisor)})`;
  const parts = 'parts' in column && column.parts !== undefined ? partTerms(each, f, x, context) : '';
  return one(`CASE WHEN ${x} IS NULL THEN ${missing} ELSE ${number(f.weightOf(first))} * ${divided}${parts} END`);
}

function levelTerm(
  { column, at, first }: PlacedColumn & { readonly column: CategoryColumn },
  f: ScoreFunction,
  k: number,
  absent: string,
  { dialect, cell, own }: SqlContext,
): string {
  const { levels, rare } = column;
  const rest = rare ? term(f, first + levels.length, 1) : '0';
  const x = cell(column);
  if (levels.length >= mostCases) {
    const weight = `${dialect.quote(own(`levels_${at + 1}`))}.${dialect.quote(`w${k + 1}`)}`;
    return `CASE WHEN ${x} IS NULL THEN ${absent} ELSE COALESCE(${weight}, ${rest}) END`;
  }
  const cases = levels.map((level, l) => `WHEN ${dialect.text(level)} THEN ${term(f, first + l, 1)}`);
  return `CASE WHEN ${x} IS NULL THEN ${absent} ELSE ${cases.length === 0 ? rest : `CASE ${x} ${cases.join(' ')} ELSE ${rest} END`} END`;
}

/** Writes the terms of the parts of a date: its month, weekday and hour, from days since 1970. */
function partTerms({ column, first }: PlacedColumn, f: ScoreFunction, x: string, { dialect }: SqlContext): string {
  if (column.kind !== 'date') return '';
  let next = first + 1;
  const day = `CAST(FLOOR(${x}) AS ${dialect.name === 'bigquery' ? 'INT64' : 'BIGINT'})`;
  const value = {
    month: {
      width: 12,
      of:
        dialect.name === 'bigquery'
          ? `EXTRACT(MONTH FROM DATE_ADD(DATE '1970-01-01', INTERVAL ${day} DAY)) - 1`
          : `EXTRACT(MONTH FROM DATE '1970-01-01' + CAST(${day} AS INTEGER)) - 1`,
    },
    weekday: { width: 7, of: `MOD(MOD(${day} + 3, 7) + 7, 7)` },
    hour: { width: 24, of: `LEAST(23, FLOOR(FLOOR((${x} - FLOOR(${x})) * 86400 + 0.5) / 3600))` },
  };
  return (column.parts ?? [])
    .map((part) => {
      const { width, of } = value[part];
      const cases = Array.from({ length: width }, (_, v) => `WHEN ${v} THEN ${term(f, next + v, 1)}`);
      next += width;
      return ` + CASE ${of} ${cases.join(' ')} ELSE 0 END`;
    })
    .join('');
}

/**
 * Tells how much scores may differ. Two sums of n terms in any order differ by at most 2·γₙ·Σ|term|, with u = 2⁻⁵³ and
 * γₙ = n·u / (1 − n·u) (Higham, Accuracy and Stability of Numerical Algorithms, 2002, section 4.2).
 */
function exactness(
  functions: readonly ScoreFunction[],
  columns: readonly PlacedColumn[],
  { scale }: TableEncoding,
): string[] {
  const terms = columns.reduce((sum, { column }) => sum + 2 + ('parts' in column ? (column.parts?.length ?? 0) : 0), 1);
  const u = 2 ** -53;
  const relative = (2 * (terms + 4) * u) / (1 - (terms + 4) * u);
  const most = Math.max(
    ...functions.map(({ weightOf, of, offset }) =>
      columns.reduce((sum, { first, width, column }) => {
        const weights = Array.from({ length: width }, (_, j) => Math.abs(weightOf(first + j)));
        const isMeasured = column.kind === 'number' || column.kind === 'date';
        const size = !isMeasured ? 1 : scale === 'standard' ? 10 : Math.abs(column.mean) + 10 * column.deviation;
        return (
          sum + ((weights.length > 3 ? Math.max(...weights) : weights.reduce((a, b) => a + b, 0)) * size) / of.divisor
        );
      }, Math.abs(offset)),
    ),
  );
  return [
    `A score differs from halfspace's by at most ${relative.toPrecision(2)} times the sum of the sizes of its terms:`,
    `at most ${(relative * most).toPrecision(2)} for rows whose numbers lie within 10 standard deviations.`,
  ];
}
