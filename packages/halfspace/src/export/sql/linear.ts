import { partWidths } from '../../features/date/parts.ts';
import { type CategoryColumn, type DateColumn, hasTerms } from '../../features/table-encoding.ts';
import type { LinearModel } from '../../model/linear/model.ts';
import type { MulticlassModel } from '../../model/multiclass/model.ts';
import { type PlacedColumn, type PlacedCross, placed, scalingOf } from '../columns.ts';
import { type ScoreBound, scoreBound } from '../score-bound.ts';
import { type ScoreFunction, scoreFunctions } from '../weights.ts';
import { number } from './dialect.ts';
import { mostCases, type SqlRow } from './row.ts';
import type { SqlScores } from './scores.ts';

/** Writes the scores of linear functions: one term per column and cross. */
export function linearScores(model: LinearModel | MulticlassModel, row: SqlRow): SqlScores {
  const { dialect, encoding } = row;
  const functions = scoreFunctions(model);
  const { columns, crosses } = placed(encoding);
  // Columns first: they give the lists of levels their weights.
  const ofColumns = functions.map((f, k) => columns.map((each) => columnTerm(each, f, k, functions, row)));
  const ofCrosses = crosses.flatMap((cross, at) => crossTerm(cross, at, functions, row) ?? []);
  const expressions = functions.map((f, k) => {
    const terms = [...ofColumns[k]!, ...ofCrosses.filter((_, t) => t % functions.length === k)];
    return `(${[`CAST(${number(f.offset)} AS ${dialect.double})`, ...terms].join('\n    + ')})`;
  });
  return { expressions, exactness: exactness(scoreBound(model)!) };
}

/** Returns the literal of a feature's term for a value. */
function term({ weightOf, of }: ScoreFunction, feature: number, value: number): string {
  return number(weightOf(feature) * (value / of.divisor));
}

function columnTerm(
  each: PlacedColumn,
  f: ScoreFunction,
  k: number,
  functions: readonly ScoreFunction[],
  row: SqlRow,
): string {
  const { column, first, width } = each;
  const x = row.cell(each);
  const absent = column.missing.indicator ? term(f, first + width - 1, 1) : '0';
  const one = (value: string) => `CAST(${value} AS ${row.dialect.double})`;
  if (column.kind === 'category')
    return one(levelTerm(each as typeof each & { column: CategoryColumn }, f, k, absent, functions, row));
  if (hasTerms(column)) throw new Error('refused before');
  if ('edges' in column && column.edges !== undefined) {
    const cases = column.edges.map((edge, e) => `WHEN ${x} < ${number(edge)} THEN ${term(f, first + e, 1)}`);
    return one(
      `CASE WHEN ${x} IS NULL THEN ${absent} ${cases.join(' ')} ELSE ${term(f, first + column.edges.length, 1)} END`,
    );
  }
  const { mean, deviation, filled } = scalingOf(column, row.encoding);
  const missing = `${term(f, first, filled)} + ${absent}`;
  const scaled = mean === 0 && deviation === 1 ? x : `(${x} - ${number(mean)}) / ${number(deviation)}`;
  const divided = f.of.divisor === 1 ? `(${scaled})` : `((${scaled}) / ${number(f.of.divisor)})`;
  const parts = column.kind === 'date' ? partTerms(each as typeof each & { column: DateColumn }, f, row) : '';
  return one(`CASE WHEN ${x} IS NULL THEN ${missing} ELSE ${number(f.weightOf(first))} * ${divided}${parts} END`);
}

function levelTerm(
  each: PlacedColumn & { readonly column: CategoryColumn },
  f: ScoreFunction,
  k: number,
  absent: string,
  functions: readonly ScoreFunction[],
  row: SqlRow,
): string {
  const { column, first } = each;
  const { levels, rare } = column;
  const rest = rare ? term(f, first + levels.length, 1) : '0';
  const x = row.cell(each);
  if (levels.length >= mostCases) {
    const weight = row.levels(each, (l) => functions.map((own) => term(own, first + l, 1)))(`w${k + 1}`);
    return `CASE WHEN ${x} IS NULL THEN ${absent} ELSE COALESCE(${weight}, ${rest}) END`;
  }
  const cases = levels.map((level, l) => `WHEN ${row.dialect.text(level)} THEN ${term(f, first + l, 1)}`);
  return `CASE WHEN ${x} IS NULL THEN ${absent} ELSE ${cases.length === 0 ? rest : `CASE ${x} ${cases.join(' ')} ELSE ${rest} END`} END`;
}

/** Writes the terms of the parts of a date: its month, weekday and hour. */
function partTerms(each: PlacedColumn & { readonly column: DateColumn }, f: ScoreFunction, row: SqlRow): string {
  let next = each.first + 1;
  return (each.column.parts ?? [])
    .map((part) => {
      const width = partWidths[part];
      const cases = Array.from({ length: width }, (_, v) => `WHEN ${v} THEN ${term(f, next + v, 1)}`);
      next += width;
      return ` + CASE ${row.part(each, part)} ${cases.join(' ')} ELSE 0 END`;
    })
    .join('');
}

/** Writes the term of a cross for each function: the weights of its slots that are not 0. Null: all are. */
function crossTerm(
  cross: PlacedCross,
  at: number,
  functions: readonly ScoreFunction[],
  row: SqlRow,
): readonly string[] | null {
  const used = Array.from({ length: cross.width }, (_, slot) => slot).filter((slot) =>
    functions.some(({ weightOf }) => weightOf(cross.first + slot) !== 0),
  );
  if (used.length === 0) return null;
  const slot = row.slot(cross, at);
  const weights = (of: number) => functions.map((f) => term(f, cross.first + of, 1));
  if (used.length >= mostCases) {
    const weight = row.slots(
      at,
      slot,
      used.map((each) => [String(each), ...weights(each)]),
    );
    return functions.map((_, k) => `COALESCE(${weight(`w${k + 1}`)}, 0)`);
  }
  return functions.map(
    (_, k) =>
      `CAST(CASE ${slot} ${used.map((each) => `WHEN ${each} THEN ${weights(each)[k]}`).join(' ')} ELSE 0 END AS ${row.dialect.double})`,
  );
}

/** Returns the lines that tell how much scores may differ. */
function exactness({ relative, usual, rows }: ScoreBound): string[] {
  return [
    `A score differs from halfspace's by at most ${relative.toPrecision(2)} times the sum of the sizes of its terms:`,
    `at most ${usual.toPrecision(2)} for rows whose ${rows}.`,
  ];
}
