import { type ColumnKind, type FitColumn, missingWords } from 'halfspace';
import { literal, query, tableFault } from './engine.ts';
import type { Relation } from './relation.ts';

/** A cell's text without the blanks around it, null where it says that the value is missing. */
export function cell(text: string): string {
  const trimmed = `trim(${text}, ${literal(' \t\n\v\f\r')})`;
  return `CASE WHEN ${trimmed} IN (${missingWords.map(literal).join(', ')}) THEN NULL ELSE ${trimmed} END`;
}

/**
 * A column in which at least this share of the cells are numbers is a column of numbers, and the others are faults; with fewer it is a
 * category like any other.
 */
const mostlyNumbers = 0.95;

/** What kinds of columns the relations have together, the label left out. Counts only, so threads do not matter. */
export async function profileColumns(relations: readonly Relation[], names: readonly string[]): Promise<FitColumn[]> {
  const counts = names.map(() => ({ present: 0, numbers: 0, booleans: 0, dates: 0 }));
  for (const relation of relations) {
    const expressions = names.flatMap((name, i) => {
      const text = textOf(relation, name);
      if (text === null) return [];
      const value = `v${i}`;
      return [{ value, text, i }];
    });
    if (expressions.length === 0) continue;
    const inner = expressions.map(({ value, text }) => `${cell(text)} AS ${value}`).join(', ');
    const outer = expressions
      .map(
        ({ value, i }) =>
          `count(${value}) AS p${i}, count(try_cast(${value} AS DOUBLE)) AS n${i}, ` +
          `count(*) FILTER (lower(${value}) IN ('true', 'false', 't', 'f', 'yes', 'no')) AS b${i}, ` +
          `count(try_cast(${value} AS TIMESTAMP)) AS d${i}`,
      )
      .join(', ');
    try {
      const [row] = await query(`SELECT ${outer} FROM (SELECT ${inner} FROM ${relation.from})`);
      for (const { i } of expressions) {
        const count = counts[i]!;
        count.present += Number(row![`p${i}`]);
        count.numbers += Number(row![`n${i}`]);
        count.booleans += Number(row![`b${i}`]);
        count.dates += Number(row![`d${i}`]);
      }
    } catch (error) {
      throw tableFault(error, relation.name);
    }
  }
  return names.map((name, i) => ({ name, kind: kindOf(counts[i]!) }));
}

function kindOf(count: { present: number; numbers: number; booleans: number; dates: number }): ColumnKind {
  const { present, numbers, booleans, dates } = count;
  if (present === 0) return 'category';
  if (numbers >= mostlyNumbers * present) return 'number';
  if (booleans === present) return 'boolean';
  return dates === present ? 'date' : 'category';
}

/** The expression for a column's text in a relation, or null where it lacks the column. */
export function textOf(relation: Relation, name: string): string | null {
  return relation.columns.find((column) => column.name === name && !column.nested)?.text ?? null;
}

/** How often each class occurs in the label column, missing ones not counted. */
export async function countClasses(relations: readonly Relation[], label: string): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const relation of relations) {
    const text = textOf(relation, label)!;
    try {
      for (const { v, n } of await query(
        `SELECT v, count(*) AS n FROM (SELECT ${cell(text)} AS v FROM ${relation.from}) WHERE v IS NOT NULL GROUP BY v`,
      ))
        counts.set(String(v), (counts.get(String(v)) ?? 0) + Number(n));
    } catch (error) {
      throw tableFault(error, relation.name);
    }
  }
  return counts;
}
